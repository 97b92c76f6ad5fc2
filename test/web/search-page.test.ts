// @module-tag long

import type { Locator } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { partsOf } from '../../src/web/application/search/highlights.ts'
import { browserFound, pageOpener } from '../support/browser.ts'
import { expectNoTroubles, expectSound } from '../support/page-check.ts'
import { starterService } from '../support/service.ts'

const service = starterService()

/** The place of an element that is drawn. */
async function boxOf(element: Locator): Promise<NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>> {
  const box = await element.boundingBox()
  if (box === null) throw new Error('The element is not drawn')
  return box
}

describe.runIf(browserFound)('The page of the search', () => {
  const open = pageOpener(() => service().baseUrl)

  // Until the index is read, there is nothing to find.
  beforeAll(() => service().guidance.search.prepare(Promise.resolve()))

  it('is reached by typing, has filters, and keeps its state in the address', async () => {
    const visit = await open('/')
    const { page } = visit
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('file analysis')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Results for “file analysis”' }).waitFor()
    await page.getByRole('link', { name: 'File Analysis', exact: true }).waitFor()
    expect(page.url()).toBe(`${service().baseUrl}/search?q=file%20analysis`)
    await page.getByLabel(/^Technique/).check()
    await expect.poll(() => page.url()).toContain('kind=technique')
    await expectSound(visit)
    await page.reload()
    expect(await page.getByLabel(/^Technique/).isChecked()).toBe(true)
    await page.goBack()
    await expect.poll(() => page.getByLabel(/^Technique/).isChecked()).toBe(false)
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('file analysis')
  })

  it('shows a record found by name in a card, with the query in the title', async () => {
    const visit = await open('/search?q=d3-fa')
    const best = visit.page.getByRole('region', { name: 'Best match' })
    await best.getByRole('link', { name: 'File Analysis', exact: true }).waitFor()
    expect(await visit.page.title()).toBe('d3-fa – Search – Parapet')
    await expectNoTroubles(visit)
  })

  it('lists related records in the card, and other results below', async () => {
    const visit = await open('/search?q=file+analysis')
    const related = visit.page.getByRole('region', { name: 'Best match' }).getByRole('list', { name: 'Related to it' })
    await related.getByText('Attacks').waitFor()
    const first = related.getByRole('link').first()
    await first.waitFor()
    // A name that is longer than the line is cut, and not left out.
    await first.evaluate((link: { textContent: string }) => {
      link.textContent = 'A very long name of a record '.repeat(9)
    })
    const [link, line] = [await boxOf(first), await boxOf(related)]
    expect(link.width).toBeGreaterThan(100)
    expect(link.x + link.width).toBeLessThanOrEqual(line.x + line.width)
    expect(link.y - line.y).toBeLessThan(24)
    await visit.page.getByRole('heading', { name: 'Other results' }).waitFor()
    await expectSound(visit)
  })

  it('shows the operator that leaves results out, and removes it', async () => {
    const visit = await open('/search?q=file+-analysis')
    const { page } = visit
    await page.getByRole('link', { name: 'Remove: without “analysis”' }).waitFor()
    await expectNoTroubles(visit)
    expect(await page.getByRole('link', { name: 'File Analysis', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Remove: without “analysis”' }).click()
    await page.getByRole('heading', { name: 'Results for “file”' }).waitFor()
    expect(new URL(page.url()).search).toBe('?q=file')
  })

  it('keeps recent searches on the device until they are removed, and leads out of filters', async () => {
    const visit = await open('/search?q=file+analysis&severity=low&kind=tactic')
    const { page } = visit
    await page.getByText('Nothing was found for “file analysis” among what the filters allow').waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: 'File Analysis', exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?q=file+analysis')
    await page.goto(`${service().baseUrl}/search`)
    await page.getByRole('link', { name: 'file analysis', exact: true }).waitFor()
    await expectNoTroubles(visit)
    await page.getByRole('button', { name: 'Remove file analysis' }).click()
    await page.getByText('Recent searches').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Type into the box above').waitFor()
    expect(await page.getByText('Recent searches').count()).toBe(0)
  })

  it.each([
    ['/search', 'Type into the box above'],
    ['/search?q=qqqzzzxxx', 'Nothing was found for'],
    ['/search?q=%3Cb%3Ex%3C%2Fb%3E&kind=technique&page=x', 'Nothing was found for'],
  ])('says something useful at %s', async (path, text) => {
    const visit = await open(path)
    await visit.page.getByText(text).waitFor()
    await expectNoTroubles(visit)
  })
})

describe('Highlights', () => {
  it('are parts of the text; invalid ranges are ignored', () => {
    const highlights = [
      { start: 2, end: 3 },
      { start: 1, end: 4 },
      { start: 4, end: 99 },
    ]
    expect(partsOf({ text: 'abcde', highlights })).toEqual([
      { text: 'ab', isHit: false },
      { text: 'c', isHit: true },
      { text: 'de', isHit: false },
    ])
  })
})
