// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { openSignedIn } from '../support/author-window.ts'
import { browserFound, chromiumBrowser } from '../support/browser.ts'
import { guidanceService } from '../support/guidance.ts'
import { expectSound } from '../support/page-check.ts'
import { STARTER } from '../support/service.ts'

const guidance = guidanceService({}, undefined, STARTER)
const EMAIL = 'root@example.org'
/** How much of it is beyond its edge. */
const HIDDEN = `(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth)(
  document.querySelector('.shell-header'))`
const WIDTHS = [320, 375, 768, 991, 992, 1024, 1279, 1280, 1440, 1920, 2560]

describe.runIf(browserFound)('The header', () => {
  const surf = chromiumBrowser()

  beforeAll(async () => {
    const name = 'Somebody with a name that is long, an administrator'
    await guidance().person(name, { admin: true, email: EMAIL })
  })

  it.each([true, false])('is one row at every width (signed in: %s)', async (isSignedIn) => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page } = isSignedIn ? await openSignedIn(surfer, EMAIL, '/matrix') : await surfer.open('/matrix')
    if (isSignedIn) await page.getByRole('link', { name: 'My work', exact: true }).waitFor()
    const header = page.locator('.shell-header')
    const heights = new Set<number>()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 720 })
      heights.add(Math.round((await header.boundingBox())?.height ?? 0))
      expect(await page.evaluate(HIDDEN), `at ${width}`).toBe(0)
      const search = await page.getByRole('combobox', { name: 'Search' }).boundingBox()
      expect(search?.width, `at ${width}`).toBeGreaterThan(80)
    }
    expect(heights.size).toBe(1)
  })

  it('does not move the page once the person is known', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    let answer = (): void => undefined
    const known = new Promise<void>((resolve) => (answer = resolve))
    await surfer.context.route('**/api/auth/me', async (route) => {
      await known
      await route.continue()
    })
    const { page } = await openSignedIn(surfer, EMAIL, '/guidance')
    const heading = page.getByRole('heading', { level: 1 })
    const before = await heading.boundingBox()
    answer()
    await page.getByRole('button', { name: /^Account: Somebody/ }).waitFor()
    expect((await heading.boundingBox())?.y).toBe(before?.y)
  })

  it('has the other pages behind a button in narrow windows', async () => {
    const { page } = await openSignedIn(await surf(guidance().service.baseUrl), EMAIL, '/guidance')
    await page.setViewportSize({ width: 900, height: 720 })
    const heading = page.getByRole('heading', { level: 1 })
    const before = await heading.boundingBox()
    await page.getByRole('button', { name: 'Menu' }).click()
    const account = page.getByRole('navigation', { name: 'Account', exact: true })
    const projects = account.getByRole('link', { name: 'Projects', exact: true })
    expect((await heading.boundingBox())?.y).toBe(before?.y)
    await projects.click()
    await page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor()
    expect(await projects.isVisible()).toBe(false)
  })

  it('has a menu of the account: own pages, display settings and sign-out', async () => {
    const visit = await openSignedIn(await surf(guidance().service.baseUrl), EMAIL, '/guidance')
    const { page } = visit
    await page.getByRole('button', { name: /^Account: Somebody/ }).click()
    const links = page.getByRole('navigation', { name: 'Account', exact: true }).getByRole('link')
    await expect
      .poll(() => links.allTextContents())
      .toEqual(['My work', 'Projects', 'My comments', 'Account and security', 'Administration'])
    await page.getByLabel('dark').check()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await expectSound(visit)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/users/sign_in')
  })

  it('shows the query in its search box, and never the filter of a page', async () => {
    const { page } = await openSignedIn(await surf(guidance().service.baseUrl), EMAIL, '/guidance')
    const box = page.getByRole('combobox', { name: 'Search' })
    const filter = page.getByRole('searchbox', { name: 'Filter by words' })
    await filter.fill('kettle')
    await expect.poll(() => new URL(page.url()).search).toBe('?filter=kettle')
    expect(await box.inputValue()).toBe('')
    // Links from before still filter.
    await page.goto(`${guidance().service.baseUrl}/guidance?q=kettle&releases=all`)
    await expect.poll(() => filter.inputValue()).toBe('kettle')
    expect(new URL(page.url()).search).toBe('?filter=kettle&releases=all')
    expect(await box.inputValue()).toBe('')
    await page.goto(`${guidance().service.baseUrl}/search?q=kettle`)
    await expect.poll(() => box.inputValue()).toBe('kettle')
  })
})
