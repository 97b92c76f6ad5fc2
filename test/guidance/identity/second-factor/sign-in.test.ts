import { describe, expect, it } from 'vitest'
import {
  continuing,
  cookieOf,
  logIn,
  NEW_PASSWORD,
  resetPassword,
  secretIn,
  statusOf,
  WRONG_PASSWORD,
} from '../../../support/accounts.ts'
import { dumpDatabase, setRows, rowsOf } from '../../../support/guidance-records.ts'
import { clientOf, guidanceService, PASSWORD, type Answer } from '../../../support/guidance.ts'
import {
  codeOf,
  enrolCodes,
  giveFactor,
  givePassword,
  personWithCodes,
  signInWithCode,
  wrongCodeOf,
} from '../../../support/second-factor.ts'

const guidance = guidanceService({ SERVICE_LOCKOUT_MAXIMUM_ATTEMPTS: '3', SERVICE_BASE_URL: 'http://localhost:4711' })

const WRONG = { status: 401, body: { code: 'second_factor_wrong' } }
const NOT_BEGUN = { status: 401, body: { code: 'sign_in_not_begun' } }

function outcomesOf(answers: readonly Answer[]): readonly number[] {
  return answers.map(({ status }) => status).sort()
}

describe('A sign-in with a second factor', () => {
  it('is incomplete after the password: the session has no rights', async () => {
    const { person, secret } = await personWithCodes(guidance(), 'Ada')
    const before = await statusOf(guidance().nobody)
    const pending = await givePassword(guidance(), person.email)
    expect(pending.answer).toMatchObject({
      status: 401,
      body: { code: 'second_factor_required', methods: ['recovery_code', 'totp'] },
    })
    expect(await statusOf(pending)).toBe(before)
    for (const path of ['/projects', '/users/second_factors', '/personal_access_tokens', '/users/edit'])
      expect((await pending.call('GET', path)).status).toBe(401)
    const { body } = await pending.call('GET', '/api/auth/csrf')
    const token = { 'X-CSRF-Token': String(Object.values(body ?? {})[0]) }
    expect((await pending.call('POST', '/users/second_factors/totp', { headers: token, body: {} })).status).toBe(401)

    const done = await giveFactor(pending, { code: codeOf(secret) })
    expect(done).toMatchObject({ status: 200, body: { id: person.id, provider: null } })
    expect(cookieOf(done)).not.toBe(pending.cookie)
    expect(await statusOf(continuing(guidance(), done))).toBe(200)
    expect(await statusOf(pending)).toBe(401)
  })

  it('does not mention the second factor after a wrong password', async () => {
    const { person } = await personWithCodes(guidance(), 'Ben')
    const wrong = await logIn(guidance().nobody, person.email, WRONG_PASSWORD)
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  })

  it('accepts each code once, no earlier codes, and codes of slightly wrong clocks', async () => {
    const { person, secret } = await personWithCodes(guidance(), 'Cleo')
    const { email } = person
    for (const steps of [-3, 3, -1]) expect(await attempt(email, { code: codeOf(secret, steps) })).toMatchObject(WRONG)
    await setRows(guidance(), 'users', { wrong_codes: 0 }, { email })
    expect((await attempt(email, { code: codeOf(secret) })).status).toBe(200)
    expect(await attempt(email, { code: codeOf(secret) })).toMatchObject(WRONG)
    expect(await attempt(email, { code: codeOf(secret, 0) })).toMatchObject(WRONG)
  })

  it('succeeds for one of many requests with the same code', async () => {
    const { person, secret } = await personWithCodes(guidance(), 'Dan')
    const pending = await givePassword(guidance(), person.email)
    const body = { code: codeOf(secret) }
    const same = await Promise.all(Array.from({ length: 6 }, () => giveFactor(pending, body)))
    expect(outcomesOf(same).slice(0, 2)).toEqual([200, 401])
  })

  it("limits guesses, even at once, until a right factor or an administrator's reset", async () => {
    const { person, secret, recoveryCodes } = await personWithCodes(guidance(), 'Eve')
    const { email } = person
    const pending = await givePassword(guidance(), email)
    const code = wrongCodeOf(secret)
    const guesses = await Promise.all(Array.from({ length: 8 }, () => giveFactor(pending, { code })))
    expect(outcomesOf(guesses)).toEqual([401, 401, 401, 429, 429, 429, 429, 429])
    const late = await attempt(email, { code: codeOf(secret) })
    expect(late).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(800)

    // A new password ends neither the factor nor the wait.
    const admin = await guidance().signUp('Boss', { admin: true })
    await newPassword(admin, person.id)
    expect((await attempt(email, { code: codeOf(secret) }, NEW_PASSWORD)).status).toBe(429)
    const [recovery_code] = recoveryCodes
    expect((await attempt(email, { recovery_code }, NEW_PASSWORD)).status).toBe(200)

    for (let times = 0; times < 3; times += 1) await attempt(email, { code }, NEW_PASSWORD)
    expect((await attempt(email, { code: codeOf(secret) }, NEW_PASSWORD)).status).toBe(429)
    await admin.call('POST', `/users/${person.id}/unlock`)
    expect((await attempt(email, { code: codeOf(secret) }, NEW_PASSWORD)).status).toBe(200)
  })

  it('accepts each recovery code once in any spelling and reports how many remain', async () => {
    const { person, session, recoveryCodes } = await personWithCodes(guidance(), 'Fay')
    expect(recoveryCodes).toHaveLength(10)
    const [first = '', second = ''] = recoveryCodes
    const typed = ` ${first.toUpperCase().replaceAll('-', ' ')}`
    expect((await attempt(person.email, { recovery_code: typed })).status).toBe(200)
    expect(await attempt(person.email, { recovery_code: first })).toMatchObject(WRONG)
    const list = await session.call('GET', '/users/second_factors')
    expect(list.body).toMatchObject({ recovery_codes_left: 9, required: false })
    const pending = await givePassword(guidance(), person.email)
    const answers = await Promise.all([1, 2].map(() => giveFactor(pending, { recovery_code: second })))
    expect(outcomesOf(answers)).toEqual([200, 401])
    const renewed = await session.call('POST', '/users/recovery_codes', { body: {} })
    expect(renewed.status).toBe(200)
    expect(await attempt(person.email, { recovery_code: recoveryCodes[2] })).toMatchObject(WRONG)
  })

  it('rejects codes and recovery codes of other people', async () => {
    const gil = await personWithCodes(guidance(), 'Gil')
    const hal = await personWithCodes(guidance(), 'Hal')
    expect(await attempt(gil.person.email, { code: codeOf(hal.secret) })).toMatchObject(WRONG)
    const [recovery_code] = hal.recoveryCodes
    expect(await attempt(gil.person.email, { recovery_code })).toMatchObject(WRONG)
    const anonymous = await giveFactor(guidance().nobody, { code: codeOf(gil.secret) })
    expect(anonymous).toMatchObject(NOT_BEGUN)
    const signedIn = clientOf(guidance().service, { Cookie: hal.session.cookie })
    expect(await giveFactor(signedIn, { code: codeOf(gil.secret) })).toMatchObject(NOT_BEGUN)
  })

  it.each([
    ['nothing', {}],
    ['two factors', { code: '123456', recovery_code: 'x' }],
    ['a number', { code: 123456 }],
    ['a list', { code: ['123456'] }],
    ['half a passkey', { passkey: { id: 'x' } }],
  ])('refuses %s', async (_what, body) => {
    const known = await guidance()
      .person('Ian')
      .catch(() => null)
    if (known !== null) await enrolCodes(await guidance().signIn(known.email))
    const pending = await givePassword(guidance(), 'ian@example.org')
    expect((await giveFactor(pending, body)).status).toBe(422)
    expect(await statusOf(pending)).toBe(401)
  })

  it('restarts after a new password, a lock, or a timeout', async () => {
    const { person, secret } = await personWithCodes(guidance(), 'Jim')
    const admin = await guidance().signUp('Chief', { admin: true })
    const first = await givePassword(guidance(), person.email)
    await newPassword(admin, person.id)
    expect(await giveFactor(first, { code: codeOf(secret) })).toMatchObject(NOT_BEGUN)
    const second = await givePassword(guidance(), person.email, NEW_PASSWORD)
    await admin.call('POST', `/users/${person.id}/lock`)
    const locked = await giveFactor(second, { code: codeOf(secret) })
    expect(locked).toMatchObject({ status: 401, body: { code: 'account_locked' } })
    await admin.call('POST', `/users/${person.id}/unlock`)
    const third = await givePassword(guidance(), person.email, NEW_PASSWORD)
    for (const { id, data } of await rowsOf(guidance(), 'sessions', { user_id: null })) {
      const older = data.replace(/"at":(\d+)/, (_all, time) => `"at":${Number(time) - 601_000}`)
      await setRows(guidance(), 'sessions', { data: older }, { id })
    }
    expect(await giveFactor(third, { code: codeOf(secret) })).toMatchObject(NOT_BEGUN)
  })

  it('stores nothing in the database that would pass it', async () => {
    const { secret, recoveryCodes } = await personWithCodes(guidance(), 'Kim')
    const dump = await dumpDatabase(guidance())
    for (const kept of [secret, ...recoveryCodes]) expect(dump).not.toContain(kept)
  })
})

