import { describe, expect, it } from 'vitest'
import { spendPasskey } from '../../../../src/guidance/identity/second-factor/passkeys.ts'
import { continuing, logIn, statusOf } from '../../../support/accounts.ts'
import { messagesOf, rowOf, rowsOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD } from '../../../support/guidance.ts'
import {
  codeOf,
  enrolCodes,
  giveFactor,
  givePassword,
  personWithCodes,
  signInWithCode,
  SoftPasskey,
  wrongCodeOf,
} from '../../../support/second-factor.ts'

const ORIGIN = 'http://localhost:4711'
const guidance = guidanceService({ SERVICE_BASE_URL: ORIGIN })

/** The sign-in of a session is no longer recent. */
async function age(userId: number): Promise<void> {
  for (const { id, data } of await rowsOf(guidance(), 'sessions', { user_id: userId })) {
    const older = data.replace(/"provenAt":\d+/, '"provenAt":1')
    await setRows(guidance(), 'sessions', { data: older }, { id })
  }
}

/** Replaces what the sessions of a person hold, such as how they began. */
async function setSessions(userId: number, began: Readonly<Record<string, unknown>>): Promise<void> {
  await setRows(guidance(), 'sessions', { data: JSON.stringify({ userId, ...began }) }, { user_id: userId })
}

describe('The first second factor', () => {
  it('ends other sessions and tokens, because an attacker may hold them', async () => {
    const ada = await guidance().signUp('Ada')
    const token = await guidance().token(ada, ['read'])
    const session = await guidance().signIn(ada.email)
    await enrolCodes(session)
    expect(await statusOf(session)).toBe(200)
    expect(await statusOf(ada)).toBe(401)
    expect(await statusOf(token)).toBe(401)
  })

  it('is required in sessions that began with the password alone', async () => {
    const { person, session } = await personWithCodes(guidance(), 'Ben')
    await setSessions(person.id, { provenAt: Date.now() })
    expect(await statusOf(session)).toBe(401)
  })

  it('requires the password if the sign-in is old', async () => {
    const cleo = await guidance().signUp('Cleo')
    await age(cleo.id)
    const begin = (body: unknown) => cleo.call('POST', '/users/second_factors/totp', { body })
    expect(await begin({})).toMatchObject({ status: 422, body: { code: 'incorrect_password' } })
    expect((await begin({ current_password: 'wrong' })).status).toBe(422)
    expect((await begin({ current_password: PASSWORD })).status).toBe(200)
  })

  it('rejects wrong codes and codes of another secret', async () => {
    const session = await guidance().signUp('Dan')
    const confirm = (code: string) =>
      session.call('POST', '/users/second_factors/totp/confirm', { body: { name: 'Phone', code } })
    expect(messagesOf(await confirm('123456'))).toEqual(['Too much time has passed: begin again'])
    const { body } = await session.call('POST', '/users/second_factors/totp', { body: {} })
    const secret = /"secret":"(\w+)"/.exec(JSON.stringify(body))?.[1] ?? ''
    expect(JSON.stringify(body)).toContain(`secret=${secret}&`)
    expect(messagesOf(await confirm(wrongCodeOf(secret)))[0]).toContain('The code is wrong')
    expect((await confirm(codeOf(secret))).status).toBe(200)
    expect((await logIn(guidance().nobody, 'dan@example.org')).status).toBe(401)
    // A code that confirmed the factor cannot be used to sign in.
    const pending = await givePassword(guidance(), 'dan@example.org')
    expect((await giveFactor(pending, { code: codeOf(secret) })).status).toBe(401)
  })
})

describe('Second factors', () => {
  it('change only within five minutes of a sign-in with both steps', async () => {
    const { person, session, id } = await personWithCodes(guidance(), 'Eve')
    await age(person.id)
    const refused = { status: 403, body: { code: 'recent_sign_in_required' } }
    const body = { current_password: PASSWORD }
    for (const path of ['second_factors/totp', 'second_factors/passkey', 'recovery_codes'])
      expect(await session.call('POST', `/users/${path}`, { body })).toMatchObject(refused)
    const gone = await session.call('DELETE', `/users/second_factors/${id}`)
    expect(gone).toMatchObject(refused)
  })

  it('cannot be changed after a sign-in by a provider without a second factor', async () => {
    const { person, session, id } = await personWithCodes(guidance(), 'Eli')
    await setSessions(person.id, { provenAt: Date.now(), byProvider: true })
    expect(await statusOf(session)).toBe(200)
    const gone = await session.call('DELETE', `/users/second_factors/${id}`)
    expect(gone).toMatchObject({ status: 403, body: { code: 'recent_sign_in_required' } })
  })

  it('are listed, renamed and removed by their owner only', async () => {
    const { person, session, id, secret } = await personWithCodes(guidance(), 'Fay')
    const other = await guidance().signUp('Gil')
    const path = `/users/second_factors/${id}`
    const body = { name: 'Old <b>phone</b>' }
    expect((await other.call('PATCH', path, { body })).status).toBe(404)
    expect((await other.call('DELETE', path)).status).toBe(404)
    expect((await session.call('PATCH', path, { body })).status).toBe(200)
    expect((await session.call('GET', '/users/second_factors')).body).toMatchObject({
      second_factors: [{ id, kind: 'totp', name: 'Old <b>phone</b>', last_used_at: null }],
      recovery_codes_left: 10,
    })
    expect((await session.call('DELETE', path)).status).toBe(200)
    expect((await session.call('GET', '/users/second_factors')).body).toMatchObject({
      second_factors: [],
      recovery_codes_left: 0,
    })
    expect((await logIn(guidance().nobody, person.email)).status).toBe(200)
    await expect(signInWithCode(guidance(), person.email, codeOf(secret))).rejects.toThrow('begun')
  })

  it('are limited to ten', async () => {
    const { session } = await personWithCodes(guidance(), 'Hal')
    for (let count = 1; count < 10; count += 1) await enrolCodes(session)
    await expect(enrolCodes(session)).rejects.toThrow()
  })
})

