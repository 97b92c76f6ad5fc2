// @module-tag long

import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSignedIn } from '../../support/author-window.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import { browserFound, chromiumBrowser, type Visit } from '../../support/browser.ts'
import { setRows } from '../../support/guidance-records.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'

const guidance = guidanceService()
const SELECTED =
  'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)'
/** Heights of the text area and of the layer over it; different heights mean displaced lines. */
const HEIGHTS =
  '[...new Set([...document.querySelectorAll("[data-field=vuln_discussion] :is(textarea, .over)")].map((one) => `${one.scrollHeight} ${one.clientWidth}`))]'
/** Nothing but the letters of the text area, or nothing but those that are drawn over it. */
const OWN =
  '.over { visibility: hidden !important } textarea { -webkit-text-fill-color: currentcolor !important; caret-color: transparent !important }'
const DRAWN =
  '.over, .over * { color: var(--text) !important; text-decoration: none !important } textarea { -webkit-text-fill-color: transparent !important; caret-color: transparent !important }'
const NO_LETTERS = `${OWN} textarea { color: transparent !important }`
const RULES = `window.rules ??= (() => {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  return sheet
})(); rules.replaceSync`
const COUNT_DIFFERENCES = `async (pictures) => {
  const [one, other] = await Promise.all(pictures.map(async (base64) => {
    const image = new Image()
    image.src = 'data:image/png;base64,' + base64
    await image.decode()
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas.drawImage(image, 0, 0)
    return canvas.getImageData(0, 0, image.width, image.height).data
  }))
  const brightness = (data, at) => data[at] + data[at + 1] + data[at + 2]
  let count = 0
  for (let at = 0; at < one.length; at += 4) {
    if (Math.abs(brightness(one, at) - brightness(other, at)) > 96) count += 1
  }
  return count
}`
/** Text whose lines move if anything is laid out differently. */
const SCRIPTS = [
  'English “first”, then שלום עולם.\n',
  'שלום “עולם” and English.\n',
  `\u202Eturned “round”\u202C, 👩‍🚀👍🏽 e\u0301 🇩🇪 日本語\ttab  \n`,
  `“${'W'.repeat(300)}”\n`,
].join('')
const SAID = 'Set the lid of the pot to closed before anybody pours tea from it.'

