import { beforeAll, describe, expect, it } from 'vitest'
import { rowOf, rowsOf } from '../../../support/guidance-records.ts'
import { guidanceService, type SessionClient } from '../../../support/guidance.ts'

const guidance = guidanceService()

let stranger: SessionClient
let hidden = 0
let request = 0
let membership = 0

const NOWHERE = 2_000_000_000

beforeAll(async () => {
  const owner = await guidance().signUp('Owner')
  hidden = await guidance().project(owner, { name: 'Secret', visibility: 'discoverable' })
  const session = await guidance().signUp('Asker')
  const { body } = await session.call('POST', `/projects/${hidden}/project_access_requests`)
  request = Number(/"id":(\d+)/.exec(JSON.stringify(body))?.[1])
  await owner.call('PATCH', `/projects/${hidden}`, { body: { project: { visibility: 'hidden' } } })
  const { id } = await rowOf(guidance(), 'memberships', { project_id: hidden })
  membership = id
  await guidance().person('Stranger')
  stranger = await guidance().signIn('stranger@example.org')
})

interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Everything of an answer that could tell two answers apart. */
async function bytesOf({ method, path, body }: Sent, cookie = true): Promise<unknown> {
  const {
    status,
    headers,
    body: bytes,
  } = await guidance().service.get(path, {
    method,
    headers: {
      // Else each has one of its own.
      'X-Request-Id': 'the-same-for-all',
      ...(cookie && { Cookie: stranger.cookie, 'X-CSRF-Token': stranger.csrfToken }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // The time, and the seconds that are left of the session, change from one answer to the next.
  const { date, 'x-session-ends-in': _seconds, ...lasting } = headers
  expect(date).toBeDefined()
  return { status, headers: lasting, body: bytes.toString('latin1') }
}

/** Every operation that names a project, a membership or a request by its number. */
function operations(project: number, member: number, asked: number): readonly Sent[] {
  const valid = { project: { name: 'Mine now' } }
  const base = `/projects/${project}`
  const named = { membership_type: 'Project', membership_id: project, role: 'admin' }
  return [
    { method: 'GET', path: base },
    { method: 'HEAD', path: base },
    { method: 'PUT', path: base, body: valid },
    { method: 'PATCH', path: base, body: valid },
    { method: 'PATCH', path: base, body: { project: { name: '' } } },
    { method: 'PATCH', path: base, body: {} },
    { method: 'DELETE', path: base },
    { method: 'GET', path: `${base}/histories` },
    { method: 'POST', path: `${base}/project_access_requests` },
    { method: 'DELETE', path: `${base}/project_access_requests/${asked}` },
    { method: 'POST', path: '/memberships', body: { membership: { ...named, user_id: 1 } } },
    { method: 'POST', path: '/memberships', body: { membership: named } },
    { method: 'PUT', path: `/memberships/${member}`, body: { membership: { role: 'admin' } } },
    { method: 'PATCH', path: `/memberships/${member}`, body: { membership: { role: 'x' } } },
    { method: 'DELETE', path: `/memberships/${member}` },
    { method: 'GET', path: `/api/users/search?q=own&scope=members&membership_type=Project&membership_id=${project}` },
  ]
}

describe('A hidden project', () => {
  it('returns a stranger the same bytes as an unknown project', async () => {
    const absent = operations(NOWHERE, NOWHERE, NOWHERE)
    for (const [index, operation] of operations(hidden, membership, request).entries()) {
      const answer = await bytesOf(operation)
      expect([operation, answer]).toMatchObject([operation, { status: 404 }])
      const other = absent[index]
      if (other === undefined) throw new Error('The lists differ')
      expect([operation, answer]).toEqual([operation, await bytesOf(other)])
    }
  })

  it('returns an anonymous caller the same bytes as an unknown project', async () => {
    const absent = operations(NOWHERE, NOWHERE, NOWHERE)
    for (const [index, operation] of operations(hidden, membership, request).entries()) {
      const answer = await bytesOf(operation, false)
      const other = absent[index]
      if (other === undefined) throw new Error('The lists differ')
      expect([operation, answer]).toEqual([operation, await bytesOf(other, false)])
    }
  })

  it('remains unchanged', async () => {
    const project = await rowsOf(guidance(), 'projects', { id: hidden })
    expect(project).toMatchObject([{ name: 'Secret', lock_version: 1 }])
  })

  it('returns 404 for an invalid number', async () => {
    for (const id of ['0', '-1', '01', '1e1', 'abc', '9999999999', '99999999999999999999']) {
      const { status, body } = await stranger.call('GET', `/projects/${id}`)
      expect([id, status, body]).toMatchObject([id, 404, { code: 'not_found' }])
    }
  })
})
