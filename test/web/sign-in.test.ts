// @module-tag long

import { describe, expect, it } from 'vitest'
import { accessibilityFaults, browserFound, chromiumBrowser, fillInSignIn } from '../support/browser.ts'
import { setRows } from '../support/guidance-records.ts'
import { guidanceService, PASSWORD } from '../support/guidance.ts'

const surf = chromiumBrowser()

describe.runIf(browserFound)('The sign-in page', () => {
  const guidance = guidanceService()
  const baseUrl = (): string => guidance().service.baseUrl

  it('leads to the home page, and shows the account on every page until the sign-out', async () => {
    await guidance().person('Ada')
    const surfer = await surf(baseUrl())
    const { page, troubles } = await surfer.open('/')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await fillInSignIn(page, 'ada@example.org', PASSWORD)
    await page.waitForURL('**/home')
    await page.getByRole('link', { name: 'Parapet' }).click()
    await page.getByRole('button', { name: 'Account: Ada' }).click()
    await page.getByRole('link', { name: 'Account and security' }).click()
    await expect.poll(() => page.locator('#who').textContent()).toBe('Ada (ada@example.org)')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/users/sign_in')
    await expect.poll(() => page.locator('#status').textContent()).toBe('Signed out successfully.')
    expect(await page.evaluate("fetch('/api/auth/me').then((answer) => answer.status)")).toBe(401)
    await page.goto(baseUrl())
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    // Nobody is shown the ontology of a service without a release.
    const expected = ['503 GET /api/matrix.json', '503 GET /api/offensive-technique/tactics.json']
    const others = troubles.filter((trouble) => !expected.includes(trouble))
    expect(others).toEqual(['401 GET /api/auth/me'])
  })

  it('reports errors, warns before the lock, and keeps typed text', async () => {
    await guidance().person('Bob')
    const { page, troubles } = await (await surf(baseUrl())).open('/users/sign_in')
    const alert = page.locator('#local').getByRole('alert')
    await fillInSignIn(page, 'bob@example.org', 'wrong')
    await expect.poll(() => alert.textContent()).toBe('The email or password is incorrect.')
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('bob@example.org')
    expect(await accessibilityFaults(page)).toEqual([])
    await fillInSignIn(page, 'bob@example.org', 'wrong')
    await expect.poll(() => alert.textContent()).toContain('one more wrong attempt')
    await fillInSignIn(page, 'bob@example.org', 'wrong')
    await expect.poll(() => alert.textContent()).toContain('The account is locked for now.')
    expect(page.url()).toBe(`${baseUrl()}/users/sign_in`)
    expect(new Set(troubles)).toEqual(new Set(['401 POST /api/auth/login']))
  })

  it('offers neither mail nor a provider if there is none', async () => {
    const { page, troubles } = await (await surf(baseUrl())).open('/users/sign_in')
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    expect(await page.locator('main').getByRole('listitem').count()).toBe(1)
    expect(await page.locator('main').getByRole('button').count()).toBe(1)
    expect(await page.locator('.banner').count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('names its fields for password managers', async () => {
    const { page } = await (await surf(baseUrl())).open('/users/sign_in')
    const email = page.getByLabel('E-mail address')
    expect(await email.getAttribute('autocomplete')).toBe('username')
    const password = page.getByRole('textbox', { name: 'Password' })
    expect(await password.getAttribute('autocomplete')).toBe('current-password')
  })

  it('sends once when the button is pressed twice', async () => {
    await guidance().person('Cem')
    const { page } = await (await surf(baseUrl())).open('/users/sign_in')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    await page.getByLabel('E-mail address').fill('cem@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong')
    await page.evaluate("{ const form = document.forms['local']; form.requestSubmit(); form.requestSubmit() }")
    await expect.poll(() => page.locator('#local').getByRole('alert').textContent()).not.toBe('')
    expect(sent).toHaveLength(1)
  })

  it('reports a service that does not answer', async () => {
    const { page } = await (await surf(baseUrl())).open('/users/sign_in')
    await page.getByRole('textbox', { name: 'Password' }).waitFor()
    await page.context().setOffline(true)
    await fillInSignIn(page, 'ada@example.org', PASSWORD)
    const alert = page.locator('#local').getByRole('alert')
    await expect.poll(() => alert.textContent()).toBe('The service does not answer. Try again.')
  })
})

describe.runIf(browserFound)('The sign-in page with everything', () => {
  const guidance = guidanceService({
    SERVICE_BANNER_ENABLED: 'true',
    SERVICE_BANNER_TEXT: 'For <b>practice</b> only',
    SERVICE_BANNER_BACKGROUND_COLOR: '#123456',
    SERVICE_BANNER_TEXT_COLOR: '#fedcba',
    SERVICE_CONSENT_ENABLED: 'true',
    SERVICE_CONSENT_TITLE: 'Rules of the house',
    SERVICE_CONSENT_CONTENT: 'First line.\nSecond <i>line</i>.',
    SERVICE_OIDC_ISSUER: 'http://127.0.0.1:10',
    SERVICE_OIDC_CLIENT_ID: 'x',
    SERVICE_OIDC_TITLE: 'House Key',
    SERVICE_LDAP_URL: 'ldap://127.0.0.1:9',
    SERVICE_LDAP_BASE_DN: 'dc=example,dc=org',
    SERVICE_LDAP_TITLE: 'Directory',
    SERVICE_SMTP_URL: 'smtp://127.0.0.1:9',
  })

  it('shows the banner, then the terms, and only then the ways in', async () => {
    const { service } = guidance()
    const surfer = await surf(service.baseUrl)
    const { page, troubles } = await surfer.open('/users/sign_in')
    await page.getByRole('heading', { name: 'Rules of the house' }).waitFor()
    const banner = page.locator('.banner')
    expect(await banner.textContent()).toBe('For <b>practice</b> only')
    const colours = 'getComputedStyle(document.querySelector(".banner"))'
    expect(await page.evaluate(`${colours}.backgroundColor`)).toBe('rgb(18, 52, 86)')
    expect(await page.evaluate(`${colours}.color`)).toBe('rgb(254, 220, 186)')
    expect(await page.locator('#consent-content').innerText()).toBe('First line.\nSecond <i>line</i>.')
    expect(await page.locator('#password').isVisible()).toBe(false)
    expect(await accessibilityFaults(page)).toEqual([])

    await page.getByRole('button', { name: 'I accept' }).press('Enter')
    await page.getByLabel('E-mail address').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('email')
    expect(await page.getByText('Rules of the house').isVisible()).toBe(false)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(troubles).toEqual([])
    const remembered = await service.guidance.database.read
      .selectFrom('sessions')
      .select('data')
      .executeTakeFirstOrThrow()
    expect(remembered.data).toContain('"consent":{')
  })

  it('asks for the terms again on the account page, and then continues', async () => {
    const { service } = guidance()
    const { email, id } = await guidance().person('Zoe')
    const { page, troubles } = await (await surf(service.baseUrl)).open('/users/sign_in?return_to=/account')
    await page.getByRole('button', { name: 'I accept' }).click()
    await fillInSignIn(page, email, PASSWORD)
    await page.waitForURL('**/account')
    await page.locator('#who').waitFor()
    // No request of the page is under way when the session loses its consent: only saving shall meet that.
    await page.waitForLoadState('networkidle')
    await setRows(guidance(), 'sessions', { data: JSON.stringify({ userId: id }) }, { user_id: id })
    await page.locator('#name').fill('Zora')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Rules of the house' }).waitFor()
    for (const key of ['Escape', 'Escape']) await page.keyboard.press(key)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'I accept' }).click()
    await expect.poll(() => page.locator('#who').textContent()).toContain('Zora')
    expect(troubles).toEqual(['403 PUT /users'])
  })

  it('offers the providers and the help by mail', async () => {
    const { page } = await (await surf(guidance().service.baseUrl)).open('/users/sign_in')
    await page.getByRole('button', { name: 'I accept' }).click()
    const link = page.getByRole('link', { name: 'Sign in with House Key' })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe('/users/auth/oidc?return_to=/home')
    expect(await page.getByRole('heading', { name: 'Directory' }).isVisible()).toBe(true)
    const texts = await page.locator('main').getByRole('navigation').getByRole('link').allTextContents()
    expect(texts).toEqual([
      'Create an account',
      'Forgot your password?',
      'No mail to confirm your address?',
      'Is your account locked?',
    ])
  })

  it('reports a directory that does not answer', async () => {
    const { page, troubles } = await (await surf(guidance().service.baseUrl)).open('/users/sign_in')
    await page.getByRole('button', { name: 'I accept' }).click()
    await page.getByLabel('User name').fill('ann')
    await page.locator('#ldap-password').fill('x')
    await page.getByRole('button', { name: 'Sign in with Directory' }).click()
    const alert = page.locator('#ldap').getByRole('alert')
    await expect.poll(() => alert.textContent()).not.toBe('')
    expect(troubles).toEqual(['502 POST /users/auth/ldap/callback'])
  })
})

describe.runIf(browserFound)('The sign-in page without local passwords', () => {
  const guidance = guidanceService({ SERVICE_LOCAL_LOGIN_ENABLED: 'false' })

  it('has no password field and no registration', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page, troubles } = await surfer.open('/users/sign_in')
    await page.waitForLoadState('networkidle')
    expect(await page.locator('#choices').isVisible()).toBe(false)
    await page.goto(`${guidance().service.baseUrl}/users/sign_up`)
    await expect.poll(() => page.locator('#status').textContent()).toContain('cannot be registered here')
    expect(await page.locator('main').getByRole('button').count()).toBe(0)
    expect(troubles).toEqual([])
  })
})
