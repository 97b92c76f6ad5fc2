// @module-tag long

import { connect, createServer, type AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import decodeQR from 'qr/decode.js'
import { afterAll, describe, expect, it } from 'vitest'
import { browserFound, chromiumBrowser, fillInSignIn, type Visit } from '../support/browser.ts'
import { guidanceService, PASSWORD, type GuidanceUnderTest } from '../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../support/page-check.ts'
import { codeOf, wrongCodeOf } from '../support/second-factor.ts'

const PATH = '/account/second-factor'
const AUTHENTICATOR = {
  protocol: 'ctap2' as const,
  transport: 'internal' as const,
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
}

/** Passkeys need a host name, and the settings its port: connections to it go on to the service. */
let service: (() => GuidanceUnderTest) | null = null
const door = createServer((incoming) => {
  const { port } = new URL(service?.().service.baseUrl ?? '')
  const outgoing = connect(Number(port), '127.0.0.1')
  incoming.on('error', () => outgoing.destroy()).on('close', () => outgoing.destroy())
  outgoing.on('error', () => incoming.destroy()).on('close', () => incoming.destroy())
  incoming.pipe(outgoing).pipe(incoming)
})
await new Promise<void>((resolve) => door.listen(0, resolve))
const address: AddressInfo | string | null = door.address()
const port = typeof address === 'object' && address !== null ? address.port : 0
const ORIGIN = `http://localhost:${port}`
afterAll(() => door.close())

const surf = chromiumBrowser()
const guidance = guidanceService({ SERVICE_BASE_URL: ORIGIN })
service = guidance
const strict = guidanceService({ SERVICE_SECOND_FACTOR_REQUIRED: 'everybody' })

function status(page: Page): Promise<string | null> {
  return page.locator('#status').textContent()
}

async function signIn({ page }: Visit, email: string): Promise<void> {
  await page.goto(`${ORIGIN}/users/sign_in?return_to=${PATH}`)
  await fillInSignIn(page, email, PASSWORD)
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${ORIGIN}/account`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/users/sign_in')
}

/** Reads the QR code as a camera would; its modules are one unit each. */
async function scanned(page: Page): Promise<string> {
  const picture = page.getByRole('img', { name: 'The secret' })
  const size = Number((await picture.getAttribute('viewBox'))?.split(' ')[2])
  const path = (await picture.locator('path').getAttribute('d')) ?? ''
  const scale = 4
  const width = size * scale
  const data = new Uint8Array(width * width * 4).fill(255)
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)/g))
    for (let index = 0; index < scale * scale; index += 1) {
      const column = Number(x) * scale + (index % scale)
      const row = Number(y) * scale + Math.floor(index / scale)
      data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
    }
  return decodeQR({ width, height: width, data })
}

describe.runIf(browserFound)('The page of the second factor', () => {
  it('sets up a passkey and one-time codes, with which people sign in', async () => {
    const { email } = await guidance().person('Ada')
    const visit = await (await surf(ORIGIN)).open('/users/sign_in')
    const { page, troubles } = visit
    const tools = await page.context().newCDPSession(page)
    await tools.send('WebAuthn.enable')
    await tools.send('WebAuthn.addVirtualAuthenticator', { options: AUTHENTICATOR })
    await signIn(visit, email)
    await page.locator('#passkey-name').waitFor()
    await expectSound(visit)

    await page.locator('#passkey-name').fill('Laptop <b>')
    await page.locator('#passkey-name').press('Enter')
    await page.locator('#new-codes').waitFor()
    expect(await status(page)).toContain('Second factor added.')
    expect(await page.locator('#new-codes li').count()).toBe(10)
    expect(await page.locator('#factor-list').textContent()).toContain('Laptop <b> – Passkey')
    await expectNoTroubles(visit)
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as a file' }).click()
    expect((await saving).suggestedFilename()).toBe('recovery-codes.txt')
    const [recoveryCode = ''] = await page.locator('#new-codes li').allTextContents()
    await page.getByRole('button', { name: 'I have saved them' }).click()

    await page.getByRole('button', { name: 'Set up one-time codes' }).click()
    await page.locator('#secret').waitFor()
    const secret = (await page.locator('#secret').textContent())?.replaceAll(' ', '') ?? ''
    expect(await scanned(page)).toContain(`secret=${secret}&`)
    await expectSound(visit)
    await page.locator('#codes-name').fill('Phone')
    await page.locator('#new-code').fill(wrongCodeOf(secret))
    await page.locator('#new-code').press('Enter')
    await expect.poll(() => page.locator('#new-code-error').textContent()).toContain('wrong')
    await page.locator('#new-code').fill(codeOf(secret, 0))
    await page.locator('#new-code').press('Enter')
    await page.getByRole('button', { name: 'Rename Phone' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Old phone')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Old phone' }).waitFor()
    expect(troubles.splice(0)).toEqual(['422 POST /users/second_factors/totp/confirm'])

    await signOut(page)
    await signIn(visit, email)
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
    expect(await status(page)).toBe('The password is right. Now show your second factor.')
    expect(troubles.splice(0)).toEqual(['401 POST /api/auth/login'])
    await expectNoTroubles(visit)
    await page.getByRole('button', { name: 'Use a passkey' }).press('Enter')
    await page.waitForURL(`${ORIGIN}${PATH}`)
    await expect.poll(() => page.locator('#factor-list').textContent()).toContain('last used')

    await signOut(page)
    await signIn(visit, email)
    await page.locator('#code').fill(wrongCodeOf(secret))
    await page.locator('#code').press('Enter')
    await expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toContainEqual('The second factor is wrong, or was used before.')
    await page.locator('#code').fill(codeOf(secret))
    await page.locator('#code').press('Enter')
    await page.waitForURL(`${ORIGIN}${PATH}`)

    await signOut(page)
    await signIn(visit, email)
    await page.getByText('Use a recovery code').click()
    await page.locator('#recovery-code').fill(recoveryCode)
    await page.locator('#recovery-code').press('Enter')
    await page.waitForURL(`${ORIGIN}${PATH}`)
    await expect.poll(() => page.locator('#codes-left').textContent()).toBe('9 codes are left.')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.getByRole('button', { name: 'Remove Old phone' }).click()
    await expect.poll(() => status(page)).toContain('Second factor removed.')
    page.removeAllListeners('dialog')
    await tools.send('WebAuthn.disable')
    await tools.detach()
  })

  it('is forced on people who must have one; without a host name there are no passkeys', async () => {
    const { email } = await strict().person('Ben')
    const visit = await (await surf(strict().service.baseUrl)).open('/users/sign_in?return_to=/home')
    const { page } = visit
    const isLed = (url: URL): boolean => url.pathname === PATH
    await fillInSignIn(page, email, PASSWORD)
    await page.waitForURL(isLed)
    await page.locator('#required').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Signed out successfully.').waitFor()
    await page.goto(new URL('/users/sign_in?return_to=/home', page.url()).href)
    await fillInSignIn(page, email, PASSWORD)
    await page.waitForURL(isLed)
    await page.getByRole('button', { name: 'Set up one-time codes' }).click()
    const secret = (await page.locator('#secret').textContent())?.replaceAll(' ', '') ?? ''
    await page.locator('#codes-name').fill('Phone')
    await page.locator('#new-code').fill(codeOf(secret, 0))
    await page.locator('#new-code').press('Enter')
    await page.getByRole('link', { name: 'Go on' }).click()
    await page.getByRole('heading', { name: 'My work', level: 1 }).waitFor()
    expect(visit.troubles.every((trouble) => trouble.startsWith('403 GET'))).toBe(true)
  })
})
