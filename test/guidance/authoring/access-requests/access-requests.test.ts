import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  accessRequestSchema,
  projectDetail,
  type ProjectDetail,
} from '../../../../src/guidance/authoring/projects/schemas.ts'
import { componentMember, makeComponent } from '../../../support/authoring.ts'
import { alter } from '../../../support/guidance-records.ts'
import {
  guidanceService,
  signedIn,
  type Answer,
  type Client,
  type Person,
  type SessionClient,
} from '../../../support/guidance.ts'

const guidance = guidanceService()
const withId = z.object({ id: z.int() })
const navigation = z.object({ access_requests: z.array(accessRequestSchema) })

const owner = signedIn(guidance, 'Owner')
let people = 0

async function somebody(): Promise<{ readonly person: Person; readonly session: SessionClient }> {
  people += 1
  const person = await guidance().person(`Person${people}`)
  return { person, session: await guidance().signIn(person.email) }
}

function project(visibility = 'discoverable'): Promise<number> {
  return guidance().project(owner, { name: 'Wanted', visibility })
}

function ask(client: Client, id: number): Promise<Answer> {
  return client.call('POST', `/projects/${id}/project_access_requests`)
}

function take(client: Client, id: number, request: number | string): Promise<Answer> {
  return client.call('DELETE', `/projects/${id}/project_access_requests/${request}`)
}

async function detailOf(id: number): Promise<ProjectDetail> {
  return projectDetail.parse((await owner.call('GET', `/projects/${id}`)).body)
}

async function requestsIn(client: Client, id: number): Promise<readonly number[]> {
  const { body } = await client.call('GET', '/api/navigation')
  const requests = navigation.parse(body).access_requests
  return requests.filter(({ project: wanted }) => wanted.id === id).map((request) => request.id)
}

