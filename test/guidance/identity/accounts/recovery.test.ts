import { afterAll, describe, expect, it } from 'vitest'
import {
  accountOf,
  linkIn,
  logIn,
  NEW_PASSWORD,
  resetPassword,
  secretIn,
  statusOf,
  useSecret,
  WRONG_PASSWORD,
} from '../../../support/accounts.ts'
import { ago, entriesOf, makeToken, messagesOf, rowsOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, type Person } from '../../../support/guidance.ts'
import { startMailServer } from '../../../support/mail-server.ts'

const mail = await startMailServer()
afterAll(() => mail.close())
const guidance = guidanceService({ SERVICE_SMTP_URL: mail.url })

describe('A request for a reset link', () => {
  it('returns the same answer for unknown addresses and sends mail only to accounts', async () => {
    const ada = await guidance().person('Ada')
    const unknown = await askForReset('no-ada@example.org')
    const known = await askForReset('ADA@example.org')
    expect(known.status).toBe(200)
    expect(known.body).toEqual(unknown.body)
    const message = await mail.next()
    expect(message.recipients).toEqual([ada.email])
    expect(linkIn(message).href).toMatch(
      /^http:\/\/localhost:0\/users\/password\/edit\?reset_password_token=[\w-]{43}$/,
    )
    expect(message.text).toContain('for 6 hours')
  })

  it('requires an address', async () => {
    for (const email of ['', null, 'nonsense', 'a@b\0c']) expect((await askForReset(email)).status).toBe(422)
    expect(messagesOf(await askForReset('  '))).toContain("Email can't be blank")
  })
})

