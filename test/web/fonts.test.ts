// @module-tag long

import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserFound, chromiumBrowser } from '../support/browser.ts'
import { guidanceService } from '../support/guidance.ts'
import { STARTER } from '../support/service.ts'

const guidance = guidanceService({}, undefined, STARTER)
const PATH = '/offensive-technique/attack/T1110/'

/** Adds up how much the page moves, and notes whether its text was not drawn at first. */
const WATCH = `
globalThis.shift = 0
globalThis.wasHidden = false
const look = () => {
  if (document.body !== null && getComputedStyle(document.body).opacity === '0') wasHidden = true
  if (!wasHidden) requestAnimationFrame(look)
}
look()
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value
}).observe({ type: 'layout-shift', buffered: true })`

const bodyOpacity = (page: Page): Promise<unknown> => page.evaluate('getComputedStyle(document.body).opacity')

describe.runIf(browserFound)('The text of a page', () => {
  const surf = chromiumBrowser()

  it.each([1440, 390])('is drawn when its fonts are there, and does not move, %s pixels wide', async (width) => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page } = await surfer.open('/docs/api/errors')
    await page.setViewportSize({ width, height: 900 })
    await page.addInitScript(WATCH)
    const asked: string[] = []
    await page.route('**/*.woff2', async (route) => {
      asked.push(route.request().url())
      await setTimeout(200)
      await route.continue()
    })
    await page.goto(surfer.baseUrl + PATH, { waitUntil: 'commit' })
    await page.locator('html:not([data-fonts]) main h1').waitFor()
    expect(await bodyOpacity(page)).toBe('1')
    await page.waitForLoadState('networkidle')
    expect(asked.length).toBeGreaterThan(1)
    expect(await page.evaluate('wasHidden')).toBe(true)
    expect(await page.evaluate('shift')).toBeLessThan(0.02)
  })

  it.each([
    ['are refused', 0],
    ['do not come', 60_000],
  ])('is drawn in another font where its fonts %s', async (_reason, delay) => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page } = await surfer.open('/docs/api/errors')
    await page.route('**/*.woff2', async (route) => {
      await setTimeout(delay)
      await route.abort().catch(() => null)
    })
    await page.goto(surfer.baseUrl + PATH, { waitUntil: 'commit' })
    await page.locator('html:not([data-fonts]) main h1').waitFor()
    expect(await bodyOpacity(page)).toBe('1')
  })
})
