// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { browserFound, chromiumBrowser, type Surfer, type Visit } from '../support/browser.ts'
import { expectSound } from '../support/page-check.ts'
import { starterService } from '../support/service.ts'

const service = starterService()
const MONITORING = '/technique/d3f:FileIntegrityMonitoring/'

describe.runIf(browserFound)('The frame of every page', () => {
  const surf = chromiumBrowser()

  function somebody(): Promise<Surfer> {
    return surf(service().baseUrl)
  }

  async function open(path: string): Promise<Visit> {
    return (await somebody()).open(path)
  }

  // Until the index is read, nothing is suggested.
  beforeAll(() => service().guidance.search.prepare(Promise.resolve()))

  it('returns 404 for text in place of a number', async () => {
    for (const path of ['/components/1e3', '/projects/0x1', '/components/7/compare/first']) {
      const { page } = await open(path)
      await page.getByRole('heading', { name: `There is no page ${path}` }).waitFor()
    }
  })

  it('lists the keys of the page', async () => {
    const visit = await open('/matrix')
    const { page } = visit
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await page.getByRole('combobox', { name: 'Search' }).press('?')
    await page.locator('main').click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('?')
    await keys.getByRole('row', { name: 'Hide the definition' }).waitFor()
    expect(await keys.getByRole('row', { name: 'Next rule' }).count()).toBe(0)
    await expectSound(visit)
    await keys.getByRole('button', { name: 'Close' }).click()
    await keys.waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await keys.waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'detached' })
    expect(await page.getByRole('radio', { name: 'dark' }).count()).toBe(0)
  })

  it('stays on the page when the next one cannot be loaded', async () => {
    const { page } = await open('/guidance')
    await page.getByRole('heading', { name: 'Guidance', level: 1 }).waitFor()
    await page.route('**/*', (route) => route.abort())
    const coverage = page.getByRole('link', { name: 'Coverage', exact: true })
    await coverage.press('Enter')
    await page.getByText('that page cannot be loaded now. What is here stays').waitFor()
    expect(await page.getByRole('heading', { name: 'Guidance', level: 1 }).count()).toBe(1)
    await page.unroute('**/*')
    await coverage.press('Enter')
    await page.getByRole('heading', { name: 'Coverage', level: 1 }).waitFor()
    await page.getByText('that page cannot be loaded now').waitFor({ state: 'detached' })
  })

  it('finds by keyboard: / to the box, arrows to a suggestion, Enter to its page', async () => {
    const visit = await open('/')
    const { page } = visit
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('file integrity')
    const option = page.getByRole('option', { name: /^File Integrity Monitoring/ })
    await option.waitFor()
    const box = page.getByRole('combobox', { name: 'Search' })
    expect(await box.getAttribute('aria-expanded')).toBe('true')
    while ((await option.getAttribute('aria-selected')) !== 'true') await box.press('ArrowDown')
    expect(await box.getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'))
    await box.press('Enter')
    await page.getByRole('heading', { name: 'File Integrity Monitoring', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(MONITORING)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('Control+k')
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('combobox')
    await page.keyboard.press('Escape')
    expect(visit.troubles).toEqual([])
  })

  it('keeps its state through back, forward and reload', async () => {
    const { page, troubles } = await open('/matrix')
    await page.getByRole('link', { name: 'Platform Hardening' }).click()
    await page.getByRole('heading', { name: 'Platform Hardening', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Defenses', level: 1 }).waitFor()
    await page.goForward()
    await page.reload()
    await page.getByRole('heading', { name: 'Platform Hardening', level: 1 }).waitFor()
    expect(await page.title()).toBe('Platform Hardening – Parapet')
    expect(troubles).toEqual([])
  })

  it('remembers the display settings', async () => {
    const { page } = await open('/')
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByLabel('dark').check()
    await page.getByLabel('compact').check()
    await page.getByLabel('high').check()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    const { theme, density, contrast } = { theme: 'data-theme', density: 'data-density', contrast: 'data-contrast' }
    expect(await page.locator('html').getAttribute(contrast)).toBe('more')
    expect(await page.locator('html').getAttribute(theme)).toBe('dark')
    expect(await page.locator('html').getAttribute(density)).toBe('compact')
  })

  it('moves the focus nearby when its element goes, and back when it is enabled again', async () => {
    const { page, troubles } = await open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.evaluate(`{
      const place = document.createElement('section')
      place.ariaLabel = 'Place'
      place.innerHTML = '<div><button id="saving">Save</button><button id="going">Remove</button></div>'
      document.querySelector('main').append(place)
      document.querySelector('#saving').focus()
      document.querySelector('#saving').disabled = true
    }`)
    const focused = 'document.activeElement.id || document.activeElement.ariaLabel'
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(true)
    await page.waitForTimeout(100)
    await page.evaluate("document.querySelector('#saving').disabled = false")
    await expect.poll(() => page.evaluate(focused)).toBe('saving')
    await page.evaluate(`{
      const saving = document.querySelector('#saving')
      saving.disabled = true
      requestAnimationFrame(() => requestAnimationFrame(() => (saving.disabled = false)))
    }`)
    await page.waitForTimeout(100)
    await expect.poll(() => page.evaluate(focused)).toBe('saving')
    await page.keyboard.press('Tab')
    await page.evaluate("document.querySelector('#going').parentElement.remove()")
    await expect.poll(() => page.evaluate(focused)).toBe('Place')
    // A person who leaves a field on purpose has no focus to restore.
    await page.evaluate('document.activeElement.blur()')
    await page.evaluate("document.querySelector('main').append(document.createElement('p'))")
    await page.waitForTimeout(100)
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
    expect(await page.locator('section[aria-label=Place][tabindex]').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  it('returns 404 with a page for an unknown address', async () => {
    const visit = await open('/nothing/of/this')
    await visit.page.getByRole('heading', { name: 'There is no page /nothing/of/this' }).waitFor()
    // The dark theme was chosen in another browser profile.
    expect(await visit.page.locator('html').getAttribute('data-theme')).not.toBe('dark')
    await expectSound(visit, ['404 GET /nothing/of/this'])
  })

  it('survives a service that cannot answer for a while', async () => {
    const surfer = await somebody()
    let isBusy = true
    const problem = { code: 'overloaded', detail: 'Too many are asking.', retry_after: 1 }
    await surfer.context.route('**/api/matrix.json', (route) =>
      isBusy ? route.fulfill({ status: 503, json: problem }) : route.continue(),
    )
    const { page } = await surfer.open('/')
    await page.getByText('Too many are asking. It is tried again by itself.').waitFor()
    isBusy = false
    await page.getByRole('link', { name: 'Harden' }).waitFor()
    expect(await page.getByText('Too many are asking.').count()).toBe(0)
  })

  it('sends its files compressed and immutable, and revalidates its document', async () => {
    const packed = { headers: { 'Accept-Encoding': 'br', Accept: 'text/html' } }
    // A document goes out without its content where that is not rendered in time, and with it when it is asked for again.
    await expect.poll(() => answerKept(packed.headers)).toBe(304)
    const { body, headers } = await service().get('/', packed)
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['content-security-policy']).not.toContain('unsafe')
    const names = / (?:src|href)="(\/assets\/app\/[^"]+\.(?:js|css))"/g
    const paths = Array.from(body.toString().matchAll(names), ([, path = '']) => path)
    const files = await Promise.all(paths.map((path) => service().get(path, packed)))
    for (const file of files) {
      expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      // Small files do not shrink when packed.
      if (file.body.length > 500) expect(file.headers['content-encoding']).toBe('br')
    }
    const isLibrary = (index: number): boolean => paths[index]?.includes('/libraries-') === true
    const ownBytes = files
      .filter((_file, index) => !isLibrary(index))
      .reduce((sum, file) => sum + file.body.length, body.length)
    expect(ownBytes).toBeGreaterThan(30_000)
    // A first page has 110 kB at most. The libraries have 45 kB of them as deployed; here Vue has its warnings as well.
    expect(ownBytes).toBeLessThan(65_000)
    expect(files.find((_file, index) => isLibrary(index))?.body.length).toBeLessThan(75_000)
    const script = paths.find((path) => /\/index-[^/]*\.js$/.test(path)) ?? ''
    const plain = await service().get(script)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body.toString()).toContain('import(')
  })
})

/** Status of a second request for the start page, which names the answer of the first one. */
async function answerKept(headers: Readonly<Record<string, string>>): Promise<number> {
  const first = await service().get('/', { headers })
  const again = { ...headers, 'If-None-Match': first.headers.etag ?? '' }
  return (await service().get('/', { headers: again })).status
}
