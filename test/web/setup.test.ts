import { describe, expect, it } from 'vitest'
import { accessibilityFaults, browserFound, chromiumBrowser, fillInSignIn } from '../support/browser.ts'
import { guidanceService, PASSWORD } from '../support/guidance.ts'

const guidance = guidanceService()

/** The path that the first start prints a link to. */
function setupPath(): string {
  const { firstSteps } = guidance().service.guidance
  if (firstSteps === null || !('link' in firstSteps)) throw new Error('There is no link')
  const { pathname, search } = new URL(firstSteps.link)
  return pathname + search
}

describe.runIf(browserFound)('The setup page', () => {
  const surf = chromiumBrowser()

  it('reports an incomplete link', async () => {
    const { page, troubles } = await (await surf(guidance().service.baseUrl)).open('/setup')
    await expect.poll(() => page.locator('#status').textContent()).toContain('not complete')
    expect(await page.locator('main').getByRole('button').count()).toBe(0)
    expect(troubles).toEqual([])
  })

  it('removes the secret from the address bar at once', async () => {
    const { page, troubles } = await (await surf(guidance().service.baseUrl)).open(setupPath())
    await page.getByLabel('Name').waitFor()
    expect(page.url()).toBe(`${guidance().service.baseUrl}/setup`)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('makes the first administrator, who can sign in', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page, troubles } = await surfer.open(setupPath())
    await expect
      .poll(() => page.locator('#password-policy').textContent())
      .toBe(
        'At least 15 characters, among them at least 2 upper-case letters, 2 lower-case letters, ' +
          '2 digits and 2 special characters.',
      )
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('E-mail address').fill('ada@example.org')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByLabel('Repeat the password').fill('other')
    await page.getByLabel('Repeat the password').press('Enter')
    const error = page.locator('#password-error')
    await expect.poll(() => error.textContent()).toContain('too short (minimum is 15 characters)')
    expect(await page.locator('#password-confirmation-error').textContent()).toBe("Password confirmation doesn't match")
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('password')
    expect(await page.getByRole('alert').textContent()).toBe('Could not create the administrator.')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat the password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Become the administrator' }).click()
    await expect.poll(() => page.locator('#status').textContent()).toContain('created')
    expect(await page.locator('.error').count()).toBe(0)
    await page.locator('main').getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL('**/users/sign_in')
    await fillInSignIn(page, 'ADA@example.org', PASSWORD)
    await page.waitForURL('**/home')
    await page.goto(new URL('/account', page.url()).href)
    await expect.poll(() => page.locator('#who').textContent()).toContain('site administrator')
    expect(troubles).toEqual(['422 POST /api/setup'])
  })
})