describe('A passkey', () => {
  async function withPasskey(name: string) {
    const person = await guidance().person(name)
    const session = await guidance().signIn(person.email)
    const passkey = new SoftPasskey(ORIGIN)
    const added = await add(session, passkey)
    return { person, session, passkey, added }
  }

  async function add(session: Awaited<ReturnType<ReturnType<typeof guidance>['signIn']>>, passkey: SoftPasskey) {
    const options = await session.call('POST', '/users/second_factors/passkey', { body: {} })
    const credential = passkey.create(options.body)
    return session.call('POST', '/users/second_factors/passkey/confirm', { body: { name: 'Key', credential } })
  }

  async function ask(email: string) {
    const pending = await givePassword(guidance(), email)
    const { body } = await pending.call('POST', '/api/auth/second_factor/passkey')
    return { pending, options: body }
  }

  it('signs in and comes with recovery codes', async () => {
    const { person, added, passkey } = await withPasskey('Ida')
    expect(added).toMatchObject({ status: 200, body: { second_factor: { kind: 'passkey' } } })
    expect(JSON.stringify(added.body)).toMatch(/"recovery_codes":\[(?:"[\w-]{14}",?){10}\]/)
    const { pending, options } = await ask(person.email)
    expect(pending.answer.body).toMatchObject({ methods: ['passkey', 'recovery_code'] })
    expect(options).toMatchObject({ rpId: 'localhost', allowCredentials: [{ id: passkey.id }] })
    const done = await giveFactor(pending, { passkey: passkey.get(options) })
    expect(done.status).toBe(200)
    expect(await statusOf(continuing(guidance(), done))).toBe(200)
  })

  it('is refused for repeated answers, another challenge, or a lower counter', async () => {
    const { person, passkey } = await withPasskey('Jo')
    const first = await ask(person.email)
    const signed = passkey.get(first.options)
    const results = await Promise.all([1, 2, 3].map(() => giveFactor(first.pending, { passkey: signed })))
    expect(results.filter(({ status }) => status === 200)).toHaveLength(1)
    const second = await ask(person.email)
    expect((await giveFactor(second.pending, { passkey: signed })).status).toBe(401)
    // The challenge is spent, whatever was signed.
    const late = passkey.get(second.options)
    expect((await giveFactor(second.pending, { passkey: late })).status).toBe(401)
    const third = await ask(person.email)
    passkey.counter = 0
    const cloned = passkey.get(third.options)
    expect((await giveFactor(third.pending, { passkey: cloned })).status).toBe(401)
    passkey.counter = 40
    const fourth = await ask(person.email)
    expect((await giveFactor(fourth.pending, { passkey: passkey.get(fourth.options) })).status).toBe(200)
  })

  it('is spent once', async () => {
    const { person } = await withPasskey('Ola')
    const factor = await rowOf(guidance(), 'second_factors', { user_id: person.id })
    const spend = (): Promise<boolean> =>
      guidance().service.guidance.database.transact((writer) => spendPasskey(writer, { factor, counter: 7 }))
    expect([await spend(), await spend()]).toEqual([true, false])
  })

  it('is refused from another site and for another account', async () => {
    const kim = await withPasskey('Kim')
    const lea = await withPasskey('Lea')
    const asked = await ask(kim.person.email)
    const foreign = lea.passkey.get(asked.options)
    expect((await giveFactor(asked.pending, { passkey: foreign })).status).toBe(401)
    const again = await ask(kim.person.email)
    const posing = { ...lea.passkey.get(again.options), id: kim.passkey.id, rawId: kim.passkey.id }
    expect((await giveFactor(again.pending, { passkey: posing })).status).toBe(401)
    const session = await guidance().signUp('Max')
    expect((await add(session, new SoftPasskey('http://evil.example'))).status).toBe(422)
    expect(messagesOf(await add(session, kim.passkey))).toEqual(['This passkey belongs to an account already'])
  })

  it('does not sign in after it has been removed', async () => {
    const { person, session, passkey } = await withPasskey('Nia')
    await enrolCodes(session)
    const { pending, options } = await ask(person.email)
    const { body } = await session.call('GET', '/users/second_factors')
    const id = /"id":(\d+),"kind":"passkey"/.exec(JSON.stringify(body))?.[1] ?? ''
    expect((await session.call('DELETE', `/users/second_factors/${id}`)).status).toBe(200)
    expect((await giveFactor(pending, { passkey: passkey.get(options) })).status).toBe(401)
  })
})
