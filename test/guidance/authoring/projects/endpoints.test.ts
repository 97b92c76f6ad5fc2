import { describe, expect, it } from 'vitest'
import { projectDetail, type ProjectDetail } from '../../../../src/guidance/authoring/projects/schemas.ts'
import { rowsOf } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Client } from '../../../support/guidance.ts'

const guidance = guidanceService()

const owner = signedIn(guidance, 'Owner')

async function detailOf(client: Client, id: number): Promise<ProjectDetail> {
  const { status, body } = await client.call('GET', `/projects/${id}`)
  expect(status).toBe(200)
  return projectDetail.parse(body)
}

function create(project: unknown): ReturnType<Client['call']> {
  return owner.call('POST', '/projects', { body: { project } })
}

describe('POST /projects', () => {
  it('creates a hidden project with its creator as administrator', async () => {
    const { status, body } = await create({ name: '  A name  ' })
    expect(status).toBe(200)
    const id = Number(/"id":(\d+)/.exec(JSON.stringify(body))?.[1])
    expect(body).toEqual({
      toast: { title: 'Project created.', variant: 'success', message: 'You are its administrator.' },
      redirect_url: `/projects/${id}`,
      id,
    })
    expect(await detailOf(owner, id)).toMatchObject({
      name: 'A name',
      description: null,
      visibility: 'hidden',
      metadata: {},
      lock_version: 0,
      memberships_count: 1,
      admin_email: 'owner@example.org',
      effective_permissions: 'admin',
      memberships: [{ role: 'admin', membership_type: 'Project', membership_id: id }],
      access_requests: [],
    })
  })

  it('accepts every field of a project', async () => {
    const data = { 'Slack Channel ID': 'loses', owner: 'x', constructor: 'c', toString: '' }
    const id = await guidance().project(owner, {
      name: 'x'.repeat(255),
      description: 'y'.repeat(5000),
      visibility: 'discoverable',
      project_metadata_attributes: { data },
      slack_channel_id: 'C123',
      id: 1,
      lock_version: 77,
      admin: true,
    })
    const detail = await detailOf(owner, id)
    expect(detail).toMatchObject({ visibility: 'discoverable', lock_version: 0 })
    expect([detail.name.length, detail.description?.length]).toEqual([255, 5000])
    expect(detail.metadata).toEqual({ ...data, 'Slack Channel ID': 'C123' })
  })

  it.each([null, undefined])('treats visibility %s as hidden', async (visibility) => {
    const id = await guidance().project(owner, { name: 'No visibility', visibility })
    expect((await detailOf(owner, id)).visibility).toBe('hidden')
  })

  it('treats a blank description as none', async () => {
    const id = await guidance().project(owner, { name: 'Blank', description: '  ' })
    expect((await detailOf(owner, id)).description).toBeNull()
  })

  it.each([
    [{}, 'name', "Name can't be blank"],
    [{ name: null }, 'name', "Name can't be blank"],
    [{ name: ' \t ' }, 'name', "Name can't be blank"],
    [{ name: 7 }, 'name', 'Name must be a text'],
    [{ name: ['a'] }, 'name', 'Name must be a text'],
    [{ name: 'x'.repeat(256) }, 'name', 'Name is too long (maximum is 255 characters)'],
    [{ name: 'a\0b' }, 'name', 'Name has characters that cannot be stored (U+0000 at position 2)'],
    [{ name: '\ud800' }, 'name', 'Name has characters that cannot be stored (U+D800 at position 1)'],
    [{ name: 'n', description: 7 }, 'description', 'Description must be a text'],
    [
      { name: 'n', description: 'x'.repeat(5001) },
      'description',
      'Description is too long (maximum is 5000 characters)',
    ],
    [{ name: 'n', visibility: 'x' }, 'visibility', 'Visibility must be discoverable or hidden'],
    [{ name: 'n', visibility: 1 }, 'visibility', 'Visibility must be discoverable or hidden'],
    [{ name: 'n', slack_channel_id: 5 }, 'slack_channel_id', 'Slack channel must be a text'],
  ])('refuses %j', async (project, field, message) => {
    const { status, body } = await create(project)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'validation_failed',
      toast: { title: 'Could not create project.', message, variant: 'danger' },
      errors: [{ field, message }],
    })
  })

  it.each([
    ['a text', 'x'],
    ['a list', []],
    ['a number in it', { a: 1 }],
    ['null in it', { a: null }],
    ['an object in it', { a: { b: 'c' } }],
    ['an empty key', { '': 'x' }],
    ['a long key', { ['k'.repeat(256)]: 'x' }],
    ['a long value', { a: 'x'.repeat(5001) }],
    ['NUL', { a: '\0' }],
    ['NUL in a key', { 'a\0': 'x' }],
    ['half a character', { a: '\ud800' }],
    ['too many', Object.fromEntries(Array.from({ length: 101 }, (_, key) => [`k${key}`, 'v']))],
  ])('refuses metadata that is or has %s', async (_what, data) => {
    const { status, body } = await create({ name: 'n', project_metadata_attributes: { data } })
    expect([status, body]).toMatchObject([422, { code: 'validation_failed' }])
  })

  it('accepts no metadata key that changes the prototype of objects', async () => {
    const project = `{"name":"Polluted","project_metadata_attributes":{"data":
      {"__proto__":"x","constructor":"y","prototype":"z"}},"__proto__":{"visibility":"discoverable"}}`
    const { status, body } = await owner.call('POST', '/projects', { body: `{"project":${project}}` })
    expect(status).toBe(200)
    const detail = await detailOf(owner, Number(/"id":(\d+)/.exec(JSON.stringify(body))?.[1]))
    expect(Object.entries(detail.metadata)).toEqual([
      ['constructor', 'y'],
      ['prototype', 'z'],
    ])
    expect(detail.visibility).toBe('hidden')
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('GET /projects/{id}', () => {
  it('returns the project to a member, with its version as ETag and formatted times', async () => {
    const id = await guidance().project(owner, { name: 'Shown', description: 'to members' })
    const viewer = await guidance().person('Viewer')
    await guidance().member(id, viewer, 'viewer')
    const session = await guidance().signIn(viewer.email)
    const { headers, body } = await session.call('GET', `/projects/${id}`)
    expect(headers.etag).toBe('"0"')
    expect(headers['cache-control']).toBe('no-store')
    expect(Object.keys(projectDetail.strict().parse(body)).sort()).toEqual(Object.keys(projectDetail.shape).sort())
    const detail = projectDetail.parse(body)
    for (const time of [detail.created_at, detail.updated_at])
      expect(time).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    expect(detail).toMatchObject({
      effective_permissions: 'viewer',
      memberships_count: 2,
      memberships: [{ name: 'Owner' }, { name: 'Viewer', role: 'viewer', user_id: viewer.id }],
    })
  })

  it('lists access requests for its administrators only', async () => {
    const id = await guidance().project(owner, { name: 'Asked', visibility: 'discoverable' })
    const asker = await guidance().person('Asker')
    const author = await guidance().person('Author')
    await guidance().member(id, author, 'author')
    await (await guidance().signIn(asker.email)).call('POST', `/projects/${id}/project_access_requests`)
    const site = await guidance().signUp('Siteadmin', { admin: true })
    const request = { user: asker, project: { id, name: 'Asked' } }
    expect((await detailOf(owner, id)).access_requests).toMatchObject([request])
    const seen = await detailOf(site, id)
    expect(seen.access_requests).toMatchObject([request])
    expect(seen.effective_permissions).toBe('admin')
    const session = await guidance().signIn(author.email)
    expect((await detailOf(session, id)).access_requests).toEqual([])
  })

  it('names the administrators for non-members who may discover the project', async () => {
    const id = await guidance().project(owner, { name: 'Discover', visibility: 'discoverable' })
    const session = await guidance().signUp('Passer')
    const { status, body } = await session.call('GET', `/projects/${id}`)
    expect(status).toBe(403)
    expect(body).toMatchObject({
      code: 'permission_denied',
      detail: 'You are not authorized to perform viewer actions on this project.',
      admins: [{ name: 'Owner', email: 'owner@example.org' }],
      toast: { title: 'Not Authorized.', variant: 'danger' },
    })
  })
})

describe('GET /projects/{id}/histories', () => {
  it('lists the newest fifty changes of the project and its members, oldest first', async () => {
    const id = await guidance().project(owner, { name: 'Storied' })
    await guidance().member(id, await guidance().person('Storyteller'), 'viewer')
    for (let index = 0; index < 51; index += 1)
      await owner.call('PATCH', `/projects/${id}`, { body: { project: { name: `S${index}` } } })
    const { body } = await owner.call('GET', `/projects/${id}/histories`)
    const { histories } = await detailOf(owner, id)
    expect(body).toEqual(histories)
    expect(histories).toHaveLength(50)
    expect(histories[0]?.audited_changes).toEqual([{ field: 'name', prev_value: 'S0', new_value: 'S1' }])
    expect(histories[49]?.via).toMatch(/^session \d+$/)
    expect(histories[49]).toMatchObject({
      action: 'update',
      auditable_type: 'Project',
      auditable_id: id,
      name: 'Owner',
      audited_changes: [{ field: 'name', prev_value: 'S49', new_value: 'S50' }],
    })
    const before = histories[0]?.id
    const earlier = await owner.call('GET', `/projects/${id}/histories?before=${before}`)
    expect(earlier.body).toMatchObject([
      { action: 'create', auditable_type: 'Project' },
      { action: 'create', auditable_type: 'Membership', audited_name: 'Owner' },
      { action: 'create', auditable_type: 'Membership', audited_name: 'Storyteller' },
      { audited_changes: [{ field: 'name', prev_value: 'Storied', new_value: 'S0' }] },
    ])
  })

  it('begins with the creation of the project and of its first administrator', async () => {
    const id = await guidance().project(owner, { name: 'Begun' })
    const { histories } = await detailOf(owner, id)
    expect(histories).toMatchObject([
      { action: 'create', auditable_type: 'Project', audited_name: 'Begun' },
      { action: 'create', auditable_type: 'Membership', audited_name: 'Owner' },
    ])
  })
})

describe('DELETE /projects/{id}', () => {
  it('removes the project with its members and requests, and keeps the audit trail', async () => {
    const id = await guidance().project(owner, { name: 'Doomed', visibility: 'discoverable' })
    const other = await guidance().project(owner, { name: 'Spared' })
    const hopeful = await guidance().signUp('Hopeful')
    await hopeful.call('POST', `/projects/${id}/project_access_requests`)
    await guidance().member(id, await guidance().person('Orphan'), 'author')
    const { status, body } = await owner.call('DELETE', `/projects/${id}`)
    expect([status, body]).toMatchObject([200, { toast: { title: 'Project removed.' } }])
    expect((await owner.call('GET', `/projects/${id}`)).status).toBe(404)
    expect((await owner.call('DELETE', `/projects/${id}`)).status).toBe(404)
    const { read } = guidance().service.guidance.database
    for (const table of ['memberships', 'project_access_requests'] as const)
      expect(await read.selectFrom(table).select('id').where('project_id', '=', id).execute()).toEqual([])
    const trail = await rowsOf(guidance(), 'audits', { auditable_type: 'Project', auditable_id: id })
    expect(trail).toMatchObject([
      { action: 'create', audited_name: 'Doomed' },
      { action: 'destroy', audited_name: 'Doomed' },
    ])
    expect((await detailOf(owner, other)).name).toBe('Spared')
  })
})