describe.runIf(browserFound)('Advice in the editor', () => {
  const surf = chromiumBrowser()
  let made: MadeComponent

  beforeAll(async () => {
    const ada = await guidance().signUp('Ada')
    const projectId = await guidance().project(ada)
    await guidance().member(projectId, await guidance().person('Vera'), 'viewer')
    made = await makeComponent(guidance(), ada, { projectId, rules: 2 })
    await setRows(
      guidance(),
      'rules',
      {
        status: 'Applicable - Configurable',
        rule_severity: 'medium',
        title: 'The pot should pour tea.',
        fixtext: SAID,
        vuln_discussion: 'Attackers drink tea.\nIt is hot. It’s a risk.',
      },
      { component_id: made.id },
    )
  })

  async function open(name: string, rule: '1' | '2'): Promise<Visit> {
    const path = `/components/${made.id}?rule=TEAP-00-00000${rule}&panel=advice`
    const surfer = await surf(guidance().service.baseUrl)
    const visit = await openSignedIn(surfer, `${name}@example.org`, path)
    await visit.page.getByText(/\d suggestions/).waitFor()
    return visit
  }

  it('lists advice, goes to its place, and follows typing before it is saved', async () => {
    const visit = await open('ada', '1')
    const { page } = visit
    const panel = page.getByRole('region', { name: 'Suggestions', exact: true })
    const should = panel.getByRole('region', { name: /neither "should"/ })
    await should.getByRole('button', { name: 'Go to Requirement' }).click()
    expect(await page.evaluate(SELECTED)).toBe('should')
    await panel
      .getByRole('region', { name: /quotation marks/ })
      .getByRole('button', { name: 'Go to Discussion' })
      .click()
    expect(await page.evaluate(SELECTED)).toBe('’')
    const elsewhere = panel.getByText('The same words are in TEAP-00-000002.')
    await elsewhere.waitFor()
    const marks = (name: string) => page.locator(`[data-field=${name}] [aria-hidden] .marked`)
    expect(await marks('vuln_discussion').allTextContents()).toEqual(['’'])
    await expectSound(visit)
    await page.route('**/rules/*', (route) => route.abort())
    await page.getByRole('textbox', { name: 'Requirement' }).fill('The pot must pour tea.')
    await should.waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Fix' }).fill(`1. Please look.\n2. ${SAID}`)
    await expect
      .poll(async () => {
        await elsewhere.locator('..').getByRole('button').click()
        return page.evaluate(SELECTED)
      })
      .toBe(SAID)
    await page.getByRole('textbox', { name: 'Fix' }).fill('Close it.')
    await elsewhere.waitFor({ state: 'detached' })
    // Longer than its field, with a last line that is empty.
    const long = `${'Attackers pour “tea” with a very long spout.\n'.repeat(90)}\n`
    await page.getByRole('textbox', { name: 'Discussion' }).fill(long)
    await expect.poll(() => marks('vuln_discussion').count()).toBe(100)
    expect(await page.evaluate(HEIGHTS)).toHaveLength(1)
    await page.unroute('**/rules/*')
  })

  it('turns advice off for the rule with a reason, and on again', async () => {
    const visit = await open('ada', '2')
    const { page } = visit
    const panel = page.getByRole('region', { name: 'Suggestions', exact: true })
    const quotes = panel.getByRole('region', { name: /quotation marks/ })
    await quotes.getByText('Off for this rule').click()
    await quotes.getByRole('textbox', { name: /Why it is fine/ }).fill('The product says so.')
    await quotes.getByRole('button', { name: 'Turn off' }).click()
    await panel.getByText('The product says so.').waitFor()
    expect(await quotes.count()).toBe(0)
    await expectNoTroubles(visit)
    const reader = await open('vera', '2')
    await reader.page.getByText('The product says so.').waitFor()
    expect(await reader.page.getByRole('button', { name: 'On again' }).count()).toBe(0)
    await reader.page.getByRole('button', { name: 'Go to Fix' }).first().click()
    expect(await reader.page.evaluate('document.getSelection().toString()')).not.toBe('')
    await panel.getByRole('button', { name: 'On again' }).click()
    await quotes.waitFor()
  })

  it('is drawn exactly over the letters, in any script', async () => {
    const { page } = await open('ada', '1')
    await page.locator('#field-vuln_discussion').fill(SCRIPTS.repeat(8))
    await page.locator('[data-field=vuln_discussion] [aria-hidden] .marked').first().waitFor({ state: 'attached' })
    const scroll = "document.querySelector('#field-vuln_discussion').scrollTo(37, 500)"
    await page.evaluate(`${scroll}; new Promise((done) => setTimeout(done, 300))`)
    const ownText = await pictureOf(page, OWN)
    const overlay = await pictureOf(page, DRAWN)
    const empty = await pictureOf(page, NO_LETTERS)
    const letters = await differingPixels(page, ownText, empty)
    expect(letters).toBeGreaterThan(1000)
    // Fonts that kern or join letters across the edge of a mark move a few of them by less than a pixel.
    expect(await differingPixels(page, ownText, overlay)).toBeLessThan(letters * 0.1)
  })

  async function pictureOf(page: Page, rules: string): Promise<Buffer> {
    await page.evaluate(`${RULES}(${JSON.stringify(rules)})`)
    const area = page.locator('[data-field=vuln_discussion] .area')
    await area.scrollIntoViewIfNeeded()
    const box = await area.boundingBox()
    if (box === null) throw new Error('There is no field')
    const [width, height] = [box.width - 24, box.height - 24]
    return page.screenshot({ clip: { x: box.x + 3, y: box.y + 3, width, height } })
  }

  /** Counts the pixels that clearly differ between two pictures of the same size. */
  async function differingPixels(page: Page, first: Buffer, second: Buffer): Promise<number> {
    const blank = await page.context().newPage()
    const pictures = [first, second].map((picture) => picture.toString('base64'))
    const count: unknown = await blank.evaluate(`(${COUNT_DIFFERENCES})(${JSON.stringify(pictures)})`)
    await blank.close()
    if (typeof count !== 'number') throw new Error('The pictures could not be compared')
    return count
  }
})