describe('A reset of the password', () => {
  it('keeps the second factor', async () => {
    const { person, secret } = await personWithCodes(guidance(), 'Lea')
    const admin = await guidance().signUp('Max', { admin: true })
    await newPassword(admin, person.id)
    const plain = await logIn(guidance().nobody, person.email, NEW_PASSWORD)
    expect(plain).toMatchObject({ status: 401, body: { code: 'second_factor_required' } })
    expect((await attempt(person.email, { code: codeOf(secret) }, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('The session of a sign-in in two steps', () => {
  it('works like any other session', async () => {
    const { person, secret } = await personWithCodes(guidance(), 'Nia')
    const session = await signInWithCode(guidance(), person.email, codeOf(secret))
    expect(await session.call('GET', '/users/sessions')).toMatchObject({ status: 200 })
    expect((await session.call('DELETE', '/api/auth/logout')).status).toBe(200)
    expect(await statusOf(session)).toBe(401)
  })
})

async function attempt(email: string, body: unknown, password = PASSWORD): Promise<Answer> {
  return giveFactor(await givePassword(guidance(), email, password), body)
}

async function newPassword(
  admin: Awaited<ReturnType<ReturnType<typeof guidance>['signIn']>>,
  id: number,
): Promise<void> {
  const { body } = await admin.call('POST', `/users/${id}/generate_reset_link`, { body: {} })
  const link = /"reset_url":"([^"]+)"/.exec(JSON.stringify(body))?.[1] ?? ''
  const { status } = await resetPassword(guidance().nobody, secretIn(link))
  expect(status).toBe(200)
}