describe('A reset link', () => {
  it('sets a password once, ends every session and sends a notice', async () => {
    const ben = await guidance().person('Ben')
    const sessions = [await guidance().signIn(ben.email), await guidance().signIn(ben.email)]
    const secret = await resetSecret(ben)
    expect(await isValid(secret)).toBe(true)
    expect(await resetPassword(guidance().nobody, secret)).toMatchObject({
      status: 200,
      body: { toast: { title: 'Password changed.', variant: 'success' } },
    })
    const notice = await mail.next()
    expect(notice).toMatchObject({ recipients: [ben.email] })
    expect(notice.subject).toContain('password was changed')
    for (const session of sessions) expect(await statusOf(session)).toBe(401)
    expect((await logIn(guidance().nobody, ben.email, PASSWORD)).status).toBe(401)
    expect((await logIn(guidance().nobody, ben.email, NEW_PASSWORD)).status).toBe(200)
    expect(await isValid(secret)).toBe(false)
    expect(await resetPassword(guidance().nobody, secret, PASSWORD)).toMatchObject({
      status: 422,
      body: { code: 'link_invalid' },
    })
  })

  it('succeeds for one of two simultaneous uses', async () => {
    const secret = await resetSecret(await guidance().person('Cleo'))
    const answers = await Promise.all(
      [PASSWORD, NEW_PASSWORD].map((password) => resetPassword(guidance().nobody, secret, password)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    await mail.next()
  })

  it('stays valid when the policy refuses the password', async () => {
    const dora = await guidance().person('Dora')
    const secret = await resetSecret(dora)
    expect((await resetPassword(guidance().nobody, secret, 'weak')).status).toBe(422)
    expect((await logIn(guidance().nobody, dora.email)).status).toBe(200)
    expect((await resetPassword(guidance().nobody, secret)).status).toBe(200)
    await mail.next()
  })

  it('is invalidated by a newer link, a changed password and after six hours', async () => {
    const emil = await guidance().person('Emil')
    const first = await resetSecret(emil)
    const second = await resetSecret(emil)
    expect([await isValid(first), await isValid(second)]).toEqual([false, true])
    const session = await guidance().signIn(emil.email)
    const user = { password: NEW_PASSWORD, current_password: PASSWORD }
    expect((await session.call('PUT', '/users', { body: { user } })).status).toBe(200)
    await mail.next()
    expect(await isValid(second)).toBe(false)
    const third = await resetSecret(emil)
    await setRows(guidance(), 'one_time_links', { expires_at: ago(1) })
    expect(await isValid(third)).toBe(false)
    expect((await resetPassword(guidance().nobody, third)).status).toBe(422)
  })

  it.each([null, 7, '', 'x'.repeat(43), '\0', "' or ''='", { a: 1 }])('is refused as %j', async (secret) => {
    const answer = await resetPassword(guidance().nobody, secret)
    expect(answer.status).toBe(422)
  })

  it('cannot be checked without its secret', async () => {
    expect(await guidance().nobody.call('GET', '/users/password/edit')).toMatchObject({
      status: 400,
      body: { parameter: 'reset_password_token' },
    })
  })

  it('confirms the address and removes access of the person who registered it before', async () => {
    const fred = await guidance().signUp('Fred')
    const token = await makeToken(guidance(), fred)
    await setRows(guidance(), 'users', { confirmed_at: null }, { id: fred.id })
    expect((await resetPassword(guidance().nobody, await resetSecret(fred))).status).toBe(200)
    await mail.next()
    expect([await statusOf(fred), await statusOf(token.client)]).toEqual([401, 401])
    expect((await logIn(guidance().nobody, fred.email, NEW_PASSWORD)).status).toBe(200)
    expect((await accountOf(guidance(), fred)).confirmed_at).not.toBeNull()
  })

  it('revokes tokens and a pending change of address, and reports this', async () => {
    const gus = await guidance().signUp('Gus')
    const token = await makeToken(guidance(), gus)
    const user = { email: 'thief@example.org', current_password: PASSWORD }
    expect((await gus.call('PUT', '/users', { body: { user } })).status).toBe(200)
    const confirmation = secretIn(linkIn(await mail.next()))
    const entries = await entriesOf(guidance(), async () => resetPassword(guidance().nobody, await resetSecret(gus)))
    expect((await mail.next()).text).toContain('1 personal access token of yours was revoked')
    expect(await statusOf(token.client)).toBe(401)
    expect(entries.map(({ auditable_type }) => auditable_type)).toEqual(['User', 'PersonalAccessToken'])
    const used = await useSecret(guidance().nobody, 'confirmation', confirmation)
    expect(used).toMatchObject({ status: 422, body: { code: 'link_invalid' } })
    expect(await accountOf(guidance(), gus)).toMatchObject({ email: gus.email, unconfirmed_email: null })
  })
})

describe('An unlock link', () => {
  it('removes the lock once', async () => {
    const hal = await locked('Hal')
    const known = await askForUnlock(hal.email)
    expect((await askForUnlock('no-hal@example.org')).body).toEqual(known.body)
    const message = await mail.next()
    expect(message.recipients).toEqual([hal.email])
    const secret = secretIn(linkIn(message))
    expect((await useSecret(guidance().nobody, 'confirmation', secret)).status).toBe(422)
    expect(await useSecret(guidance().nobody, 'unlock', secret)).toMatchObject({
      status: 200,
      body: { toast: { title: 'Account unlocked.' } },
    })
    expect(await accountOf(guidance(), hal)).toMatchObject({ locked_at: null, failed_attempts: 0 })
    expect((await logIn(guidance().nobody, hal.email)).status).toBe(200)
    expect((await useSecret(guidance().nobody, 'unlock', secret)).status).toBe(422)
  })

  it('is sent only to accounts that wrong passwords have locked', async () => {
    const ida = await guidance().person('Ida')
    const jo = await locked('Jo')
    await byAdministrator(jo)
    await askForUnlock(ida.email)
    await askForUnlock(jo.email)
    const kim = await locked('Kim')
    await askForUnlock(kim.email)
    expect((await mail.next()).recipients).toEqual([kim.email])
  })

  it('does not remove a lock set by an administrator', async () => {
    const lea = await locked('Lea')
    await askForUnlock(lea.email)
    const secret = secretIn(linkIn(await mail.next()))
    await byAdministrator(lea)
    await useSecret(guidance().nobody, 'unlock', secret)
    expect(await logIn(guidance().nobody, lea.email)).toMatchObject({ status: 401, body: { code: 'account_locked' } })
  })
})

describe('Locks that end by time only', () => {
  const timed = guidanceService({ SERVICE_SMTP_URL: mail.url, SERVICE_LOCKOUT_UNLOCK_STRATEGY: 'time' })

  it('send and promise no unlock link', async () => {
    const max = await timed().person('Max')
    for (let attempt = 0; attempt < 3; attempt += 1) await logIn(timed().nobody, max.email, WRONG_PASSWORD)
    const body = { user: { email: max.email } }
    expect(await timed().nobody.call('POST', '/users/unlock', { body })).toMatchObject({
      status: 200,
      body: { toast: { title: 'No mail is sent.' } },
    })
    await timed().nobody.call('POST', '/users/password', { body })
    expect((await mail.next()).subject).toContain('Reset')
  })
})

describe('Without mail, a request for a link', () => {
  const mailless = guidanceService()

  it('promises nothing for known and unknown addresses and has no effect', async () => {
    const ned = await mailless().person('Ned')
    for (const path of ['/users/password', '/users/unlock', '/users/confirmation']) {
      const ask = (email: string) => mailless().nobody.call('POST', path, { body: { user: { email } } })
      const answer = await ask(ned.email)
      expect(answer).toMatchObject({ status: 422, body: { code: 'mail_not_configured' } })
      expect(await ask('no-ned@example.org')).toMatchObject({ body: answer.body })
    }
    const links = await rowsOf(mailless(), 'one_time_links')
    expect(links.filter(({ purpose }) => purpose !== 'setup')).toEqual([])
  })
})

function askForReset(email: unknown) {
  return guidance().nobody.call('POST', '/users/password', { body: { user: { email } } })
}

function askForUnlock(email: string) {
  return guidance().nobody.call('POST', '/users/unlock', { body: { user: { email } } })
}

async function resetSecret({ email }: Person): Promise<string> {
  await askForReset(email)
  const message = await mail.next()
  expect(message.recipients).toEqual([email])
  return secretIn(linkIn(message))
}

async function isValid(secret: string): Promise<unknown> {
  const path = `/users/password/edit?reset_password_token=${encodeURIComponent(secret)}`
  const { body } = await guidance().nobody.call('GET', path)
  return typeof body === 'object' && body !== null && 'valid' in body && body.valid
}

async function locked(name: string): Promise<Person> {
  const person = await guidance().person(name)
  for (let attempt = 0; attempt < 3; attempt += 1) await logIn(guidance().nobody, person.email, WRONG_PASSWORD)
  return person
}

function byAdministrator({ id }: Person): Promise<unknown> {
  return setRows(guidance(), 'users', { locked_by: 'administrator' }, { id })
}