describe('A request for access to a project', () => {
  it('notifies the administrators of the project and of the site, and nobody else', async () => {
    const id = await project()
    const { person, session } = await somebody()
    const { session: author, person: member } = await somebody()
    await guidance().member(id, member, 'author')
    const { status, body } = await ask(session, id)
    expect(status).toBe(200)
    const { id: request } = withId.parse(body)
    expect(body).toMatchObject({ toast: { title: 'Access requested.', variant: 'success' } })
    const site = await guidance().signUp('Boss', { admin: true })
    expect((await detailOf(id)).access_requests).toEqual([
      { id: request, user: person, project: { id, name: 'Wanted' } },
    ])
    expect(await requestsIn(owner, id)).toEqual([request])
    expect(await requestsIn(site, id)).toEqual([request])
    expect(await requestsIn(author, id)).toEqual([])
    expect(await requestsIn(session, id)).toEqual([])
  })

  it('that is withdrawn can no longer be granted', async () => {
    const id = await project()
    const { person, session } = await somebody()
    const { id: request } = withId.parse((await ask(session, id)).body)
    await take(session, id, request)
    const named = { membership_type: 'Project', membership_id: id, role: 'viewer' }
    const membership = { ...named, user_id: person.id, access_request_id: request }
    const { status, body } = await owner.call('POST', '/memberships', { body: { membership } })
    expect([status, body]).toMatchObject([422, { errors: [{ field: 'access_request_id' }] }])
    expect((await detailOf(id)).memberships).toHaveLength(1)
    const again = withId.parse((await ask(session, id)).body)
    const asked = { membership: { ...membership, access_request_id: again.id } }
    expect((await owner.call('POST', '/memberships', { body: asked })).status).toBe(200)
  })

  it('is stored once when it is sent twice at the same time', async () => {
    const id = await project()
    const { session } = await somebody()
    const answers = await Promise.all([ask(session, id), ask(session, id), ask(session, id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    const message = 'User has already requested access to this project'
    const { body } = await ask(session, id)
    expect(body).toMatchObject({
      code: 'validation_failed',
      toast: { title: 'Could not request access.', message, variant: 'danger' },
    })
    expect((await detailOf(id)).access_requests).toHaveLength(1)
  })

  it('is refused to members', async () => {
    const id = await project('hidden')
    const { person, session } = await somebody()
    await guidance().member(id, person, 'viewer')
    const { status, body } = await ask(session, id)
    const message = 'User is already a member of this project'
    expect([status, body]).toMatchObject([422, { errors: [{ field: null, message }] }])
    expect((await detailOf(id)).access_requests).toEqual([])
  })

  it('is deleted when its author becomes a member at the same moment', async () => {
    const { person, session } = await somebody()
    for (let round = 0; round < 10; round += 1) {
      const id = await project()
      await Promise.all([ask(session, id), guidance().member(id, person, 'viewer')])
      expect((await detailOf(id)).access_requests).toEqual([])
    }
  })
})

describe('A request for access to a hidden project', () => {
  it('is refused to a component member, with the project administrators to contact', async () => {
    const id = await project('hidden')
    const { person, session } = await somebody()
    const component = await makeComponent(guidance(), owner, { projectId: id })
    await componentMember(guidance(), component.id, { person, role: 'viewer' })
    const refused = { status: 403, body: { code: 'permission_denied', admins: [{ name: 'Owner' }] } }
    expect(await session.call('GET', `/projects/${id}`)).toMatchObject(refused)
    expect(await ask(session, id)).toMatchObject(refused)
    expect((await detailOf(id)).access_requests).toEqual([])
  })
})

describe('A request for access', () => {
  it('makes its author a member when it is granted', async () => {
    const id = await project()
    const { person, session } = await somebody()
    const other = await somebody()
    const { id: access_request_id } = withId.parse((await ask(session, id)).body)
    await ask(other.session, id)
    const elsewhere = await project()
    await ask(session, elsewhere)
    const membership = { membership_type: 'Project', membership_id: id, role: 'author' }
    const { status } = await owner.call('POST', '/memberships', {
      body: { membership: { ...membership, user_id: person.id, access_request_id } },
    })
    expect(status).toBe(200)
    const { memberships, access_requests } = await detailOf(id)
    expect(memberships.map(({ name }) => name)).toEqual(['Owner', person.name])
    expect(access_requests.map(({ user }) => user.id)).toEqual([other.person.id])
    expect(await requestsIn(owner, elsewhere)).toHaveLength(1)
    expect((await session.call('GET', `/projects/${id}`)).status).toBe(200)
  })

  it('is denied by an administrator and withdrawn by its author', async () => {
    const id = await project()
    const { session, person } = await somebody()
    for (const [client, title] of [
      [owner, 'Access request denied.'],
      [session, 'Access request cancelled.'],
    ] as const) {
      const { id: request } = withId.parse((await ask(session, id)).body)
      const { status, body } = await take(client, id, request)
      expect(status).toBe(200)
      expect(body).toMatchObject({ toast: { title, variant: 'success' }, id: request })
      expect((await take(client, id, request)).status).toBe(404)
    }
    const { access_requests, histories } = await detailOf(id)
    expect(access_requests).toEqual([])
    const trail = histories.filter(({ auditable_type }) => auditable_type === 'ProjectAccessRequest')
    expect(trail.map(({ action, name, audited_name }) => [action, name, audited_name])).toEqual([
      ['create', person.name, person.name],
      ['destroy', 'Owner', person.name],
      ['create', person.name, person.name],
      ['destroy', person.name, person.name],
    ])
  })

  it('is hidden from strangers, members and other projects', async () => {
    const id = await project()
    const elsewhere = await project()
    const { session } = await somebody()
    const { id: request } = withId.parse((await ask(session, id)).body)
    const stranger = await somebody()
    const reviewer = await somebody()
    await guidance().member(id, reviewer.person, 'reviewer')
    for (const answer of [
      await take(stranger.session, id, request),
      await take(reviewer.session, id, request),
      await take(owner, elsewhere, request),
      await take(session, elsewhere, request),
      await take(owner, id, 'abc'),
      await take(owner, id, 2 ** 31),
    ])
      expect([answer.status, answer.body]).toMatchObject([404, { code: 'not_found' }])
    expect((await detailOf(id)).access_requests).toHaveLength(1)
  })

  it('can be withdrawn after the project has become hidden', async () => {
    const id = await project()
    const { session } = await somebody()
    const { id: request } = withId.parse((await ask(session, id)).body)
    await owner.call('PATCH', `/projects/${id}`, { body: { project: { visibility: 'hidden' } } })
    expect((await take(session, id, request)).status).toBe(200)
  })

  it('is deleted with its author', async () => {
    const id = await project()
    const { session, person } = await somebody()
    await ask(session, id)
    await alter(guidance(), (writer) => writer.deleteFrom('users').where('id', '=', person.id).execute())
    expect((await detailOf(id)).access_requests).toEqual([])
  })
})
