// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { openSignedIn } from '../support/author-window.ts'
import { browserFound, chromiumBrowser, type Visit } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService } from '../support/guidance.ts'
import { STARTER } from '../support/service.ts'
import { sampleRules } from '../support/xccdf-document.ts'

const guidance = guidanceService({}, undefined, STARTER)
const RULES = 150
/** How many cells run out of the sheet. */
const CUT = `[...document.querySelectorAll('.cell')].filter((cell) => {
  const { right } = cell.getBoundingClientRect()
  return right > innerWidth + 1
}).length`

/** How much of the matrix is beyond the edge of its frame. */
const BELOW = `(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight)(
  document.querySelector('main [role=region]'))`

/** The left edges of the columns of the matrix. */
const TOPS = `[...document.querySelectorAll('.column')].map((one) => one.getBoundingClientRect().top)`

/** How many folds show nothing. */
const UNSEEN = `[...document.querySelectorAll('main details > :not(summary)')].filter((one) => {
  return one.closest('.toolbar, .screen-only') === null && one.getBoundingClientRect().height === 0
}).length`

describe.runIf(browserFound)('On paper', () => {
  const surf = chromiumBrowser()
  let stig = 0

  beforeAll(async () => {
    stig = await store(guidance(), { rules: sampleRules(RULES) })
    const [first, ...others] = sampleRules(RULES + 1)
    if (first === undefined) throw new Error('There are no rules')
    const changed = { ...first, checks: ['Look at the pot.\n\n$ ls /samovar'], weight: '9.0' }
    await store(guidance(), { release: '2', rules: [changed, ...others] })
    await guidance().person('Ada')
  })

  async function print(path: string): Promise<Visit> {
    const visit = await openSignedIn(await surf(guidance().service.baseUrl), 'ada@example.org', path)
    const { page } = visit
    await page.getByText('rules').first().waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    return visit
  }

  it('a printed STIG has every rule with its texts', async () => {
    const { page, troubles } = await print(`/stigs/${stig}`)
    await expect.poll(() => page.locator('main article').count()).toBe(RULES)
    const [last = ''] = sampleRules(RULES)
      .slice(-1)
      .map(({ id }) => id)
    const article = page.locator('main article', { hasText: last })
    await article.getByRole('heading', { name: 'Check' }).waitFor()
    // Paper is light, whatever the screen is.
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
    const breaks = `(({ breakAfter, breakInside }) => [breakAfter, breakInside])(
      getComputedStyle(document.querySelector('main article > header')))`
    expect(await page.evaluate(breaks)).toEqual(['avoid', 'avoid'])
    await page.emulateMedia({ media: null })
    await page.getByText('Choose a rule').waitFor()
    expect(await page.locator('section[aria-label=Rules] li').count()).toBeLessThan(60)
    expect(troubles).toEqual([])
  })

  it('a printed STIG with an open rule has that one whole, and the list of all', async () => {
    const { page } = await print(`/stigs/${stig}?rule=SV-1000002r1_rule`)
    await expect.poll(() => page.locator('section[aria-label=Rules] li').count()).toBe(RULES)
    expect(await page.locator('main article').count()).toBe(1)
    const list = await page.locator('section[aria-label=Rules]').boundingBox()
    const rule = await page.locator('main article').boundingBox()
    expect(rule?.y).toBeLessThan(list?.y ?? 0)
  })

  it('a printed comparison has every change whole, with the texts of new rules and technical properties', async () => {
    const { page, troubles } = await print('/benchmarks/Teapot_STIG/V1R1/changes/V1R2')
    await expect.poll(() => page.locator('main article').count()).toBe(2)
    const [added, changed] = [page.locator('main article').first(), page.locator('main article').last()]
    await added.getByRole('heading', { name: 'Check' }).waitFor()
    await changed.locator('.added', { hasText: '$ ls /samovar' }).waitFor()
    await changed.getByRole('heading', { name: 'Weight' }).waitFor()
    expect(await page.getByRole('searchbox').count()).toBe(0)
    await page.emulateMedia({ media: null })
    await expect.poll(() => page.locator('main article').count()).toBe(1)
    expect(troubles).toEqual([])
  })

  it.each(['d3fend', 'attack'])('the coverage has every column (%s)', async (view) => {
    const { page } = await print(`/coverage?stig=${stig}&view=${view}`)
    await page.setViewportSize({ width: 700, height: 1000 })
    await page.locator('.cell').first().waitFor()
    expect(await page.evaluate(CUT)).toBe(0)
    expect(await page.evaluate(BELOW)).toBe(0)
    // Browsers divide a row of cells between two sheets.
    const tops = await page.evaluate<readonly number[]>(TOPS)
    expect(new Set(tops.slice(0, 7)).size).toBe(1)
    expect(new Set(tops).size).toBe(Math.ceil(tops.length / 7))
  })

  it('has folded parts, and the title and page number on each sheet', async () => {
    const { page } = await print('/technique/d3f:AccountLocking/')
    const title = (): Promise<unknown> =>
      page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--printed-title')")
    await expect.poll(title).toBe('"Account Locking – Parapet"')
    await page.locator('details:not(.screen-only) > :not(summary)').first().waitFor()
    expect(await page.evaluate(UNSEEN)).toBe(0)
    const sheets = await page.pdf({ format: 'A4', preferCSSPageSize: true })
    expect(sheets.length).toBeGreaterThan(5000)
  })

  it('is ready at the end of the event, as Firefox prints it then', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page } = await surfer.open('/benchmarks/Teapot_STIG/V1R1/changes/V1R2')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html[data-theme=dark]').waitFor()
    const during = await page.evaluate(`(() => {
      dispatchEvent(new Event('beforeprint'))
      return [document.querySelectorAll('main article').length, document.documentElement.dataset.theme]
    })()`)
    expect(during).toEqual([2, 'light'])
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    await expect.poll(() => page.locator('main article').count()).toBe(1)
  })

  it('of a STIG has all texts, also where the menu of the browser prints it', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page } = await surfer.open('/benchmarks/Teapot_STIG/V1R1')
    await page.getByText(`${RULES} rules`).first().waitFor()
    const during = await page.evaluate(`(() => {
      dispatchEvent(new Event('beforeprint'))
      return [...document.querySelectorAll('main article')].filter((one) => one.textContent.includes('Check')).length
    })()`)
    expect(during).toBe(RULES)
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    await page.getByText('Choose a rule').waitFor()
  })

  it('unfolds in a browser that has no style for it, and folds again', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    await surfer.context.addInitScript(`CSS.supports = () => false`)
    const { page } = await surfer.open('/technique/d3f:AccountLocking/')
    const folds = page.locator('main details:not([open])')
    await folds.first().waitFor()
    const before = await folds.count()
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    expect(await folds.count()).toBe(0)
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    expect(await folds.count()).toBe(before)
    // Its script cannot be removed, and a later test would get this browser.
    await surfer.context.close()
  })
})
