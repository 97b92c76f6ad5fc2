// @module-tag database

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { hashPassword } from '../../../../src/guidance/identity/passwords/passwords.ts'
import {
  accountOf,
  cookieOf,
  logIn,
  resetPassword,
  secretIn,
  NEW_PASSWORD,
  statusOf,
  WRONG_PASSWORD,
} from '../../../support/accounts.ts'
import { ago, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, type GuidanceUnderTest } from '../../../support/guidance.ts'

const guidance = guidanceService()
const MINUTE = 60_000

describe('Too many wrong passwords', () => {
  it('lock the account at the third attempt, after a warning', async () => {
    const ada = await guidance().person('Ada')
    const answers = await failures(guidance(), ada.email, 4)
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    expect(answers.map(gist)).toEqual([
      'invalid_credentials',
      'invalid_credentials 1 left',
      'account_locked',
      'account_locked',
    ])
  })

  it('make the account refuse the right password', async () => {
    const ben = await guidance().person('Ben')
    await failures(guidance(), ben.email, 3)
    const answer = await logIn(guidance().nobody, ben.email)
    expect(gist(answer)).toBe('account_locked')
    expect(cookieOf(answer)).toBe('')
  })

  it('leave existing sessions open', async () => {
    const cleo = await guidance().signUp('Cleo')
    await failures(guidance(), cleo.email, 3)
    expect(await statusOf(cleo)).toBe(200)
  })

  it('are counted from zero after a right one', async () => {
    const dora = await guidance().person('Dora')
    await failures(guidance(), dora.email, 2)
    await guidance().signIn(dora.email)
    expect((await failures(guidance(), dora.email, 2)).map(gist)).toEqual([
      'invalid_credentials',
      'invalid_credentials 1 left',
    ])
  })

  it('are counted together for every letter case of the address', async () => {
    const emil = await guidance().person('Emil')
    await failures(guidance(), 'EMIL@example.org', 2)
    expect((await failures(guidance(), emil.email, 1)).map(gist)).toEqual(['account_locked'])
  })

  it('are all counted when they arrive at once', async () => {
    const fred = await guidance().person('Fred')
    const answers = await Promise.all([1, 2].map(() => failures(guidance(), fred.email, 1)))
    expect(answers.flat().map(gist).sort()).toEqual(['invalid_credentials', 'invalid_credentials 1 left'])
    expect((await accountOf(guidance(), fred)).failed_attempts).toBe(2)
    expect((await failures(guidance(), fred.email, 1)).map(gist)).toEqual(['account_locked'])
  })
})

describe('The answers to wrong passwords', () => {
  it.each([
    ['a password that exists', 'Hal', null],
    ['an account without a password', 'Ida', { password_hash: null }],
  ])('are the same for an unknown address and for %s', async (_what, name, change) => {
    const person = await guidance().person(name)
    if (change !== null) await setRows(guidance(), 'users', change, { id: person.id })
    const stranger = `no-${name}@example.org`
    const known = await failures(guidance(), person.email, 5)
    const unknown = await failures(guidance(), stranger, 5)
    expect(known.map(({ body }) => body)).toEqual(unknown.map(({ body }) => body))
  })

  it('are the same however much time passes between them', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const jo = await guidance().person('Jo')
    for (const minutes of [0, 20, 0, 10, 6, 0, 16, 0, 14, 2, 0]) {
      vi.setSystemTime(Date.now() + minutes * MINUTE)
      const [known] = await failures(guidance(), jo.email, 1)
      const [unknown] = await failures(guidance(), 'no-jo@example.org', 1)
      expect(unknown?.body).toEqual(known?.body)
    }
  })

  it('take about the same time', async () => {
    // Locked accounts answer in the same way, so that one of each is enough.
    const kim = await guidance().person('Kim')
    const password_hash = await hashPassword(PASSWORD)
    await setRows(guidance(), 'users', { password_hash }, { id: kim.id })
    const times: Record<string, number[]> = { [kim.email]: [], 'no-kim@example.org': [] }
    for (let round = 0; round < 15; round += 1)
      for (const [email, taken] of Object.entries(times)) {
        const start = performance.now()
        await failures(guidance(), email, 1)
        taken.push(performance.now() - start)
      }
    const [known = 0, unknown = 0] = Object.values(times).map(median)
    expect(Math.min(known, unknown)).toBeGreaterThan(0.4 * Math.max(known, unknown))
  })
})

describe('A lock after wrong passwords', () => {
  it('ends after a quarter of an hour and resets the counter', async () => {
    const lea = await guidance().person('Lea')
    await failures(guidance(), lea.email, 3)
    await lockedSince(lea.id, 14 * MINUTE)
    expect(gist(await logIn(guidance().nobody, lea.email))).toBe('account_locked')
    await lockedSince(lea.id, 15 * MINUTE + 1)
    expect((await failures(guidance(), lea.email, 1)).map(gist)).toEqual(['invalid_credentials'])
    expect((await logIn(guidance().nobody, lea.email)).status).toBe(200)
    expect(await accountOf(guidance(), lea)).toMatchObject({ locked_at: null, failed_attempts: 0 })
  })

  it('is removed by a password reset', async () => {
    const root = await guidance().signUp('Root', { admin: true })
    const max = await guidance().person('Max')
    await failures(guidance(), max.email, 3)
    const { body } = await root.call('POST', `/users/${max.id}/generate_reset_link`)
    const { reset_url } = z.object({ reset_url: z.string() }).parse(body)
    expect((await resetPassword(guidance().nobody, secretIn(reset_url))).status).toBe(200)
    expect((await logIn(guidance().nobody, max.email, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('Other settings of the lock', () => {
  const off = guidanceService({ SERVICE_LOCKOUT_ENABLED: 'false' })
  const strict = guidanceService({
    SERVICE_LOCKOUT_MAXIMUM_ATTEMPTS: '2',
    SERVICE_LOCKOUT_LAST_ATTEMPT_WARNING: 'false',
    SERVICE_LOCKOUT_UNLOCK_STRATEGY: 'email',
  })

  it('can disable it', async () => {
    const pia = await off().person('Pia')
    for (const email of [pia.email, 'no-pia@example.org'])
      expect(new Set((await failures(off(), email, 5)).map(gist))).toEqual(new Set(['invalid_credentials']))
    expect((await logIn(off().nobody, pia.email)).status).toBe(200)
  })

  it('can lock earlier, without a warning, and permanently', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const quin = await strict().person('Quin')
    for (const email of [quin.email, 'no-quin@example.org']) {
      const answers = await failures(strict(), email, 2)
      expect(answers.map(gist)).toEqual(['invalid_credentials', 'account_locked'])
    }
    vi.setSystemTime(Date.now() + 60 * MINUTE)
    for (const email of [quin.email, 'no-quin@example.org'])
      expect(gist(await logIn(strict().nobody, email))).toBe('account_locked')
  })
})

type Answered = Awaited<ReturnType<typeof logIn>>

async function failures({ nobody }: GuidanceUnderTest, email: string, count: number): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  for (let attempt = 0; attempt < count; attempt += 1) answers.push(await logIn(nobody, email, WRONG_PASSWORD))
  return answers
}

const refused = z.looseObject({ code: z.string(), attempts_left: z.int().optional() })

function gist({ body }: Pick<Answered, 'body'>): string {
  const { code, attempts_left } = refused.parse(body)
  return attempts_left === undefined ? code : `${code} ${attempts_left} left`
}

function lockedSince(id: number, milliseconds: number): Promise<unknown> {
  return setRows(guidance(), 'users', { locked_at: ago(milliseconds) }, { id })
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
