// @module-tag database

import { describe, expect, it } from 'vitest'
import type { Membership } from '../../../../src/guidance/authoring/memberships/reader.ts'
import { projectDetail } from '../../../../src/guidance/authoring/projects/schemas.ts'
import { rowOf, rowsOf } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Answer, type Client, type Person } from '../../../support/guidance.ts'

const guidance = guidanceService()

const owner = signedIn(guidance, 'Owner')
let people = 0

function somebody(): Promise<Person> {
  people += 1
  return guidance().person(`Person${people}`)
}

function project(visibility = 'hidden'): Promise<number> {
  return guidance().project(owner, { name: 'Of members', visibility })
}

async function membersOf(id: number, client: Client = owner): Promise<readonly Membership[]> {
  return projectDetail.parse((await client.call('GET', `/projects/${id}`)).body).memberships
}

/** The number of somebody's membership. */
async function numberOf(projectId: number, { id }: { readonly id: number }): Promise<number> {
  const found = await rowOf(guidance(), 'memberships', { project_id: projectId, user_id: id })
  return found.id
}

function add(client: Client, id: number, membership: object): Promise<Answer> {
  const named = { membership_type: 'Project', membership_id: id, role: 'viewer', ...membership }
  return client.call('POST', '/memberships', { body: { membership: named } })
}

function change(client: Client, id: number, role: unknown): Promise<Answer> {
  return client.call('PATCH', `/memberships/${id}`, { body: { membership: { role } } })
}

describe('POST /memberships', () => {
  it.each(['viewer', 'author', 'reviewer', 'admin'])('adds a %s', async (role) => {
    const id = await project()
    const person = await somebody()
    const { status, body } = await add(owner, id, { user_id: person.id, role })
    expect(status).toBe(200)
    expect(body).toEqual({
      toast: { title: 'Membership created.', message: `The role is ${role}.`, variant: 'success' },
    })
    const session = await guidance().signIn(person.email)
    const seen = projectDetail.parse((await session.call('GET', `/projects/${id}`)).body)
    expect(seen.effective_permissions).toBe(role)
    expect(seen.memberships[1]).toEqual({
      id: await numberOf(id, person),
      user_id: person.id,
      role,
      membership_type: 'Project',
      membership_id: id,
      name: person.name,
      email: person.email,
    })
    expect(seen.histories.at(-1)).toMatchObject({
      action: 'create',
      auditable_type: 'Membership',
      audited_name: person.name,
      name: 'Owner',
      audited_changes: [{ field: 'role', prev_value: null, new_value: role }],
    })
  })

  it('refuses an existing member, also for two requests at the same time', async () => {
    const id = await project()
    const person = await somebody()
    const answers = await Promise.all(
      ['viewer', 'author', 'viewer'].map((role) => add(owner, id, { user_id: person.id, role })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    const { body } = await add(owner, id, { user_id: person.id })
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: [{ field: 'user_id', message: 'User is already a member of this project' }],
    })
    expect(await membersOf(id)).toHaveLength(2)
  })

  it.each([
    [{ user_id: 2_000_000_000 }, 'user_id'],
    [{ user_id: 2 ** 31 }, 'user_id'],
    [{ user_id: 2 ** 52 }, 'user_id'],
    [{ user_id: 0 }, 'user_id'],
    [{ user_id: -1 }, 'user_id'],
    [{ user_id: 1.5 }, 'user_id'],
    [{ user_id: '1' }, 'user_id'],
    [{ user_id: null }, 'user_id'],
    [{}, 'user_id'],
    [{ user_id: 1, role: 'owner' }, 'role'],
    [{ user_id: 1, role: null }, 'role'],
    [{ user_id: 1, role: ['admin'] }, 'role'],
    [{ user_id: 1, role: '__proto__' }, 'role'],
    [{ user_id: 1, access_request_id: 'x' }, 'access_request_id'],
    [{ user_id: 1, membership_type: 'Team' }, 'membership_type'],
    [{ user_id: 1, membership_type: undefined }, 'membership_type'],
    [{ user_id: 1, membership_id: 'x' }, 'membership_id'],
    [{ user_id: 1, membership_id: null }, 'membership_id'],
  ])('refuses %j', async (membership, field) => {
    const id = await project()
    const { status, body } = await add(owner, id, membership)
    expect([status, body]).toMatchObject([422, { code: 'validation_failed', errors: [{ field }] }])
    expect(await membersOf(id)).toHaveLength(1)
  })

  it.each([{ membership_type: 'Component' }, { membership_id: 0 }, { membership_id: 2 ** 31 }])(
    'returns 404 for %j',
    async (membership) => {
      const { id: user_id } = await somebody()
      const { status, body } = await add(owner, await project(), { user_id, ...membership })
      expect([status, body]).toMatchObject([404, { code: 'not_found' }])
    },
  )
})

