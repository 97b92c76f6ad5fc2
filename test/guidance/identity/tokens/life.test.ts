// @module-tag database

import type { Updateable } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { PersonalAccessTokensTable } from '../../../../src/guidance/database/schema/tokens.ts'
import { cleanUp } from '../../../../src/guidance/service/housekeeping.ts'
import {
  ago,
  dayIn,
  entriesOf,
  makeToken,
  type NewToken,
  requestToken,
  setRows,
  rowOf,
} from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Answer, type Person, type SessionClient } from '../../../support/guidance.ts'

const ME = '/api/auth/me'
const PATH = '/personal_access_tokens'
const DAY_MS = 86_400_000

const guidance = guidanceService()
const root = signedIn(guidance, 'Root', { admin: true })

describe('GET /personal_access_tokens', () => {
  it("lists the caller's tokens: active ones first, then the newest", async () => {
    const { session, tokens } = await owner('Lister', 4)
    await session.call('DELETE', `${PATH}/${idOf(tokens, 3)}`)
    await session.call('DELETE', `${PATH}/${idOf(tokens, 1)}`)
    const { status, body } = await session.call('GET', PATH)
    expect(status).toBe(200)
    const order = [2, 0, 3, 1].map((index) => ({ id: idOf(tokens, index) }))
    expect(body).toMatchObject({ personal_access_tokens: order })
    const fields = 'allowed_ips created_at expires_at id last_used_at name revoked_at scopes token_prefix'
    for (const token of listOf(body)) expect(Object.keys(token).sort().join(' ')).toBe(fields)
    expect(listOf(body).map(({ revoked_at }) => revoked_at !== null)).toEqual([false, false, true, true])
  })

  it('shows a site administrator tokens of another person with their owner', async () => {
    const { person, tokens } = await owner('Shown', 1)
    const { body } = await root.call('GET', `${PATH}?user_id=${person.id}`)
    const whose = { user_id: person.id, user_name: 'Shown', user_email: person.email }
    expect(body).toMatchObject({ personal_access_tokens: [{ id: idOf(tokens, 0), ...whose }] })
    expect(JSON.stringify(body)).not.toContain('digest')
  })

  it.each(['0', '-1', 'abc', '999999', '99999999999', '1e3', '1.5', ''])(
    'returns 404 for the number %j',
    async (number) => {
      const answer = await root.call('GET', `${PATH}?user_id=${number}`)
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )

  it('shows other callers only their own, even if they request others', async () => {
    const { session, tokens } = await owner('Curious', 1)
    for (const user of [root.id, 'abc', 999_999]) {
      const { status, body } = await session.call('GET', `${PATH}?user_id=${user}`)
      expect(status).toBe(200)
      expect(listOf(body).map(({ id }) => id)).toEqual([idOf(tokens, 0)])
      expect(listOf(body)[0]).not.toHaveProperty('user_id')
    }
    const anonymous = await guidance().nobody.call('GET', PATH)
    expect(anonymous).toMatchObject({ status: 401, body: { code: 'not_authenticated' } })
  })
})

describe('DELETE /personal_access_tokens/{id}', () => {
  it('revokes a token of the caller at once, and a second time changes nothing', async () => {
    const { session, tokens } = await owner('Revoker', 2)
    const [token] = tokens
    const path = `${PATH}/${idOf(tokens, 0)}`
    const answer = await session.call('DELETE', path)
    expect(answer).toMatchObject({
      status: 200,
      body: { toast: { title: 'Token revoked.', message: "'Script' has been revoked.", variant: 'success' } },
    })
    expectDead(await token?.client.call('GET', ME))
    expect((await tokens[1]?.client.call('GET', ME))?.status).toBe(200)
    const before = await revokedAt(idOf(tokens, 0))
    expect(await entriesOf(guidance(), () => session.call('DELETE', path))).toEqual([])
    expect((await session.call('DELETE', path)).status).toBe(200)
    expect(await revokedAt(idOf(tokens, 0))).toBe(before)
  })

  it('is recorded once in the audit trail, even for simultaneous requests', async () => {
    const { session, tokens } = await owner('Impatient', 1)
    const path = `${PATH}/${idOf(tokens, 0)}`
    const entries = await entriesOf(guidance(), async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => session.call('DELETE', path)))
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    })
    expect(entries).toHaveLength(1)
  })

  it('returns 404 for tokens of others and for unknown ones', async () => {
    const victim = await owner('Victim', 1)
    const { session } = await owner('Thief', 0)
    const unknown = await session.call('DELETE', `${PATH}/999999`)
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const odd of [idOf(victim.tokens, 0), 0, -1, 'abc', '1e1', '99999999999']) {
      const answer = await session.call('DELETE', `${PATH}/${odd}`)
      expect(answer).toMatchObject({ status: 404, body: unknown.body })
    }
    const byAdmin = await root.call('DELETE', `${PATH}/${idOf(victim.tokens, 0)}`)
    expect(byAdmin.status).toBe(404)
    expect((await victim.tokens[0]?.client.call('GET', ME))?.status).toBe(200)
  })
})

