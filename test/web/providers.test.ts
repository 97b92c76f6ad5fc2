import { describe, expect, it, onTestFinished } from 'vitest'
import { accessibilityFaults, browserFound, chromiumBrowser } from '../support/browser.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startGuidance, type GuidanceUnderTest } from '../support/guidance.ts'
import { LDAP_PASSWORD, slapdPath, startLdapServer } from '../support/ldap-server.ts'
import { startOidcServer } from '../support/oidc-server.ts'

async function start(env: Readonly<Record<string, string>>): Promise<GuidanceUnderTest> {
  const guidance = await startGuidance(await temporaryFolder(), env)
  onTestFinished(() => guidance.service.close())
  return guidance
}

async function startWithProvider() {
  const provider = await startOidcServer({ redirectUris: ['http://localhost/users/auth/oidc/callback'] })
  onTestFinished(() => provider.close())
  const { service } = await start({
    SERVICE_OIDC_ISSUER: provider.issuer,
    SERVICE_OIDC_CLIENT_ID: provider.clientId,
    SERVICE_OIDC_CLIENT_SECRET: provider.clientSecret,
  })
  return { provider, service }
}

describe.runIf(browserFound)('A person without a local password', () => {
  const surf = chromiumBrowser()

  it.runIf(slapdPath() !== null)('signs in with the password of the directory', async () => {
    const directory = await startLdapServer()
    onTestFinished(() => directory.close())
    const { service } = await start({
      SERVICE_LDAP_URL: directory.url,
      SERVICE_LDAP_BASE_DN: directory.baseDn,
      SERVICE_LDAP_BIND_DN: directory.bindDn,
      SERVICE_LDAP_BIND_PASSWORD: directory.bindPassword,
    })
    const { page, troubles } = await (await surf(service.baseUrl)).open('/users/sign_in?return_to=/account')
    await page.getByLabel('User name').fill('ann')
    await page.locator('#ldap-password').fill('wrong')
    await page.locator('#ldap-password').press('Enter')
    const alert = page.locator('#ldap').getByRole('alert')
    await expect.poll(() => alert.textContent()).toContain('incorrect')
    await page.locator('#ldap-password').fill(LDAP_PASSWORD)
    await page.getByRole('button', { name: 'Sign in with LDAP' }).click()
    await page.waitForURL('**/account')
    await expect.poll(() => page.locator('#who').textContent()).toContain('(ann@example.org)')
    const again = page.getByRole('link', { name: 'Sign in again' })
    expect(await again.getAttribute('href')).toBe('/users/sign_in')
    expect(troubles).toEqual(['401 POST /users/auth/ldap/callback'])
  })

  it('signs in through the provider and can then make a token', async () => {
    const { provider, service } = await startWithProvider()
    const { page, troubles } = await (await surf(service.baseUrl)).open('/users/sign_in?return_to=/account')
    const link = page.getByRole('link', { name: 'Sign in with OIDC Provider' })
    await link.waitFor()
    const begun = await page.request.get(`${service.baseUrl}${(await link.getAttribute('href')) ?? ''}`, {
      maxRedirects: 0,
    })
    const { pathname, search } = await provider.signInAt(begun.headers()['location'] ?? '', { account: 'verified' })
    await page.goto(service.baseUrl + pathname + search)
    expect(page.url()).toBe(`${service.baseUrl}/account`)
    await expect.poll(() => page.locator('#who').textContent()).toContain('(vera@example.org)')
    const again = page.getByRole('link', { name: 'Sign in again' })
    expect(await again.getAttribute('href')).toBe('/users/auth/oidc?return_to=/account&prompt=login')
    await page.locator('#token-name').fill('Robot')
    await page.locator('#token-name').press('Enter')
    await page.locator('#raw-token').waitFor()
    expect(await page.locator('#raw-token').inputValue()).toMatch(/^svc_/)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('sees on a page why the provider refused; programs get a problem', async () => {
    const { service } = await startWithProvider()
    const path = '/users/auth/oidc/callback?error=access_denied&state=%3Cb%3E'
    const { page } = await (await surf(service.baseUrl)).open(path)
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
    await page.getByText('No single sign-on was started in this session.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Back to signing in' }).click()
    await page.getByRole('link', { name: 'Sign in with OIDC Provider' }).waitFor()
    const asked = await fetch(service.baseUrl + path)
    expect(asked.headers.get('Content-Type')).toContain('application/problem+json')
    expect(await asked.json()).toMatchObject({ code: 'identity_provider_refused' })
  })
})
