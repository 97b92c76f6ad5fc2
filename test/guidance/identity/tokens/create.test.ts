// @module-tag database

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accountOf } from '../../../support/accounts.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import {
  dayIn,
  dumpDatabase,
  makeToken,
  messagesOf,
  requestToken,
  setRows,
  tokenAnswer,
} from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, signedIn, startGuidance } from '../../../support/guidance.ts'

const NO_DATE = 'Expires at must be a date such as 2026-12-31'
const PATH = '/personal_access_tokens'

const guidance = guidanceService()

const ada = signedIn(guidance, 'Ada')

describe('POST /personal_access_tokens', () => {
  it('returns the raw token and its record', async () => {
    const { status, headers, body } = await requestToken(ada, {
      name: ' Nightly 🌙 ',
      scopes: ['write', 'read', 'read'],
      allowed_ips: [' 192.0.2.0/24 ', '2001:db8::1'],
    })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    const { token, personal_access_token: kept } = tokenAnswer.parse(body)
    expect(token).toMatch(/^svc_[1-9A-HJ-NP-Za-km-z]{36}$/)
    expect(kept).toEqual({
      id: kept.id,
      name: 'Nightly 🌙',
      token_prefix: token.slice(0, 8),
      scopes: ['read', 'write'],
      expires_at: dayIn(30),
      last_used_at: null,
      revoked_at: null,
      allowed_ips: ['192.0.2.0/24', '2001:db8::1'],
      created_at: kept.created_at,
    })
    expect(Math.abs(Date.parse(kept.created_at) - Date.now())).toBeLessThan(5000)
  })

  it.each([undefined, null, []])('treats allowed_ips %j as no restriction', async (allowed_ips) => {
    const { status, body } = await requestToken(ada, { allowed_ips })
    expect(status).toBe(200)
    expect(body).toMatchObject({ personal_access_token: { allowed_ips: [] } })
  })

  it('creates tokens for the caller and ignores user_id', async () => {
    const victim = await guidance().person('Victor')
    const session = await guidance().signUp('Eve')
    const { client } = await makeToken(guidance(), session, { user_id: victim.id })
    expect((await client.call('GET', '/api/auth/me')).body).toMatchObject({ id: session.id })
    const body = { user_id: victim.id, personal_access_token: good() }
    await session.call('POST', `${PATH}?user_id=${victim.id}`, { body })
    const others = await (await guidance().signIn(victim.email)).call('GET', PATH)
    expect(others.body).toEqual({ personal_access_tokens: [] })
  })

  it.each([1, 365])('makes a token valid for %i days', async (days) => {
    const { body } = await requestToken(ada, { expires_at: dayIn(days) })
    expect(body).toMatchObject({ personal_access_token: { expires_at: dayIn(days) } })
  })

  it.each<[string, unknown, string]>([
    ['name', '', "Name can't be blank"],
    ['name', ' \t ', "Name can't be blank"],
    ['name', null, "Name can't be blank"],
    ['name', undefined, "Name can't be blank"],
    ['name', 5, 'Name must be a text'],
    ['name', 'x'.repeat(256), 'Name is too long (maximum is 255 characters)'],
    ['name', 'a\0b', 'Name has characters that cannot be stored (U+0000 at position 2)'],
    ['scopes', undefined, "Scopes can't be blank"],
    ['scopes', null, "Scopes can't be blank"],
    ['scopes', [], "Scopes can't be blank"],
    ['scopes', 'read', 'Scopes must be a list'],
    ['scopes', { 0: 'read' }, 'Scopes must be a list'],
    ['scopes', ['read', 'hack'], 'Scopes contain invalid values: hack'],
    ['scopes', ['READ'], 'Scopes contain invalid values: READ'],
    ['scopes', ['constructor'], 'Scopes contain invalid values: constructor'],
    ['scopes', [1], 'Scopes must be texts'],
    ['scopes', [null], 'Scopes must be texts'],
    ['expires_at', undefined, "Expires at can't be blank"],
    ['expires_at', null, "Expires at can't be blank"],
    ['expires_at', '', NO_DATE],
    ['expires_at', 20_301_231, 'Expires at must be a date'],
    ['expires_at', dayIn(366), 'Expires at must be within 365 days from today'],
    ['expires_at', '9999-12-31', 'Expires at must be within 365 days from today'],
    ['expires_at', dayIn(0), 'Expires at must be in the future'],
    ['expires_at', dayIn(-1), 'Expires at must be in the future'],
    ['expires_at', '2001-02-28', 'Expires at must be in the future'],
    ...[
      'tomorrow',
      '2026-02-30',
      '2027-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-12-00',
      '26-12-31',
      '31.12.2026',
      '2026/12/31',
      '20261231',
      '2026-W50-1',
      '+002026-12-31',
      ` ${dayIn(30)}`,
      `${dayIn(30)}\n`,
      `${dayIn(30)}T00:00:00Z`,
      `${dayIn(30)}T00:00:00+02:00`,
      `${dayIn(30)} 00:00:00`,
    ].map((odd): [string, string, string] => ['expires_at', odd, NO_DATE]),
    ['allowed_ips', '192.0.2.1', 'Allowed ips must be a list'],
    ['allowed_ips', [null], 'Allowed ips must be texts'],
    ['allowed_ips', ['foo'], 'Allowed ips contain invalid CIDR: foo'],
    ['allowed_ips', ['192.0.2.1', '1.2.3.4/33', '::/129'], 'Allowed ips contain invalid CIDR: 1.2.3.4/33, ::/129'],
    ['allowed_ips', [''], 'Allowed ips contain invalid CIDR: '],
    ['allowed_ips', Array(101).fill('::1'), 'Allowed ips are too many (maximum is 100)'],
  ])('refuses %s %j', async (field, value, message) => {
    const answer = await requestToken(ada, { [field]: value })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'validation_failed',
      toast: { title: 'Could not create token.', message, variant: 'danger' },
    })
    expect(messagesOf(answer)).toEqual([message])
  })

  it('reports all invalid values at once, also as one text', async () => {
    const { body } = await requestToken(ada, { name: '', scopes: [], expires_at: null })
    expect(body).toMatchObject({
      errors: [
        { field: 'name', message: "Name can't be blank" },
        { field: 'scopes', message: "Scopes can't be blank" },
        { field: 'expires_at', message: "Expires at can't be blank" },
      ],
      toast: { message: "Name can't be blank\nScopes can't be blank\nExpires at can't be blank" },
    })
  })
})