describe('PUT and PATCH /memberships/{id}', () => {
  it.each(['PUT', 'PATCH'])('changes the role of a member by %s', async (method) => {
    const id = await project()
    const person = await somebody()
    await guidance().member(id, person, 'viewer')
    const { status, body } = await owner.call(method, `/memberships/${await numberOf(id, person)}`, {
      body: { membership: { role: 'reviewer', user_id: 1, membership_id: 1 } },
    })
    expect([status, body]).toMatchObject([200, { toast: { title: 'Membership updated.' } }])
    const [, changed] = await membersOf(id)
    expect(changed).toMatchObject({ user_id: person.id, role: 'reviewer', membership_id: id })
  })

  it.each(['owner', null, 1, undefined, {}])('refuses the role %j', async (role) => {
    const id = await project()
    const person = await somebody()
    await guidance().member(id, person, 'viewer')
    const { status, body } = await change(owner, await numberOf(id, person), role)
    expect([status, body]).toMatchObject([422, { errors: [{ field: 'role' }] }])
  })

  it('returns 404 for an invalid number', async () => {
    for (const id of ['0', '-1', 'abc', '2147483648', '2000000000']) {
      const body = { membership: { role: 'viewer' } }
      expect((await owner.call('PATCH', `/memberships/${id}`, { body })).status).toBe(404)
      expect((await owner.call('DELETE', `/memberships/${id}`)).status).toBe(404)
    }
  })
})

describe('DELETE /memberships/{id}', () => {
  it('ends the rights of the member at once and is recorded in the history', async () => {
    const id = await project()
    const person = await somebody()
    await guidance().member(id, person, 'author')
    const session = await guidance().signIn(person.email)
    const number = await numberOf(id, person)
    const { status, body } = await owner.call('DELETE', `/memberships/${number}`)
    expect([status, body]).toMatchObject([200, { toast: { title: 'Membership removed.' } }])
    expect((await session.call('GET', `/projects/${id}`)).status).toBe(404)
    expect((await owner.call('DELETE', `/memberships/${number}`)).status).toBe(404)
    const { histories } = projectDetail.parse((await owner.call('GET', `/projects/${id}`)).body)
    expect(histories.at(-1)).toMatchObject({
      action: 'destroy',
      audited_name: person.name,
      audited_changes: [{ field: 'role', prev_value: 'author', new_value: null }],
    })
  })
})

describe('The last administrator of a project', () => {
  const message = 'The project Of members would have no administrator'

  it('can be neither removed nor demoted', async () => {
    const id = await project()
    await guidance().member(id, await somebody(), 'reviewer')
    const [admin] = await membersOf(id)
    const number = admin?.id ?? 0
    const refused = [await change(owner, number, 'reviewer'), await owner.call('DELETE', `/memberships/${number}`)]
    for (const { status, body } of refused)
      expect([status, body]).toMatchObject([422, { errors: [{ field: 'role', message }] }])
    expect((await change(owner, number, 'admin')).status).toBe(200)
    expect((await membersOf(id))[0]).toMatchObject({ id: number, role: 'admin' })
  })

  it.each(['DELETE', 'PATCH'])('remains when the last two are removed by %s at the same time', async (how) => {
    const other = await somebody()
    const session = await guidance().signIn(other.email)
    for (let round = 0; round < 8; round += 1) {
      const id = await project()
      await guidance().member(id, other, 'admin')
      const numbers = (await membersOf(id)).map((member) => member.id)
      const clients = round % 2 === 0 ? [owner, session] : [session, owner]
      const answers = await Promise.all(
        numbers.map((number, index) => {
          const client = clients[index] ?? owner
          return how === 'PATCH' ? change(client, number, 'viewer') : client.call('DELETE', `/memberships/${number}`)
        }),
      )
      const statuses = answers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      // The person who was removed first may not know the project any more.
      expect([403, 404, 422]).toContain(statuses.find((status) => status !== 200))
      const admins = await rowsOf(guidance(), 'memberships', { project_id: id, role: 'admin' })
      expect(admins).toHaveLength(1)
    }
  })
})
