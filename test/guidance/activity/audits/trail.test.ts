import { beforeAll, describe, expect, it } from 'vitest'
import {
  dayIn,
  entriesOf,
  type Entry,
  makeToken,
  type NewToken,
  requestToken,
  rowsOf,
} from '../../../support/guidance-records.ts'
import {
  guidanceService,
  PASSWORD,
  signedIn,
  type Answer,
  type Client,
  type Person,
} from '../../../support/guidance.ts'

const OTHER = 'Other-Horse-42-!Staple'

const guidance = guidanceService()
const root = signedIn(guidance, 'Root', { admin: true })
let script: NewToken
let viaSession: string
let count = 0

beforeAll(async () => {
  viaSession = await viaOf(root)
  script = await makeToken(guidance(), root, { scopes: ['admin'] })
})

describe('The audit trail of an account', () => {
  it('has the person who created it and its first values', async () => {
    const entries = await done(() =>
      root.call('POST', '/users/admin_create', {
        body: { user: { name: 'Grace', email: 'Grace@example.org', password: PASSWORD } },
      }),
    )
    expect(entries).toEqual([
      {
        ...by(root, viaSession),
        action: 'create',
        auditable_type: 'User',
        auditable_id: entries[0]?.auditable_id,
        audited_name: 'Grace',
        changes: [
          { field: 'name', prev_value: null, new_value: 'Grace' },
          { field: 'email', prev_value: null, new_value: 'grace@example.org' },
          { field: 'admin', prev_value: null, new_value: false },
        ],
      },
    ])
  })

  it('has the changed fields and no others', async () => {
    const person = await somebody()
    const body = { user: { name: 'Renamed', admin: true, email: person.email, slack_user_id: 'U' } }
    expect(await done(() => root.call('PUT', `/users/${person.id}`, { body }))).toEqual([
      {
        ...by(root, viaSession),
        ...on('User', person),
        action: 'update',
        changes: [
          { field: 'name', prev_value: person.name, new_value: 'Renamed' },
          { field: 'admin', prev_value: false, new_value: true },
          { field: 'slack_user_id', prev_value: null, new_value: 'U' },
        ],
      },
    ])
    expect(await done(() => root.call('PUT', `/users/${person.id}`, { body }))).toEqual([])
    await root.call('DELETE', `/users/${person.id}`)
  })

  it('has locks, passwords, links and its removal', async () => {
    const person = await somebody()
    const path = `/users/${person.id}`
    const entry = { ...by(root, viaSession), ...on('User', person) }
    const lockedBy = (prev_value: unknown, new_value: unknown): unknown => [
      { field: 'locked_by', prev_value, new_value },
    ]
    expect(await done(() => root.call('POST', `${path}/lock`))).toEqual([
      { ...entry, action: 'update', changes: lockedBy(null, 'administrator') },
    ])
    expect(await done(() => root.call('POST', `${path}/unlock`))).toEqual([
      { ...entry, action: 'update', changes: lockedBy('administrator', null) },
    ])
    const body = { user: { password: OTHER } }
    expect(await done(() => root.call('POST', `${path}/set_password`, { body }))).toEqual([
      { ...entry, action: 'update', changes: [{ field: 'password', prev_value: 'hidden', new_value: 'changed' }] },
    ])
    expect(await done(() => root.call('POST', `${path}/generate_reset_link`))).toEqual([
      { ...entry, action: 'custom', comment: 'A reset link was made', changes: [] },
    ])
    expect(await done(() => root.call('DELETE', path))).toEqual([
      {
        ...entry,
        action: 'destroy',
        changes: [
          { field: 'name', prev_value: person.name, new_value: null },
          { field: 'email', prev_value: person.email, new_value: null },
          { field: 'admin', prev_value: false, new_value: null },
        ],
      },
    ])
  })

  it('has a lock after too many failures once', async () => {
    const person = await somebody()
    const entries = await entriesOf(guidance(), async () => {
      for (const guess of ['a', 'b', 'c', 'd'])
        await guidance().nobody.call('POST', '/api/auth/login', { body: { email: person.email, password: guess } })
    })
    expect(entries).toEqual([
      {
        ...on('User', person),
        project_id: null,
        actor_id: null,
        name: 'system',
        via: 'system',
        comment: null,
        action: 'update',
        changes: [{ field: 'locked_by', prev_value: null, new_value: 'attempts' }],
      },
    ])
  })

  it('has what people change in their own accounts', async () => {
    const person = await somebody()
    const session = await guidance().signIn(person.email)
    const entry = { ...by(person, await viaOf(person)), ...on('User', person) }
    const renaming = { user: { name: 'Own name', current_password: PASSWORD } }
    expect(await done(() => session.call('PUT', '/users', { body: renaming }))).toEqual([
      { ...entry, action: 'update', changes: [{ field: 'name', prev_value: person.name, new_value: 'Own name' }] },
    ])
    const leaving = { user: { current_password: PASSWORD } }
    const entries = await done(() => session.call('DELETE', '/users', { body: leaving }))
    expect(entries).toMatchObject([{ ...by({ ...person, name: 'Own name' }, entry.via), action: 'destroy' }])
  })

  it('names the person who registered', async () => {
    const user = { name: 'New', email: 'new@example.org', password: PASSWORD }
    const entries = await done(() => guidance().nobody.call('POST', '/users', { body: { user } }))
    const id = entries[0]?.auditable_id
    expect(entries).toMatchObject([
      { action: 'create', actor_id: id, name: 'New', via: 'registration', audited_name: 'New' },
    ])
  })
})

