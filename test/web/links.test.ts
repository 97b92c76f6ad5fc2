// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { accessibilityFaults, browserFound, chromiumBrowser, fillInSignIn } from '../support/browser.ts'
import { PASSWORD, startGuidance, type GuidanceUnderTest } from '../support/guidance.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'

const OTHER_PASSWORD = 'Another-Horse-43-!Nail'

let dataDir = ''
let mail: MailServer
let guidance: GuidanceUnderTest

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  mail = await startMailServer()
  guidance = await startGuidance(dataDir, { SERVICE_SMTP_URL: mail.url })
})

afterAll(async () => {
  await guidance.service.close()
  await mail.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** The path and query of a link. */
function pathOf(link: string): string {
  const { pathname, search } = new URL(link)
  return pathname + search
}

/** The link in the next mail that came. */
async function linkMailedTo(address: string): Promise<string> {
  const { to, text } = await mail.next()
  expect(to).toBe(address)
  const [link = ''] = /http:\S+/.exec(text) ?? []
  return pathOf(link)
}

/** Acts as a mail scanner: opens the link as a browser and as a program. */
async function scan(path: string): Promise<void> {
  for (const accept of ['text/html,*/*;q=0.8', '*/*', 'application/json']) {
    for (const method of ['GET', 'HEAD']) await guidance.service.get(path, { method, headers: { Accept: accept } })
  }
}

function status(page: Page): Promise<string | null> {
  return page.locator('#status').textContent()
}

async function canSignIn(email: string, password: string): Promise<boolean> {
  const body = { email, password }
  return (await guidance.nobody.call('POST', '/api/auth/login', { body })).status === 200
}

describe.runIf(browserFound)('The pages that links lead to', () => {
  const surf = chromiumBrowser()
  const baseUrl = (): string => guidance.service.baseUrl

  it('register an account, whose address is confirmed by a button', async () => {
    const surfer = await surf(baseUrl())
    const { page, troubles } = await surfer.open('/users/sign_up')
    await page.getByLabel('Name').fill('Zoë')
    await page.getByLabel('E-mail address').fill('zoe')
    await page.locator('#password').fill(PASSWORD)
    await page.getByLabel('Repeat the password').fill(PASSWORD)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Create the account' }).click()
    await expect.poll(() => page.locator('#email-error').textContent()).toBe('Email is invalid')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('email')
    expect(await page.locator('#email').getAttribute('aria-describedby')).toBe('email-error')
    await page.getByLabel('E-mail address').fill('zoe@example.org')
    await page.getByLabel('E-mail address').press('Enter')
    await expect.poll(() => status(page)).toContain('A mail with a link')
    expect(await page.locator('main').getByRole('button').count()).toBe(0)
    expect(troubles).toEqual(['422 POST /users'])

    const path = await linkMailedTo('zoe@example.org')
    await scan(path)
    const scanner = await surfer.open(path)
    await scanner.page.getByRole('button', { name: 'Confirm the address' }).waitFor()
    expect(await canSignIn('zoe@example.org', PASSWORD)).toBe(false)

    const opened = await surfer.open(path)
    const button = opened.page.getByRole('button', { name: 'Confirm the address' })
    await button.waitFor()
    expect(opened.page.url()).toBe(`${baseUrl()}/users/confirmation`)
    expect(await accessibilityFaults(opened.page)).toEqual([])
    await button.press('Enter')
    await expect.poll(() => status(opened.page)).toBe('Address confirmed. You can sign in now.')
    expect(opened.troubles).toEqual([])
    expect(await canSignIn('zoe@example.org', PASSWORD)).toBe(true)

    await scanner.page.getByRole('button', { name: 'Confirm the address' }).click()
    await expect.poll(() => status(scanner.page)).toContain('This link was used')
    await scanner.page.getByRole('button', { name: 'Send the link' }).waitFor()
  })

  it('send the link again that confirms an address', async () => {
    const user = { name: 'Yan', email: 'yan@example.org', password: PASSWORD }
    await guidance.nobody.call('POST', '/users', { body: { user } })
    await mail.next()
    const { page, troubles } = await (await surf(baseUrl())).open('/users/confirmation')
    await page.getByLabel('E-mail address').fill('yan@example.org')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect.poll(() => status(page)).toContain('a mail with a link is on its way')
    const path = await linkMailedTo('yan@example.org')
    await page.goto(baseUrl() + path)
    await page.getByRole('button', { name: 'Confirm the address' }).click()
    await expect.poll(() => status(page)).toContain('Address confirmed.')
    expect(troubles).toEqual([])
  })

  it('unlock an account by a button', async () => {
    await guidance.person('Uma')
    for (let attempt = 0; attempt < 3; attempt += 1) await canSignIn('uma@example.org', 'wrong')
    expect(await canSignIn('uma@example.org', PASSWORD)).toBe(false)
    const surfer = await surf(baseUrl())
    const { page, troubles } = await surfer.open('/users/sign_in')
    await page.getByRole('link', { name: 'Is your account locked?' }).click()
    // The page before has a field for an address as well.
    await page.getByRole('button', { name: 'Send the link' }).waitFor()
    await page.getByLabel('E-mail address').fill('uma@example.org')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect.poll(() => status(page)).toContain('on its way')

    const path = await linkMailedTo('uma@example.org')
    await scan(path)
    const opened = await surfer.open(path)
    await opened.page.getByRole('button', { name: 'Unlock the account' }).waitFor()
    expect(opened.page.url()).toBe(`${baseUrl()}/users/unlock`)
    expect(await canSignIn('uma@example.org', PASSWORD)).toBe(false)
    await opened.page.getByRole('button', { name: 'Unlock the account' }).click()
    await expect.poll(() => status(opened.page)).toBe('Account unlocked. You can sign in again.')
    expect(await canSignIn('uma@example.org', PASSWORD)).toBe(true)
    expect([...troubles, ...opened.troubles]).toEqual([])
  })

  it('replace a forgotten password', async () => {
    await guidance.person('Finn')
    const surfer = await surf(baseUrl())
    const { page, troubles } = await surfer.open('/users/sign_in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    // The page before has a field for an address as well.
    await page.getByRole('button', { name: 'Send the link' }).waitFor()
    await page.getByLabel('E-mail address').fill('finn@example.org')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Send the link' }).click()
    await expect.poll(() => status(page)).toContain('on its way')
    const path = await linkMailedTo('finn@example.org')
    await scan(path)

    await page.goto(baseUrl() + path)
    await page.getByLabel('New password', { exact: true }).fill(OTHER_PASSWORD)
    await page.getByLabel('Repeat the new password').fill(OTHER_PASSWORD)
    expect(page.url()).toBe(`${baseUrl()}/users/password/edit`)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Change the password' }).click()
    await expect.poll(() => status(page)).toContain('Password changed.')
    expect((await mail.next()).subject).toBe('Your Parapet password was changed')
    await page.locator('main').getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL('**/users/sign_in')
    await fillInSignIn(page, 'finn@example.org', OTHER_PASSWORD)
    await page.waitForURL('**/home')
    expect(troubles).toEqual([])
    expect(await canSignIn('finn@example.org', PASSWORD)).toBe(false)
  })

  it('accept a link from an administrator once', async () => {
    const person = await guidance.person('Gil')
    await guidance.person('Root', { admin: true })
    const admin = await guidance.signIn('root@example.org')
    const created = await admin.call('POST', `/users/${person.id}/generate_reset_link`)
    const path = pathOf(z.object({ reset_url: z.string() }).parse(created.body).reset_url)
    const surfer = await surf(baseUrl())
    const { page, troubles } = await surfer.open(path)
    const late = await surfer.open(path)
    await page.locator('#password').fill('short')
    await page.locator('#password-confirmation').fill('short')
    await page.locator('#password-confirmation').press('Enter')
    const error = page.locator('#password-error')
    await expect.poll(() => error.textContent()).toContain('Password is too short')
    const described = await page.locator('#password').getAttribute('aria-describedby')
    expect(described).toBe('password-error password-policy')
    await page.locator('#password').fill(OTHER_PASSWORD)
    await page.locator('#password-confirmation').fill(OTHER_PASSWORD)
    await page.locator('#password-confirmation').press('Enter')
    await expect.poll(() => status(page)).toContain('Password changed.')
    expect(troubles).toEqual(['422 PUT /users/password'])

    await late.page.locator('#password').fill(PASSWORD)
    await late.page.locator('#password-confirmation').fill(PASSWORD)
    await late.page.locator('#password-confirmation').press('Enter')
    await expect.poll(() => late.page.getByRole('alert').textContent()).toContain('This link was used')
    const after = await surfer.open(path)
    await expect.poll(() => status(after.page)).toContain('This link was used')
    expect(await after.page.getByRole('textbox').count()).toBe(0)
    expect(await after.page.getByRole('link', { name: 'Ask for another' }).isVisible()).toBe(true)
    expect(await accessibilityFaults(after.page)).toEqual([])
    expect(after.troubles).toEqual([])
    expect(await canSignIn('gil@example.org', OTHER_PASSWORD)).toBe(true)
  })

  it('confirm a new address of a signed-in person', async () => {
    await guidance.person('Mia')
    const surfer = await surf(baseUrl())
    const { page, troubles } = await surfer.open('/users/sign_in?return_to=/account')
    await fillInSignIn(page, 'mia@example.org', PASSWORD)
    // The form of the sign-in has a field of the same name.
    await page.locator('#who').waitFor()
    await page.locator('#email').fill('mia@example.net')
    await page.locator('#profile-password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => status(page)).toContain('has to be confirmed first')
    expect(await page.locator('#who').textContent()).toBe('Mia (mia@example.org)')
    const mails = [await mail.next(), await mail.next()]
    const [link = ''] = /http:\S+/.exec(mails.find(({ to }) => to === 'mia@example.net')?.text ?? '') ?? []
    await page.goto(baseUrl() + pathOf(link))
    await page.getByRole('button', { name: 'Confirm the address' }).click()
    await expect.poll(() => status(page)).toContain('Address confirmed.')
    await page.goto(`${baseUrl()}/account`)
    await expect.poll(() => page.locator('#who').textContent()).toBe('Mia (mia@example.net)')
    expect(troubles).toEqual([])
  })

  it('report an incomplete link', async () => {
    const { page } = await (await surf(baseUrl())).open('/users/password/edit')
    await expect.poll(() => status(page)).toContain('This link is not complete.')
    await page.getByRole('link', { name: 'Ask for another' }).waitFor()
  })
})
