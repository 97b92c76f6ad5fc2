// @module-tag long

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openSignedIn } from '../support/author-window.ts'
import { accessibilityFaults, browserFound, chromiumBrowser, fillInSignIn, type Visit } from '../support/browser.ts'
import { ago, addRow } from '../support/guidance-records.ts'
import { clientOf, guidanceService, PASSWORD } from '../support/guidance.ts'

const OTHER_PASSWORD = 'Another-Horse-43-!Nail'

function status(page: Page): Promise<string | null> {
  return page.locator('#status').textContent()
}

function who(page: Page): Promise<string | null> {
  return page.locator('#who').textContent()
}

const surf = chromiumBrowser()

describe.runIf(browserFound)('The account page', () => {
  const guidance = guidanceService()

  /** The account page of somebody new. */
  async function openAs(name: string): Promise<Visit> {
    const { email } = await guidance().person(name)
    const visit = await openSignedIn(await surf(guidance().service.baseUrl), email, '/account')
    await visit.page.locator('#who').waitFor()
    return visit
  }

  it('leads to the sign-in page without a session', async () => {
    const { page, troubles } = await (await surf(guidance().service.baseUrl)).open('/account')
    await page.waitForURL('**/users/sign_in')
    await expect.poll(() => status(page)).toBe('Sign in first.')
    expect(troubles).toEqual(['401 GET /api/auth/me'])
  })

  it('leads to the sign-in page when the session has ended meanwhile', async () => {
    const { page } = await openAs('Eve')
    // No request of the page is under way when the session ends: only saving shall meet that.
    await page.waitForLoadState('networkidle')
    await page.context().clearCookies()
    await page.locator('#name').fill('Eva')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/users/sign_in')
    await expect.poll(() => status(page)).toBe('Sign in first.')
    await page.goto(guidance().service.baseUrl)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  })

  it('has no accessibility violation, with and without tokens', async () => {
    const { page, troubles } = await openAs('Axel')
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await page.getByRole('table').count()).toBe(0)
    await page.locator('#token-name').fill('Robot')
    await page.locator('#token-password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the token' }).click()
    await page.locator('#raw-token').waitFor()
    await page.getByRole('table').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(troubles).toEqual([])
  })

  it('changes the name without a password, but not the address', async () => {
    const { page, troubles } = await openAs('Nia')
    await page.locator('#name').fill('Nia <b>Nil</b>')
    await page.locator('#name').press('Enter')
    await expect.poll(() => who(page)).toBe('Nia <b>Nil</b> (nia@example.org)')
    expect(await status(page)).toContain('Account updated.')
    expect(troubles).toEqual([])

    await page.locator('#email').fill('nia@example.net')
    // A form is sent once at a time.
    await page.locator('form[aria-busy]').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    const error = page.locator('#profile-password-error')
    await expect.poll(() => error.textContent()).toBe('The current password is missing or wrong.')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('profile-password')
    const field = page.locator('#profile-password')
    expect(await field.getAttribute('aria-describedby')).toBe('profile-password-error profile-hint')
    expect(await accessibilityFaults(page)).toEqual([])
    await field.fill(PASSWORD)
    await field.press('Enter')
    await expect.poll(() => who(page)).toBe('Nia <b>Nil</b> (nia@example.net)')
    expect(await field.getAttribute('aria-describedby')).toBe('profile-hint')
    expect(await field.inputValue()).toBe('')
    expect(troubles).toEqual(['422 PUT /users'])
  })

  it('says next to the field when an address is taken', async () => {
    const { page } = await openAs('Tom')
    await guidance().person('Tim')
    await page.locator('#email').fill('tim@example.org')
    await page.locator('#profile-password').fill(PASSWORD)
    await page.locator('#profile-password').press('Enter')
    const error = page.locator('#email-error')
    await expect.poll(() => error.textContent()).toBe('Email has already been taken')
  })

  it('changes the password and stays signed in', async () => {
    const { page, troubles } = await openAs('Pia')
    await page.locator('#current-password').fill(PASSWORD)
    await page.locator('#password').fill(OTHER_PASSWORD)
    await page.locator('#password-confirmation').fill(OTHER_PASSWORD)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await expect.poll(() => status(page)).toContain('Account updated.')
    expect(await page.locator('#password').inputValue()).toBe('')
    await page.reload()
    await expect.poll(() => who(page)).toBe('Pia (pia@example.org)')
    await guidance().signIn('pia@example.org', OTHER_PASSWORD)
    expect(troubles).toEqual([])
  })

  it('makes a token that works, shows and copies it once, and revokes it', async () => {
    const { page, troubles } = await openAs('Tea')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('#token-name').fill('Robot <i>')
    await page.getByLabel('write').check()
    await page.getByLabel('Only from these addresses').fill('127.0.0.1\n192.0.2.0/24')
    await page.locator('#token-password').fill(PASSWORD)
    await page.locator('#token-password').press('Enter')
    const field = page.locator('#raw-token')
    await field.waitFor()
    const raw = await field.inputValue()
    expect(raw).toMatch(/^svc_/)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('raw-token')
    await expect.poll(() => page.locator('#token-password').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => page.locator('#copied').textContent()).toBe('Copied.')
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(raw)

    const client = clientOf(guidance().service, { Authorization: `Token ${raw}` })
    expect((await client.call('GET', '/api/auth/me')).body).toMatchObject({ name: 'Tea' })
    await page.reload()
    const row = page.getByRole('row', { name: 'Robot <i>' })
    await row.waitFor()
    expect(await page.locator('body').textContent()).not.toContain(raw)
    const cells = (await row.getByRole('cell').allTextContents()).map((text) => text.trim())
    expect(cells.slice(1, 3)).toEqual(['read, write', expect.stringMatching(/^\d{4}-\d\d-\d\d$/)])
    expect(cells.slice(4)).toEqual(['127.0.0.1, 192.0.2.0/24', 'Revoke'])
    expect(cells[3]).not.toBe('never')

    page.once('dialog', (dialog) => void dialog.dismiss())
    await page.getByRole('button', { name: 'Revoke Robot <i>' }).click()
    expect((await client.call('GET', '/api/auth/me')).status).toBe(200)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Revoke Robot <i>' }).click()
    await expect.poll(() => status(page)).toBe("Token revoked. 'Robot <i>' has been revoked.")
    expect((await row.getByRole('cell').allTextContents()).at(-1)?.trim()).toBe('revoked')
    expect((await client.call('GET', '/api/auth/me')).status).toBe(401)
    expect(troubles).toEqual([])
  })

  it('reports errors of a new token next to their fields', async () => {
    const { page } = await openAs('Ulf')
    await page.locator('#token-name').fill('Robot')
    await page.locator('#scopes').uncheck()
    await page.getByLabel('Only from these addresses').fill('somewhere')
    await page.locator('#token-password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the token' }).click()
    await expect.poll(() => page.locator('#scopes-error').textContent()).toContain('Scopes')
    expect(await page.locator('#allowed-ips-error').textContent()).toContain('somewhere')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('scopes')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.locator('#token-password').fill('wrong')
    await page.getByRole('button', { name: 'Create the token' }).click()
    const error = page.locator('#token-password-error')
    await expect.poll(() => error.textContent()).toContain('missing or wrong')
    expect(await page.locator('.error').count()).toBe(1)
  })

  it('unlinks an identity at a provider, after the password', async () => {
    const { page, troubles } = await openAs('Uma')
    const { id, email } = (await guidance()
      .service.guidance.database.read.selectFrom('users')
      .select(['id', 'email'])
      .where('name', '=', 'Uma')
      .executeTakeFirst()) ?? { id: 0, email: '' }
    await addRow(guidance(), 'identities', { user_id: id, provider: 'ldap', uid: 'uma', email, created_at: ago(0) })
    await page.reload()
    await page.getByRole('button', { name: `Unlink LDAP: ${email}` }).press('Enter')
    await page.locator('#unlink-password').fill('wrong')
    await page.getByRole('button', { name: 'Unlink it' }).press('Enter')
    await page.locator('#unlink-password-error').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.locator('#unlink-password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Unlink it' }).press('Enter')
    await expect.poll(() => status(page)).toContain('Identity unlinked.')
    // There is no provider here: nothing is left to say.
    await page.locator('#link').waitFor({ state: 'detached' })
    expect(troubles).toEqual(['422 POST /users/unlink_identity'])
  })

  it('deletes the account with the password, but not the last administrator of a project', async () => {
    const { page, troubles } = await openAs('Del')
    const password = page.locator('#delete-password')
    const button = page.getByRole('button', { name: 'Delete my account' })
    const owner = await guidance().signIn('del@example.org')
    const alone = await guidance().project(owner, { name: 'Own <i>' })
    await page.reload()
    await page.getByText('Nobody else administers 1 project').waitFor()
    const link = page.getByRole('link', { name: 'Own <i>' })
    expect(await link.getAttribute('href')).toBe(`/projects/${alone}/members`)
    expect(await button.count()).toBe(0)
    await owner.call('DELETE', `/projects/${alone}`)
    await page.reload()
    await password.waitFor()
    const project = await guidance().project(owner, { name: 'Tea <b>' })
    await password.fill(PASSWORD)
    page.once('dialog', (dialog) => void dialog.dismiss())
    await button.click()
    page.on('dialog', (dialog) => void dialog.accept())
    await password.fill('wrong')
    await button.click()
    const error = page.locator('#delete-password-error')
    await expect.poll(() => error.textContent()).toContain('missing or wrong')
    await password.fill(PASSWORD)
    await button.click()
    await page.getByText('The user is the only administrator of: Tea <b>').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await owner.call('DELETE', `/projects/${project}`)
    await button.click()
    await page.waitForURL('**/users/sign_in')
    await expect.poll(() => status(page)).toContain('Account deleted.')
    const again = guidance().signIn('del@example.org')
    await expect(again).rejects.toThrow()
    expect(troubles).toEqual(['422 DELETE /users', '422 DELETE /users'])
  })

  it('sends nothing in the session of a person who signed in meanwhile', async () => {
    const { page, troubles } = await openAs('Ina')
    await guidance().person('Jim')
    await page.locator('#name').fill('Not Jim')
    const other = await page.context().newPage()
    await other.goto(`${guidance().service.baseUrl}/users/sign_in?return_to=/account`)
    await fillInSignIn(other, 'jim@example.org', PASSWORD)
    await other.waitForURL('**/account')
    const alert = page.locator('#profile').getByRole('alert')
    await page.getByText('Jim is signed in here now.').waitFor()
    await page.getByRole('button', { name: 'Back to the page' }).click()
    await page.locator('#name').press('Enter')
    await page.getByRole('button', { name: 'Back to the page' }).click()
    await expect.poll(() => alert.textContent()).toContain('Nothing was sent')
    expect(await page.locator('#name').inputValue()).toBe('Not Jim')
    expect(troubles).toEqual([])
    await other.reload()
    await expect.poll(() => who(other)).toBe('Jim (jim@example.org)')
  })
})

describe.runIf(browserFound)('The account page where tokens are switched off', () => {
  const guidance = guidanceService({ SERVICE_API_TOKENS_ENABLED: 'false' })

  it('shows no tokens', async () => {
    await guidance().person('Ada')
    const { page, troubles } = await (await surf(guidance().service.baseUrl)).open('/users/sign_in?return_to=/account')
    await fillInSignIn(page, 'ada@example.org', PASSWORD)
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await expect.poll(() => troubles).toEqual(['404 GET /personal_access_tokens'])
    expect(await page.getByText('token').filter({ visible: true }).count()).toBe(0)
  })
})
