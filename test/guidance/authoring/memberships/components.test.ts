import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { componentMember, makeComponent } from '../../../support/authoring.ts'
import { entriesOf, rowOf, rowsOf } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Answer, type Client, type Person } from '../../../support/guidance.ts'

const guidance = guidanceService()
const owner = signedIn(guidance, 'Owner')
let projectId: number
let componentId: number
let people = 0

beforeAll(async () => {
  projectId = await guidance().project(owner, { name: 'P', visibility: 'hidden' })
  componentId = (await makeComponent(guidance(), owner, { projectId })).id
})

function somebody(): Promise<Person> {
  people += 1
  return guidance().person(`Somebody${people}`)
}

function add(client: Client, person: { readonly id: number }, role: string): Promise<Answer> {
  const membership = { membership_type: 'Component', membership_id: componentId, role }
  return client.call('POST', '/memberships', { body: { membership: { ...membership, user_id: person.id } } })
}

/** Somebody's membership of the component. */
async function membershipOf({ id: user_id }: Person): Promise<{ readonly id: number; readonly role: string } | null> {
  const [found] = await rowsOf(guidance(), 'component_memberships', { component_id: componentId, user_id })
  return found ?? null
}

async function projectMembership({ id }: Person): Promise<number> {
  const found = await rowOf(guidance(), 'memberships', { project_id: projectId, user_id: id })
  return found.id
}

function change(client: Client, id: number, role: string): Promise<Answer> {
  return client.call('PATCH', `/memberships/${id}`, { body: { membership: { role } } })
}

describe('A membership of a component', () => {
  it('is created, changed and removed by an administrator of the component', async () => {
    const [chief, person] = [await somebody(), await somebody()]
    await componentMember(guidance(), componentId, { person: chief, role: 'admin' })
    const client = await guidance().signIn(chief.email)
    const entries = await entriesOf(guidance(), async () => {
      expect((await add(client, person, 'author')).status).toBe(200)
      const membership = await membershipOf(person)
      expect(membership?.role).toBe('author')
      expect(membership?.id).toBeGreaterThan(1_000_000_000)
      expect((await change(client, membership?.id ?? 0, 'reviewer')).status).toBe(200)
      expect((await membershipOf(person))?.role).toBe('reviewer')
      const removed = await client.call('DELETE', `/memberships/${membership?.id ?? 0}`)
      expect(removed).toMatchObject({ status: 200, body: { toast: { title: 'Membership removed.' } } })
      expect(await membershipOf(person)).toBeNull()
    })
    expect(entries).toMatchObject([
      { action: 'create', auditable_type: 'Membership', audited_name: person.name },
      { action: 'update', project_id: projectId },
      { action: 'destroy', name: chief.name },
    ])
  })

  it.each(['viewer', 'author', 'reviewer'] as const)('cannot be created by a %s', async (role) => {
    const [member, person] = [await somebody(), await somebody()]
    await componentMember(guidance(), componentId, { person: member, role })
    const client = await guidance().signIn(member.email)
    expect((await add(client, person, 'viewer')).status).toBe(403)
    const membership = await membershipOf(member)
    expect((await change(client, membership?.id ?? 0, 'admin')).status).toBe(403)
    expect((await client.call('DELETE', `/memberships/${membership?.id ?? 0}`)).status).toBe(403)
  })

  it('grants no right to the project or to another component', async () => {
    const [chief, person] = [await somebody(), await somebody()]
    await componentMember(guidance(), componentId, { person: chief, role: 'admin' })
    const client = await guidance().signIn(chief.email)
    const other = await makeComponent(guidance(), owner, { projectId })
    const targets = [
      [{ membership_type: 'Project', membership_id: projectId }, 403],
      [{ membership_type: 'Component', membership_id: other.id }, 404],
    ] as const
    for (const [target, expected] of targets) {
      const membership = { ...target, user_id: person.id, role: 'viewer' }
      const { status } = await client.call('POST', '/memberships', { body: { membership } })
      expect(status).toBe(expected)
    }
  })

  it('grants the name of the project, but not its contents', async () => {
    const person = await somebody()
    const client = await guidance().signIn(person.email)
    const reads = ['', '/histories', '/comments', '/export/csv', '/triage_response_templates']
    const paths = [
      ...reads.map((path) => `/projects/${projectId}${path}`),
      ...['stats', 'triage_summary'].map((path) => `/api/projects/${projectId}/${path}`),
      `/components/history?project_id=${projectId}&name=x`,
    ]
    const statuses = async (): Promise<readonly number[]> =>
      Promise.all(paths.map(async (path) => (await client.call('GET', path)).status))
    expect(new Set(await statuses())).toEqual(new Set([404]))
    await componentMember(guidance(), componentId, { person, role: 'viewer' })
    expect(new Set(await statuses())).toEqual(new Set([403]))
  })

  it('must grant more than the role in the project', async () => {
    const person = await somebody()
    await guidance().member(projectId, person, 'author')
    for (const role of ['viewer', 'author'])
      expect(await add(owner, person, role)).toMatchObject({ status: 422, body: { errors: [{ field: 'role' }] } })
    expect((await add(owner, person, 'reviewer')).status).toBe(200)
    const { id } = (await membershipOf(person)) ?? { id: 0 }
    expect((await change(owner, id, 'author')).status).toBe(422)
    expect((await change(owner, id, 'admin')).status).toBe(200)
  })

  it('is stored once when it is created twice at the same time', async () => {
    const person = await somebody()
    const answers = await Promise.all(['viewer', 'author'].map((role) => add(owner, person, role)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await add(owner, person, 'admin')).toMatchObject({
      status: 422,
      body: { errors: [{ message: 'User is already a member of this component' }] },
    })
  })

  it('requires a user and a component', async () => {
    expect(await add(owner, { id: 2_000_000_000 }, 'viewer')).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'user_id' }] },
    })
    const membership = { membership_type: 'Component', membership_id: 2_000_000_000 }
    const { status } = await owner.call('POST', '/memberships', {
      body: { membership: { ...membership, user_id: owner.id, role: 'viewer' } },
    })
    expect(status).toBe(404)
  })
})