describe('DELETE /personal_access_tokens/{id}/admin_revoke', () => {
  it('revokes any token and records the reason', async () => {
    const { person, tokens } = await owner('Careless', 1)
    const id = idOf(tokens, 0)
    const entries = await entriesOf(guidance(), async () => {
      const body = { audit_comment: ' Seen in a public repository ' }
      const answer = await root.call('DELETE', `${PATH}/${id}/admin_revoke`, { body })
      const message = "Admin revoked 'Script' for Careless."
      expect(answer).toMatchObject({ status: 200, body: { toast: { message } } })
    })
    expectDead(await tokens[0]?.client.call('GET', ME))
    expect(entries).toMatchObject([
      {
        action: 'update',
        auditable_type: 'PersonalAccessToken',
        auditable_id: id,
        audited_name: 'Script',
        actor_id: root.id,
        name: 'Root',
        comment: 'Seen in a public repository',
        changes: [{ field: 'revoked_at', prev_value: null, new_value: await revokedAt(id) }],
      },
    ])
    expect(person.id).not.toBe(root.id)
  })

  it.each([
    [{}, 400, 'parameter_missing'],
    [{ audit_comment: null }, 422, 'validation_failed'],
    [{ audit_comment: '' }, 422, 'validation_failed'],
    [{ audit_comment: ' \n ' }, 422, 'validation_failed'],
    [{ audit_comment: 5 }, 422, 'validation_failed'],
    [{ audit_comment: ['x'] }, 422, 'validation_failed'],
    [{ audit_comment: 'x'.repeat(4097) }, 422, 'validation_failed'],
    [{ audit_comment: 'a\0b' }, 422, 'validation_failed'],
  ])('is refused without a reason: %j', async (body, status, code) => {
    const { tokens } = await owner(`Kept${code}${JSON.stringify(body).length}`, 1)
    const path = `${PATH}/${idOf(tokens, 0)}/admin_revoke`
    const entries = await entriesOf(guidance(), async () => {
      expect(await root.call('DELETE', path, { body })).toMatchObject({ status, body: { code } })
    })
    expect(entries).toEqual([])
    expect((await tokens[0]?.client.call('GET', ME))?.status).toBe(200)
  })

  it('is reserved for site administrators, also for tokens of their own', async () => {
    const { session, tokens } = await owner('Nobody', 1)
    const body = { audit_comment: 'x' }
    for (const id of [idOf(tokens, 0), 999_999]) {
      const answer = await session.call('DELETE', `${PATH}/${id}/admin_revoke`, { body })
      expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied', admins: [] } })
    }
    const unknown = await root.call('DELETE', `${PATH}/999999/admin_revoke`, { body })
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('A token', () => {
  it('expires at the beginning of its last day', async () => {
    const { tokens } = await owner('Expiring', 1)
    const id = idOf(tokens, 0)
    const use = (): Promise<Answer> | undefined => tokens[0]?.client.call('GET', ME)
    await setRow(id, { expires_at: dayIn(1) })
    expect((await use())?.status).toBe(200)
    for (const days of [0, -1, -400]) {
      await setRow(id, { expires_at: dayIn(days) })
      expectDead(await use())
    }
  })

  it('is deleted with its owner', async () => {
    const { person, tokens } = await owner('Leaver', 1)
    expect((await root.call('DELETE', `/users/${person.id}`)).status).toBe(200)
    expectDead(await tokens[0]?.client.call('GET', ME))
  })

  it('does not work while an administrator has locked its owner', async () => {
    const { person, tokens } = await owner('Suspect', 1)
    await root.call('POST', `/users/${person.id}/lock`)
    expectDead(await tokens[0]?.client.call('GET', ME))
    await root.call('POST', `/users/${person.id}/unlock`)
    expect((await tokens[0]?.client.call('GET', ME))?.status).toBe(200)
  })

  it('works while wrong passwords lock its owner', async () => {
    const { session, person, tokens } = await owner('Guessed', 1)
    for (const current_password of ['a', 'b', 'c']) await requestToken(session, { current_password })
    await expect(guidance().signIn(person.email)).rejects.toThrow('account_locked')
    expect((await tokens[0]?.client.call('GET', ME))?.status).toBe(200)
  })

  it('works after its owner signs out', async () => {
    const { session, tokens } = await owner('Offline', 1)
    await session.call('DELETE', '/api/auth/logout')
    expect((await tokens[0]?.client.call('GET', ME))?.status).toBe(200)
  })
})

describe('The clean-up', () => {
  it('revokes tokens that have expired or were not used for 90 days', async () => {
    await cleanUp(guidance().service.guidance)
    const { tokens } = await owner('Cleaned', 7)
    const ages: readonly Updateable<PersonalAccessTokensTable>[] = [
      { last_used_at: ago(91 * DAY_MS) },
      { last_used_at: ago(90 * DAY_MS + 1000) },
      { last_used_at: ago(90 * DAY_MS - 60_000) },
      { last_used_at: null, created_at: ago(90 * DAY_MS + 1000) },
      { expires_at: dayIn(0) },
      { expires_at: dayIn(1) },
      { last_used_at: null, created_at: ago(90 * DAY_MS - 60_000) },
    ]
    for (const [index, row] of ages.entries()) await setRow(idOf(tokens, index), row)
    const entries = await entriesOf(guidance(), () => cleanUp(guidance().service.guidance))
    const revoked = await Promise.all(tokens.map(({ id }) => revokedAt(id)))
    expect(revoked.map((time) => time !== null)).toEqual([true, true, false, true, true, false, false])
    expect(entries.map(({ auditable_id, comment, name }) => [auditable_id, comment, name])).toEqual([
      [idOf(tokens, 0), 'Unused for 90 days', 'system'],
      [idOf(tokens, 1), 'Unused for 90 days', 'system'],
      [idOf(tokens, 3), 'Unused for 90 days', 'system'],
      [idOf(tokens, 4), 'Expired', 'system'],
    ])
    expect(await entriesOf(guidance(), () => cleanUp(guidance().service.guidance))).toEqual([])
    expect(await Promise.all(tokens.map(({ id }) => revokedAt(id)))).toEqual(revoked)
  })

  it('by two processes at once revokes each token once', async () => {
    const { tokens } = await owner('Twice', 3)
    for (const { id } of tokens) await setRow(id, { expires_at: dayIn(-1) })
    const clean = (): Promise<void> => cleanUp(guidance().service.guidance)
    const entries = await entriesOf(guidance(), () => Promise.all([clean(), clean(), clean()]))
    expect(entries.map(({ auditable_id }) => auditable_id).sort()).toEqual(tokens.map(({ id }) => id).sort())
  })
})

async function owner(
  name: string,
  count: number,
): Promise<{ readonly person: Person; readonly session: SessionClient; readonly tokens: readonly NewToken[] }> {
  const person = await guidance().person(name)
  const session = await guidance().signIn(person.email)
  const tokens: NewToken[] = []
  for (let index = 0; index < count; index += 1) tokens.push(await makeToken(guidance(), session))
  return { person, session, tokens }
}

function idOf(tokens: readonly NewToken[], index: number): number {
  return tokens[index]?.id ?? 0
}

function listOf(body: unknown): readonly Readonly<Record<string, unknown>>[] {
  return listed.parse(body).personal_access_tokens
}

const listed = z.object({ personal_access_tokens: z.array(z.record(z.string(), z.unknown())) })

function expectDead(answer: Answer | undefined): void {
  expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_token', error: WORDS } })
}

const WORDS: unknown = expect.stringMatching(/\w+ \w+/)

async function revokedAt(id: number): Promise<string | null> {
  const row = await rowOf(guidance(), 'personal_access_tokens', { id })
  return row.revoked_at
}

function setRow(id: number, row: Updateable<PersonalAccessTokensTable>): Promise<unknown> {
  return setRows(guidance(), 'personal_access_tokens', row, { id })
}
