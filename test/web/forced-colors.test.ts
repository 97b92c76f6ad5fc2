// @module-tag long

import { describe, expect, it } from 'vitest'
import { openSignedIn } from '../support/author-window.ts'
import { browserFound, chromiumBrowser } from '../support/browser.ts'
import { guidanceService } from '../support/guidance.ts'
import { teapotScene } from '../support/teapot-scene.ts'

const guidance = guidanceService()
const scene = teapotScene(guidance)

/** Edges of what is chosen, and of the other tabs, and whether fields to choose from have their arrow. */
const EDGES = `(() => {
  const chosen = ['.segments', '.record-list', '[aria-label=Statuses]'].map((list) => {
    const style = getComputedStyle(document.querySelector(list + ' [aria-current]'))
    return style.outlineStyle + ' ' + style.outlineWidth
  })
  const tabs = [...document.querySelectorAll('.tabs a')].map((tab) =>
    getComputedStyle(tab).borderBottomWidth === '0px' ? 'none' : 'edge')
  const arrow = getComputedStyle(document.querySelector('select')).appearance
  return { chosen, tabs, arrow }
})()`

describe.runIf(browserFound)('With the colors of the device', () => {
  const surf = chromiumBrowser()

  it('only chosen items have an edge', async () => {
    const path = `/components/${scene().component}/triage?view=split`
    const surfer = await surf(guidance().service.baseUrl)
    const { page } = await openSignedIn(surfer, scene().people.author.email, path)
    await page.getByRole('region', { name: 'Comment and decision' }).waitFor()
    await page.emulateMedia({ forcedColors: 'active' })
    await page.evaluate('document.activeElement?.blur()')
    expect(await page.evaluate(EDGES)).toEqual({
      chosen: ['solid 2px', 'solid 2px', 'solid 2px'],
      tabs: ['none', 'none', 'edge', 'none', 'none', 'none', 'none'],
      arrow: 'auto',
    })
    await page.emulateMedia({ forcedColors: null })
  })
})