describe('The current password', () => {
  let people = 0

  it.each([undefined, null, '', 'wrong', 42, {}, [PASSWORD], true])(
    'is required before any other check: %j',
    async (current_password) => {
      people += 1
      const session = await guidance().signUp(`Pat${people}`)
      const answer = await requestToken(session, { current_password, name: '', scopes: ['hack'] })
      expect(answer.status).toBe(422)
      expect(answer.body).toMatchObject({ code: 'incorrect_password' })
      expect((await session.call('GET', PATH)).body).toEqual({ personal_access_tokens: [] })
    },
  )

  it('counts as a failed sign-in if it is wrong, and finally locks the account', async () => {
    const session = await guidance().signUp('Mallory')
    const failures = () => accountOf(guidance(), session)
    await requestToken(session, { current_password: 'wrong 1' })
    expect(await failures()).toMatchObject({ failed_attempts: 1, locked_by: null })
    expect((await requestToken(session)).status).toBe(200)
    expect(await failures()).toMatchObject({ failed_attempts: 0, locked_by: null })
    for (const guess of ['wrong 1', 'wrong 2', 'wrong 3']) await requestToken(session, { current_password: guess })
    expect(await failures()).toMatchObject({ failed_attempts: 3, locked_by: 'attempts' })
    expect((await requestToken(session)).body).toMatchObject({ code: 'incorrect_password' })
    await expect(guidance().signIn(session.email)).rejects.toThrow('account_locked')
  })

  it('can be replaced by a single sign-on of the last five minutes', async () => {
    const session = await guidance().signUp('Sso')
    await setRows(guidance(), 'users', { password_hash: null }, { id: session.id })
    const provenAgo = (milliseconds: number | null): Promise<unknown> => {
      const provenAt = milliseconds === null ? undefined : Date.now() - milliseconds
      const data = JSON.stringify({ userId: session.id, provenAt })
      return setRows(guidance(), 'sessions', { data }, { user_id: session.id })
    }
    const refused = { status: 422, body: { code: 'incorrect_password' } }
    await provenAgo(null)
    expect(await requestToken(session)).toMatchObject(refused)
    await provenAgo(5 * 60_000 + 1000)
    expect(await requestToken(session)).toMatchObject(refused)
    await provenAgo(4 * 60_000)
    expect((await requestToken(session, { current_password: undefined })).status).toBe(200)
  })
})

describe('A raw token', () => {
  it('is returned once and never stored in the database', async () => {
    const dataDir = await temporaryFolder()
    const under = await startGuidance(dataDir)
    const session = await under.signUp('Grace')
    const { raw, client } = await makeToken(under, session, { scopes: ['admin'] })
    expect((await client.call('GET', '/api/auth/me')).body).toMatchObject({ id: session.id })
    const listed = await session.call('GET', PATH)
    expect(JSON.stringify(listed.body)).toContain(raw.slice(0, 8))
    expect(JSON.stringify(listed.body)).not.toContain(raw.slice(0, 9))
    const dump = await dumpDatabase(under)
    expect(dump).toContain(`"token_prefix":"${raw.slice(0, 8)}"`)
    // Before it is closed: the files beside the database go when its last statement has been collected.
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
    const files = await Promise.all(
      entries.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
    )
    await under.service.close()
    for (const stored of [dump, ...files]) {
      expect(stored).not.toContain(raw)
      expect(stored).not.toContain(raw.slice(8))
      expect(stored).not.toContain(Buffer.from(raw).toString('base64url').slice(0, 20))
    }
  })
})

describe('The limit of tokens', () => {
  it('is 20 for each person, counting expired, but not revoked ones', async () => {
    const session = await guidance().signUp('Many')
    const first = await makeToken(guidance(), session)
    for (let count = 1; count < 19; count += 1) await makeToken(guidance(), session)
    await setRows(guidance(), 'personal_access_tokens', { expires_at: dayIn(-3) }, { user_id: session.id })
    expect((await requestToken(session)).status).toBe(200)
    const refused = await requestToken(session)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ code: 'validation_failed', toast: { title: 'Could not create token.' } })
    expect(messagesOf(refused)).toEqual(['You have reached the maximum of 20 active tokens'])
    await session.call('DELETE', `${PATH}/${first.id}`)
    expect((await requestToken(session)).status).toBe(200)
    expect((await requestToken(session)).status).toBe(422)
  })
})

function good(): Record<string, unknown> {
  return { name: 'x', scopes: ['read'], expires_at: dayIn(9), current_password: PASSWORD }
}