describe('A role in the project', () => {
  it('replaces component memberships that grant no more, when it is granted', async () => {
    const [weak, strong] = [await somebody(), await somebody()]
    await componentMember(guidance(), componentId, { person: weak, role: 'author' })
    await componentMember(guidance(), componentId, { person: strong, role: 'reviewer' })
    const entries = await entriesOf(guidance(), async () => {
      for (const person of [weak, strong]) await guidance().member(projectId, person, 'author')
    })
    expect(await membershipOf(weak)).toBeNull()
    expect((await membershipOf(strong))?.role).toBe('reviewer')
    expect(entries.map(({ action }) => action)).toEqual(['create', 'destroy', 'create'])
  })

  it('replaces them when it is raised, but not when it is lowered', async () => {
    const person = await somebody()
    await guidance().member(projectId, person, 'viewer')
    await componentMember(guidance(), componentId, { person, role: 'reviewer' })
    const id = await projectMembership(person)
    for (const [role, left] of [
      ['author', 'reviewer'],
      ['viewer', 'reviewer'],
      ['reviewer', undefined],
    ] as const) {
      expect((await change(owner, id, role)).status).toBe(200)
      expect((await membershipOf(person))?.role).toBe(left)
    }
  })

  it('keeps memberships in other projects', async () => {
    const person = await somebody()
    await componentMember(guidance(), componentId, { person, role: 'viewer' })
    const other = await guidance().project(owner, { name: 'Other' })
    await guidance().member(other, person, 'admin')
    expect((await membershipOf(person))?.role).toBe('viewer')
  })

  it('removes weaker memberships when both are granted at the same time', async () => {
    for (let round = 0; round < 6; round += 1) {
      const person = await somebody()
      await Promise.all([add(owner, person, 'author'), guidance().member(projectId, person, 'reviewer')])
      expect(await membershipOf(person)).toBeNull()
    }
  })
})

describe('GET /api/users/search for a component', () => {
  const found = z.object({ users: z.array(z.object({ name: z.string() })) })

  async function search(client: Client, parameters = ''): Promise<readonly string[]> {
    const query = `membership_type=Component&membership_id=${componentId}&limit=25&q=seeker`
    const { body } = await client.call('GET', `/api/users/search?${query}${parameters}`)
    return found.parse(body).users.map(({ name }) => name)
  }

  it('finds either people who can be added or members of component and project', async () => {
    const [none, direct, viewer, admin] = await Promise.all(
      ['None', 'Direct', 'Viewer', 'Admin'].map((name) => guidance().person(`Seeker${name}`)),
    )
    if (!none || !direct || !viewer || !admin) throw new Error('Somebody is missing')
    await componentMember(guidance(), componentId, { person: direct, role: 'admin' })
    await guidance().member(projectId, viewer, 'viewer')
    await guidance().member(projectId, admin, 'admin')
    for (const client of [owner, await guidance().signIn(direct.email)]) {
      expect(await search(client)).toEqual(['SeekerNone', 'SeekerViewer'])
      expect(await search(client, '&scope=members')).toEqual(['SeekerAdmin', 'SeekerDirect', 'SeekerViewer'])
    }
    const client = await guidance().signIn(viewer.email)
    expect(await search(client, '&scope=members')).toHaveLength(3)
    const path = `/api/users/search?membership_type=Component&membership_id=${componentId}&q=seeker`
    expect((await client.call('GET', path)).status).toBe(403)
    const stranger = await guidance().signIn(none.email)
    for (const parameters of ['', '&scope=members'])
      expect((await stranger.call('GET', `${path}${parameters}`)).status).toBe(404)
    const unknown = path.replace(String(componentId), '2000000000')
    expect((await owner.call('GET', unknown)).status).toBe(404)
  })
})
