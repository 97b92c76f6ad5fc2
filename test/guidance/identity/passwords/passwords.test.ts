// @module-tag node

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  checkNewPassword,
  hashPassword,
  isPassword,
  passwordFaults,
} from '../../../../src/guidance/identity/passwords/passwords.ts'
import { logIn, secretIn } from '../../../support/accounts.ts'
import { messagesOf } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, type Client } from '../../../support/guidance.ts'
import { refusalOf } from '../../../support/refusal.ts'

const POLICY = { minLength: 15, minUppercase: 2, minLowercase: 2, minNumber: 2, minSpecial: 2 }
const GOOD = 'Aa1!Aa1!aaaaaaa'

const SHORT = 'Password is too short (minimum is 15 characters)'
const LONG = 'Password is too long (maximum is 128 characters)'
const UPPER = 'Password needs at least 2 upper-case letters'
const LOWER = 'Password needs at least 2 lower-case letters'
const DIGITS = 'Password needs at least 2 digits'
const SPECIAL = 'Password needs at least 2 special characters'
const UNUSABLE = 'Password has characters that cannot be used'

describe('A new password', () => {
  it.each([
    ['with just enough of everything', GOOD, []],
    ['that is one too short', GOOD.slice(0, -1), [SHORT]],
    ['with one upper-case letter', 'Aa1!aa1!aaaaaaa', [UPPER]],
    ['with one lower-case letter', 'AA1!Aa1!AAAAAAA', [LOWER]],
    ['with one digit', 'Aa1!Aa!!aaaaaaa', [DIGITS]],
    ['with one special character', 'Aa1!Aa11aaaaaaa', [SPECIAL]],
    ['of blanks', ' '.repeat(15), [UPPER, LOWER, DIGITS, SPECIAL]],
    ['of nothing', '', [SHORT, UPPER, LOWER, DIGITS, SPECIAL]],
    ['of 128 characters', GOOD.padEnd(128, 'a'), []],
    ['of 129 characters', GOOD.padEnd(129, 'a'), [LONG]],
    ['of 128 characters of two halves each', `${GOOD}${'🔑'.repeat(113)}`, []],
    ['of 129 characters of two halves each', `${GOOD}${'🔑'.repeat(114)}`, [LONG]],
    ['of 14 characters of two halves each', 'ÄÖäö12!!🔑🔑🔑🔑🔑🔑', [SHORT]],
    ['in other scripts', 'ЖЯжя٣٤––пароль-ещё', []],
    ['with NUL', `${GOOD}\0`, [UNUSABLE]],
    ['with half a character', `${GOOD}\ud83d`, [UNUSABLE]],
  ])('%s has the stated shortcomings', (_what, password, faults) => {
    expect(passwordFaults(password, POLICY)).toEqual(faults)
  })

  it('may be anything long enough if the policy requires nothing else', () => {
    const lax = { minLength: 8, minUppercase: 0, minLowercase: 0, minNumber: 0, minSpecial: 0 }
    expect(passwordFaults('aaaaaaaa', lax)).toEqual([])
    expect(passwordFaults('aaaaaaa', lax)).toHaveLength(1)
  })

  it('must be repeated identically if it is given twice', async () => {
    const check = (password_confirmation?: string) => () => {
      checkNewPassword({ password: GOOD, password_confirmation }, POLICY, 'Refused.')
    }
    expect(check(GOOD)).not.toThrow()
    expect(check()).not.toThrow()
    const refusal = await refusalOf(check(`${GOOD} `))
    expect(refusal).toMatchObject({
      code: 'validation_failed',
      members: {
        errors: [{ field: 'password_confirmation', message: "Password confirmation doesn't match" }],
        toast: { title: 'Refused.', variant: 'danger' },
      },
    })
    expect(JSON.stringify(refusal)).not.toContain(GOOD)
  })
})

