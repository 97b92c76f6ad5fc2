import { afterAll, describe, expect, it } from 'vitest'
import {
  accountOf,
  linkIn,
  logIn,
  NEW_PASSWORD,
  resetPassword,
  secretIn,
  useSecret,
  WRONG_PASSWORD,
} from '../../../support/accounts.ts'
import { ago, messagesOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, type GuidanceUnderTest } from '../../../support/guidance.ts'
import { startMailServer } from '../../../support/mail-server.ts'

describe('A registration without mail', () => {
  const guidance = guidanceService()

  it('creates an account that works immediately and is not an administrator', async () => {
    const { status, body } = await register(guidance(), 'Ada', { admin: true })
    expect(status).toBe(200)
    expect(body).toMatchObject({ toast: { title: 'Account created.', variant: 'success' } })
    expect(await logIn(guidance().nobody, 'ada@example.org')).toMatchObject({
      status: 200,
      body: { name: 'Ada', email: 'ada@example.org', admin: false, provider: null },
    })
  })

  it('stores the address in lower case and trims the name', async () => {
    await register(guidance(), ' Ben ', { email: ' BEN@Example.ORG ' })
    expect(await logIn(guidance().nobody, 'ben@example.org')).toMatchObject({
      body: { name: 'Ben', email: 'ben@example.org' },
    })
  })

  it('is refused for an address in use, in any letter case', async () => {
    const cleo = await guidance().person('Cleo')
    const answer = await register(guidance(), 'Impostor', { email: 'CLEO@example.org' })
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(messagesOf(answer)).toEqual(['Email has already been taken'])
    expect((await accountOf(guidance(), cleo)).name).toBe('Cleo')
  })

  it('is refused with all reasons at once', async () => {
    const answer = await register(guidance(), '', { email: 'nonsense' })
    expect(messagesOf(answer)).toEqual(["Name can't be blank", 'Email is invalid'])
  })

  it('of the same address at once creates one account', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => register(guidance(), 'Dora')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  })

  it('is refused when it is disabled', async () => {
    expect(await register(off(), 'Emil')).toMatchObject({
      status: 403,
      body: { code: 'registration_disabled', detail: 'Ask an administrator for an account.' },
    })
  })
  const off = guidanceService({ SERVICE_USER_REGISTRATION_ENABLED: 'false' })
})

