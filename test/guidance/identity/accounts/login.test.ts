import { describe, expect, it } from 'vitest'
import { accountOf, cookieOf, logIn, WRONG_PASSWORD } from '../../../support/accounts.ts'
import { guidanceService, PASSWORD } from '../../../support/guidance.ts'

const guidance = guidanceService()

const WRONG = {
  type: '/docs/api/errors#invalid_credentials',
  code: 'invalid_credentials',
  title: 'Invalid credentials',
  status: 401,
  detail: 'The email or password is incorrect.',
  error: 'The email or password is incorrect.',
}

describe('A sign-in with a local password', () => {
  it('returns the user with a session cookie and a CSRF token, and records the time', async () => {
    const ada = await guidance().person('Ada', { admin: true })
    const { status, headers, body } = await logIn(guidance().nobody, ada.email)
    expect(status).toBe(200)
    expect(body).toEqual({ id: ada.id, name: 'Ada', email: 'ada@example.org', admin: true, provider: null })
    expect(headers['set-cookie']).toHaveLength(1)
    expect(headers['x-csrf-token']).toMatch(/^[\w-]{43}$/)
    expect(headers['cache-control']).toBe('no-store')
    const { last_sign_in_at } = await accountOf(guidance(), ada)
    expect(Date.now() - Date.parse(String(last_sign_in_at))).toBeLessThan(60_000)
  })

  it.each(['BEN@EXAMPLE.ORG', 'Ben@Example.org', '  ben@example.org '])('finds the account by %j', async (email) => {
    const { nobody } = guidance()
    const known = await guidance()
      .person('Ben')
      .catch(() => null)
    expect(await logIn(nobody, email)).toMatchObject({
      status: 200,
      body: { email: 'ben@example.org', ...(known !== null && { id: known.id }) },
    })
  })

  it('treats a wrong password like an unknown address and sets no cookie', async () => {
    const cleo = await guidance().person('Cleo')
    const wrong = await logIn(guidance().nobody, cleo.email, WRONG_PASSWORD)
    const unknown = await logIn(guidance().nobody, 'nobody@example.org', WRONG_PASSWORD)
    expect(wrong).toMatchObject({ status: 401, body: WRONG })
    expect(wrong.body).toEqual(unknown.body)
    expect(Object.keys(wrong.headers).sort()).toEqual(Object.keys(unknown.headers).sort())
    expect(wrong.headers).not.toHaveProperty('set-cookie')
  })

  it.each([
    ['an empty body', ''],
    ['no values', {}],
    ['no password', { email: 'dora@example.org' }],
    ['no address', { password: PASSWORD }],
    ['null', { email: null, password: null }],
    ['a number', { email: 1, password: 2 }],
    ['a list', { email: ['dora@example.org'], password: [PASSWORD] }],
    ['an object', { email: { $ne: '' }, password: { $ne: '' } }],
    ['blanks', { email: ' ', password: ' ' }],
    ['an address with NUL', { email: 'dora@example.org\0', password: PASSWORD }],
    ['half a character', { email: 'dora\ud800@example.org', password: '\ud800' }],
    ['a password with NUL', { email: 'dora@example.org', password: `${PASSWORD}\0` }],
    ['a password cut by NUL', { email: 'dora2@example.org', password: `\0${PASSWORD}` }],
    ['wild cards', { email: '%@example.org', password: PASSWORD }],
    ['SQL', { email: "' or 1=1 --", password: "' or 1=1 --" }],
    ['a very long password', { email: 'dora3@example.org', password: 'x'.repeat(500_000) }],
    ['a very long address', { email: `${'x'.repeat(500_000)}@example.org`, password: PASSWORD }],
  ])('treats %s as wrong credentials', async (_what, body) => {
    await guidance()
      .person('Dora')
      .catch(() => null)
    const answer = await guidance().nobody.call('POST', '/api/auth/login', { body })
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect(cookieOf(answer)).toBe('')
  })
})

describe('A password that changes while it is checked', () => {
  it('invalidates a sign-in with the old one', async () => {
    const { nobody, service } = guidance()
    const finn = await guidance().person('Finn')
    const { database } = service.guidance
    // Holds the account until the sign-in has checked the password and waits for the account.
    let entering = Promise.resolve({ status: 0 })
    await database.transact(async (writer) => {
      await writer.lock('user', finn.id)
      entering = logIn(nobody, finn.email)
      await new Promise((resolve) => setTimeout(resolve, 300))
      const other = await accountOf(guidance(), finn)
      await writer
        .updateTable('users')
        .set({ password_hash: `${String(other.password_hash)} ` })
        .where('id', '=', finn.id)
        .execute()
    })
    expect((await entering).status).toBe(401)
  })
})

describe('Disabled local login', () => {
  const off = guidanceService({ SERVICE_LOCAL_LOGIN_ENABLED: 'false' })

  it('rejects every password, right or wrong', async () => {
    const gil = await off().person('Gil')
    for (const password of [PASSWORD, WRONG_PASSWORD])
      expect(await logIn(off().nobody, gil.email, password)).toMatchObject({
        status: 403,
        body: { code: 'local_login_disabled' },
      })
    expect((await accountOf(off(), gil)).failed_attempts).toBe(0)
  })

  it('rejects registrations', async () => {
    const user = { name: 'Hal', email: 'hal@example.org', password: PASSWORD }
    const answer = await off().nobody.call('POST', '/users', { body: { user } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'local_login_disabled' } })
  })
})
