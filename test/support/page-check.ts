import { expect } from 'vitest'
import { accessibilityFaults, type Visit } from './browser.ts'
import { isDeep } from './runs.ts'

/** The first width is that of a window of 1280 by 1024 at 400 % (WCAG 1.4.10). */
const SIZES = [
  { width: 320, height: 256 },
  { width: 2560, height: 1200 },
]

/** The rules of each theme: dark pages differ only in colours. */
const SCHEMES = [
  ['light', undefined],
  ['dark', isDeep ? undefined : ['color-contrast', 'link-in-text-block']],
] as const

/** The distance that the page can be scrolled sideways, which must be 0. */
const SIDEWAYS = 'document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth'

/**
 * Checks a loaded page by axe, in light and dark colours, and as {@link expectNoTroubles} does. Axe takes longer than
 * the page itself, so each kind of page and of content is checked by one test.
 */
export async function expectSound(visit: Visit, expected: readonly string[] = []): Promise<void> {
  await loaded(visit)
  await expectAccessible(visit)
  await expectTidy(visit, expected)
}

/**
 * Checks a loaded page: nothing overflows a narrow or a wide window; it has one heading and a title of its own. There
 * are no script errors, Content-Security-Policy violations, refusals or requests to other hosts, except `expected`
 * ones. Deep runs check it by axe as well.
 */
export async function expectNoTroubles(visit: Visit, expected: readonly string[] = []): Promise<void> {
  await loaded(visit)
  if (isDeep) await expectAccessible(visit)
  await expectTidy(visit, expected)
}

async function loaded({ page }: Visit): Promise<void> {
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

async function expectAccessible({ page }: Visit): Promise<void> {
  for (const [colorScheme, rules] of SCHEMES) {
    await page.emulateMedia({ colorScheme })
    // Firefox ignores the emulated preference, so the test sets the attribute of the chosen theme.
    const theme: unknown = await page.evaluate(`document.documentElement.dataset.theme`)
    if (theme !== undefined) await page.evaluate(`document.documentElement.dataset.theme = '${colorScheme}'`)
    expect(await accessibilityFaults(page, rules), colorScheme).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null })
}

async function expectTidy({ page, troubles }: Visit, expected: readonly string[]): Promise<void> {
  const before = page.viewportSize()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    expect(await page.evaluate(SIDEWAYS), `sideways at ${size.width}`).toBe(0)
    if (isDeep) expect(await accessibilityFaults(page), `at ${size.width}`).toEqual([])
  }
  if (before !== null) await page.setViewportSize(before)
  expect(await page.locator('h1').count()).toBe(1)
  expect(await page.title()).toMatch(/.+ – Parapet$/)
  expect(troubles).toEqual(expected)
}