describe('A registration with mail', async () => {
  const mail = await startMailServer()
  afterAll(() => mail.close())
  const guidance = guidanceService({ SERVICE_SMTP_URL: mail.url, SERVICE_BASE_URL: 'http://parapet.example:8080/' })

  it('requires the link of the mail before the account can sign in', async () => {
    const answer = await register(guidance(), 'Fred')
    expect(answer.body).toMatchObject({ toast: { title: 'Almost done.' } })
    const message = await mail.next()
    expect(message.recipients).toEqual(['fred@example.org'])
    const link = linkIn(message)
    expect(link.href).toMatch(/^http:\/\/parapet\.example:8080\/users\/confirmation\?confirmation_token=[\w-]{43}$/)
    expect(await logIn(guidance().nobody, 'fred@example.org')).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    })
    expect((await useSecret(guidance().nobody, 'confirmation', secretIn(link))).status).toBe(200)
    expect((await logIn(guidance().nobody, 'fred@example.org')).status).toBe(200)
  })

  it('returns the same answer for an address in use and notifies its owner by mail', async () => {
    const gus = await guidance().person('Gus')
    const taken = await register(guidance(), 'Impostor', { email: gus.email })
    const notice = await mail.next()
    const free = await register(guidance(), 'Hal')
    await mail.next()
    expect(taken.status).toBe(200)
    expect(taken.body).toEqual(free.body)
    expect(notice.recipients).toEqual([gus.email])
    expect(notice.text).toContain('Hello Gus')
    expect(notice.text).toContain('http://parapet.example:8080/users/password/new')
    expect((await logIn(guidance().nobody, gus.email)).status).toBe(200)
  })

  it('does not reveal by later sign-ins that the address was in use', async () => {
    const ida = await guidance().person('Ida')
    const sequences: string[][] = []
    for (const email of [ida.email, 'not-ida@example.org']) {
      await register(guidance(), 'Curious', { email, password: NEW_PASSWORD })
      await mail.next()
      const codes: string[] = []
      for (let attempt = 0; attempt < 4; attempt += 1)
        codes.push(JSON.stringify((await logIn(guidance().nobody, email, NEW_PASSWORD)).body))
      sequences.push(codes)
    }
    expect(sequences[1]).toEqual(sequences[0])
  })

  it('unlocks an account that was locked before its confirmation', async () => {
    await register(guidance(), 'Jo')
    const secret = secretIn(linkIn(await mail.next()))
    for (let attempt = 0; attempt < 3; attempt += 1) await logIn(guidance().nobody, 'jo@example.org')
    await useSecret(guidance().nobody, 'confirmation', secret)
    expect((await logIn(guidance().nobody, 'jo@example.org')).status).toBe(200)
  })

  it('leaves a lock of an administrator at its confirmation', async () => {
    await register(guidance(), 'Lou')
    const secret = secretIn(linkIn(await mail.next()))
    const lock = { locked_by: 'administrator', locked_at: new Date().toISOString() } as const
    await setRows(guidance(), 'users', lock, { email: 'lou@example.org' })
    await useSecret(guidance().nobody, 'confirmation', secret)
    expect(await logIn(guidance().nobody, 'lou@example.org')).toMatchObject({ body: { code: 'account_locked' } })
  })

  it('accepts its link once, even for simultaneous requests', async () => {
    await register(guidance(), 'Kim')
    const secret = secretIn(linkIn(await mail.next()))
    const answers = await Promise.all([1, 2].map(() => useSecret(guidance().nobody, 'confirmation', secret)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await useSecret(guidance().nobody, 'confirmation', secret)).toMatchObject({
      status: 422,
      body: { code: 'link_invalid' },
    })
  })

  it('rejects links that have expired, are wrong, or have another purpose', async () => {
    await register(guidance(), 'Lea')
    const secret = secretIn(linkIn(await mail.next()))
    for (const wrong of ['', 'x'.repeat(43), `${secret}x`, secret.toLowerCase(), '\0'])
      expect((await useSecret(guidance().nobody, 'confirmation', wrong)).status).toBe(422)
    for (const odd of [null, 1, [secret], 'x'.repeat(201)])
      expect((await useSecret(guidance().nobody, 'confirmation', odd)).status).toBe(422)
    expect((await useSecret(guidance().nobody, 'unlock', secret)).status).toBe(422)
    expect((await resetPassword(guidance().nobody, secret)).status).toBe(422)
    await setRows(guidance(), 'one_time_links', { expires_at: ago(1) })
    expect(await useSecret(guidance().nobody, 'confirmation', secret)).toMatchObject({
      status: 422,
      body: { code: 'link_invalid' },
    })
    expect((await logIn(guidance().nobody, 'lea@example.org')).status).toBe(401)
  })

  it('sends the link again, which replaces the first', async () => {
    await register(guidance(), 'Max')
    const first = secretIn(linkIn(await mail.next()))
    await askAgain(guidance(), 'MAX@example.org')
    const second = secretIn(linkIn(await mail.next()))
    expect((await useSecret(guidance().nobody, 'confirmation', first)).status).toBe(422)
    expect((await useSecret(guidance().nobody, 'confirmation', second)).status).toBe(200)
  })

  it('resends nothing to confirmed or unknown addresses and returns the same answer', async () => {
    const ned = await guidance().person('Ned')
    const known = await askAgain(guidance(), ned.email)
    const unknown = await askAgain(guidance(), 'no-ned@example.org')
    expect(known.body).toEqual(unknown.body)
    // A mail that is expected comes next, so that none came before.
    await register(guidance(), 'Olga')
    expect((await mail.next()).recipients).toEqual(['olga@example.org'])
  })

  it('remains unconfirmed after a wrong password', async () => {
    await register(guidance(), 'Pia')
    await mail.next()
    expect((await logIn(guidance().nobody, 'pia@example.org', WRONG_PASSWORD)).status).toBe(401)
  })
})

function register({ nobody }: GuidanceUnderTest, name: string, members: Readonly<Record<string, unknown>> = {}) {
  const email = `${name.toLowerCase()}@example.org`
  const user = { name, email, password: PASSWORD, password_confirmation: PASSWORD, ...members }
  const again = typeof user.password === 'string' ? { password_confirmation: user.password } : {}
  return nobody.call('POST', '/users', { body: { user: { ...user, ...again } } })
}

function askAgain({ nobody }: GuidanceUnderTest, email: string) {
  return nobody.call('POST', '/users/confirmation', { body: { user: { email } } })
}