describe('The audit trail of a token', () => {
  it('has its creation and revocation, and not its use', async () => {
    const person = await somebody()
    const session = await guidance().signIn(person.email)
    const who = by(person, await viaOf(person))
    const entries = await done(() => requestToken(session, { allowed_ips: ['127.0.0.0/8'] }))
    const token = { id: entries[0]?.auditable_id ?? 0, name: 'Script' }
    expect(entries).toEqual([
      {
        ...who,
        ...on('PersonalAccessToken', token),
        action: 'create',
        changes: [
          { field: 'name', prev_value: null, new_value: 'Script' },
          { field: 'scopes', prev_value: null, new_value: ['read'] },
          { field: 'expires_at', prev_value: null, new_value: dayIn(30) },
          { field: 'allowed_ips', prev_value: null, new_value: ['127.0.0.0/8'] },
        ],
      },
    ])
    const path = `/personal_access_tokens/${token.id}`
    expect(await done(() => session.call('DELETE', path))).toMatchObject([
      {
        ...who,
        ...on('PersonalAccessToken', token),
        action: 'update',
        changes: [{ field: 'revoked_at', prev_value: null }],
      },
    ])
    expect(await entriesOf(guidance(), () => script.client.call('GET', '/users'))).toEqual([])
  })
})

describe('The audit trail of a project', () => {
  it.each(['session', 'token'])('names the %s through which it was changed', async (kind) => {
    const client: Client = kind === 'token' ? script.client : root
    const who = by(root, kind === 'token' ? `token ${script.id}` : viaSession)
    const entries = await done(() => client.call('POST', '/projects', { body: { project: { name: 'P' } } }))
    const id = entries[0]?.auditable_id ?? 0
    const entry = { ...who, ...on('Project', { id, name: 'P' }), project_id: id }
    expect(entries).toMatchObject([
      { ...entry, action: 'create' },
      { ...who, action: 'create', auditable_type: 'Membership', project_id: id },
    ])
    expect(entries).toHaveLength(2)
    const body = { project: { visibility: 'discoverable' } }
    expect(await done(() => client.call('PATCH', `/projects/${id}`, { body }))).toEqual([
      {
        ...entry,
        action: 'update',
        changes: [{ field: 'visibility', prev_value: 'hidden', new_value: 'discoverable' }],
      },
    ])
    const member = await somebody()
    const membership = { user_id: member.id, role: 'viewer', membership_type: 'Project', membership_id: id }
    const joined = await done(() => client.call('POST', '/memberships', { body: { membership } }))
    const seat = { ...who, ...on('Membership', { ...member, id: joined[0]?.auditable_id ?? 0 }), project_id: id }
    expect(joined).toEqual([
      { ...seat, action: 'create', changes: [{ field: 'role', prev_value: null, new_value: 'viewer' }] },
    ])
    const path = `/memberships/${seat.auditable_id}`
    const raise = { membership: { role: 'author' } }
    expect(await done(() => client.call('PUT', path, { body: raise }))).toEqual([
      { ...seat, action: 'update', changes: [{ field: 'role', prev_value: 'viewer', new_value: 'author' }] },
    ])
    expect(await done(() => client.call('DELETE', path))).toEqual([
      { ...seat, action: 'destroy', changes: [{ field: 'role', prev_value: 'author', new_value: null }] },
    ])
    expect(await done(() => client.call('DELETE', `/projects/${id}`))).toMatchObject([{ ...entry, action: 'destroy' }])
  })
})

function done(work: () => Promise<Answer>): Promise<readonly Entry[]> {
  return entriesOf(guidance(), async () => {
    const { status, body } = await work()
    expect(status, JSON.stringify(body)).toBe(200)
  })
}

function by(
  { id, name }: Pick<Person, 'id' | 'name'>,
  via: string,
): Pick<Entry, 'actor_id' | 'name' | 'via' | 'comment' | 'project_id'> {
  return { actor_id: id, name, via, comment: null, project_id: null }
}

function on(
  auditable_type: string,
  { id, name }: Pick<Person, 'id' | 'name'>,
): Pick<Entry, 'auditable_type' | 'auditable_id' | 'audited_name'> {
  return { auditable_type, auditable_id: id, audited_name: name }
}

function somebody(): Promise<Person> {
  count += 1
  return guidance().person(`Anybody${count}`)
}

/** The newest session of somebody, as the trail calls it. */
async function viaOf({ id }: Person): Promise<string> {
  const sessions = await rowsOf(guidance(), 'sessions', { user_id: id })
  return `session ${sessions.at(-1)?.id ?? 0}`
}