describe('A stored password', () => {
  it('is an Argon2id hash with a unique salt', async () => {
    const [first, second] = [await hashPassword(GOOD), await hashPassword(GOOD)]
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(first).not.toBe(second)
  })

  it.each([
    ['the same', GOOD, true],
    ['one with another character', `${GOOD}b`, false],
    ['one in another letter case', GOOD.toLowerCase(), false],
    ['a shorter one', GOOD.slice(0, -1), false],
    ['nothing', '', false],
  ])('matches %s: %s → %s', async (_what, tried, right) => {
    expect(await isPassword(await hashPassword(GOOD), tried)).toBe(right)
  })

  it('matches every Unicode composition of its characters', async () => {
    expect(await isPassword(await hashPassword('\u00e9'.repeat(20)), 'e\u0301'.repeat(20))).toBe(true)
  })

  it('is compared completely up to 128 characters and never matches a longer one', async () => {
    const longest = GOOD.padEnd(128, 'a')
    const hashed = await hashPassword(longest)
    expect(await isPassword(hashed, longest)).toBe(true)
    expect(await isPassword(hashed, `${longest}a`)).toBe(false)
    expect(await isPassword(hashed, longest.slice(0, -1))).toBe(false)
    const keys = '🔑'.repeat(128)
    expect(await isPassword(await hashPassword(keys), keys)).toBe(true)
  })

  it('matches no password if it does not exist', async () => {
    expect(await isPassword(null, GOOD)).toBe(false)
    expect(await isPassword(null, 'a password that nobody has')).toBe(false)
  })
})

describe('The password policy', () => {
  const guidance = guidanceService({
    SERVICE_PASSWORD_MIN_LENGTH: '8',
    SERVICE_PASSWORD_MIN_UPPERCASE: '0',
    SERVICE_PASSWORD_MIN_SPECIAL: '1',
  })

  it('follows the settings wherever a password is chosen', async () => {
    const register = (email: string, password: unknown) =>
      guidance().nobody.call('POST', '/users', { body: { user: { name: 'Ann', email, password } } })
    const weak = await register('ann@example.org', 'aaaaaaa')
    expect(weak).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', toast: { title: 'Could not create the account.' } },
    })
    expect(messagesOf(weak)).toEqual([
      'Password is too short (minimum is 8 characters)',
      'Password needs at least 2 digits',
      'Password needs at least 1 special characters',
    ])
    expect((await register('ann@example.org', 'kmwzqv1!2')).status).toBe(200)
    expect((await logIn(guidance().nobody, 'ann@example.org', 'kmwzqv1!2')).status).toBe(200)
  })

  it.each([null, 1, ['Correct-Horse-42-!Staple'], { length: 20 }])('rejects %j as a password', async (password) => {
    const user = { name: 'Ben', email: 'ben@example.org', password }
    const answer = await guidance().nobody.call('POST', '/users', { body: { user } })
    expect(answer.status).toBe(422)
    expect(messagesOf(answer)).toEqual(['Password must be a text'])
  })
})

describe('Every form for a new password', () => {
  const guidance = guidanceService()

  it('refuses easily guessed ones', async () => {
    const { nobody, service } = guidance()
    const admin = await guidance().signUp('Root', { admin: true })
    const { id } = await guidance().person('Gwendolyn')
    const link = await admin.call('POST', `/users/${id}/generate_reset_link`, { body: {} })
    const reset_password_token = secretIn(resetUrl.parse(link.body).reset_url)
    const account = { name: 'Gwendolyn', email: 'gwendolyn@example.net' }
    const current_password = PASSWORD
    const { firstSteps } = service.guidance
    const token = firstSteps !== null && 'link' in firstSteps ? secretIn(firstSteps.link) : ''
    const password = 'Gwendolyn-2026!A'
    const requests: readonly (readonly [Client, string, string, Record<string, unknown>])[] = [
      [nobody, 'POST', '/users', { user: { ...account, password } }],
      [nobody, 'POST', '/api/setup', { token, user: { ...account, password } }],
      [nobody, 'PUT', '/users/password', { user: { reset_password_token, password } }],
      [admin, 'PUT', '/users', { user: { name: account.name, password, current_password } }],
      [admin, 'POST', '/users/admin_create', { user: { ...account, password } }],
      [admin, 'POST', `/users/${id}/set_password`, { user: { password, current_password } }],
    ]
    for (const [client, method, path, body] of requests) {
      const answer = await client.call(method, path, { body })
      expect(answer, path).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
      expect(messagesOf(answer), path).toEqual([
        'Password is mostly a name or an address that belongs to you or to this service',
      ])
    }
    // A person who has a password keeps it.
    expect((await logIn(nobody, admin.email)).status).toBe(200)
  })
})

const resetUrl = z.object({ reset_url: z.string() })
