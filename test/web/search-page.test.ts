// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { partsOf } from '../../src/web/application/search/highlights.ts'
import { browserFound, chromiumBrowser, type Visit } from '../support/browser.ts'
import { expectSound } from '../support/page-check.ts'
import { starterService } from '../support/service.ts'

const service = starterService()

describe.runIf(browserFound)('The page of the search', () => {
  const surf = chromiumBrowser()

  async function open(path: string): Promise<Visit> {
    return (await surf(service().baseUrl)).open(path)
  }

  // Until the index is read, there is nothing to find.
  beforeAll(() => service().guidance.search.prepare(Promise.resolve()))

  it('is reached by typing, filters by choices, and is what its address says', async () => {
    const visit = await open('/')
    const { page } = visit
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('file analysis')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Search: file analysis' }).waitFor()
    await page.getByRole('link', { name: 'File Analysis', exact: true }).waitFor()
    expect(page.url()).toBe(`${service().baseUrl}/search?q=file%20analysis`)
    await page.getByLabel(/^defensive technique/).check()
    await expect.poll(() => page.url()).toContain('kind=technique')
    await expectSound(visit)
    await page.reload()
    expect(await page.getByLabel(/^defensive technique/).isChecked()).toBe(true)
    await page.goBack()
    await expect.poll(() => page.getByLabel(/^defensive technique/).isChecked()).toBe(false)
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('file analysis')
  })

  it.each([
    ['/search', 'Type into the box above'],
    ['/search?q=qqqzzzxxx', 'Nothing was found.'],
    ['/search?q=%3Cb%3Ex%3C%2Fb%3E&kind=technique&page=x', 'Nothing was found.'],
  ])('says something useful at %s', async (path, text) => {
    const visit = await open(path)
    await visit.page.getByText(text).waitFor()
    await expectSound(visit)
  })
})

describe('Highlights', () => {
  it('are parts of the text; what does not fit it is left alone', () => {
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
