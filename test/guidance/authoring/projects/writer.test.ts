import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { projectDetail, type ProjectDetail } from '../../../../src/guidance/authoring/projects/schemas.ts'
import { guidanceService, signedIn, type Answer, type SessionClient } from '../../../support/guidance.ts'

const guidance = guidanceService()
const edited = z.object({ lock_version: z.int() })

const ada = signedIn(guidance, 'Ada')
const bob = signedIn(guidance, 'Bob', { admin: true })

async function detailOf(id: number): Promise<ProjectDetail> {
  return projectDetail.parse((await ada.call('GET', `/projects/${id}`)).body)
}

type At = number | { readonly id: number; readonly ifMatch: string }

function edit(who: SessionClient, target: At, project: unknown): Promise<Answer> {
  const { id, headers } =
    typeof target === 'number'
      ? { id: target, headers: {} }
      : { id: target.id, headers: { 'If-Match': target.ifMatch } }
  return who.call('PATCH', `/projects/${id}`, { body: { project }, headers })
}

const FULL = {
  name: 'Before',
  description: 'Text',
  visibility: 'discoverable',
  project_metadata_attributes: { data: { a: '1', b: '2' } },
}

describe('An edit of a project', () => {
  it.each(['PUT', 'PATCH'])('changes only the given fields by %s', async (method) => {
    const id = await guidance().project(ada, FULL)
    const before = await detailOf(id)
    const { status, headers, body } = await ada.call(method, `/projects/${id}`, {
      body: { project: { name: 'After' } },
    })
    expect([status, headers.etag]).toEqual([200, '"1"'])
    expect(body).toMatchObject({ toast: { title: 'Project updated.' }, lock_version: 1 })
    const { updated_at, histories, ...after } = await detailOf(id)
    expect(after).toEqual({
      ...after,
      name: 'After',
      description: 'Text',
      visibility: 'discoverable',
      metadata: { a: '1', b: '2' },
      lock_version: 1,
      created_at: before.created_at,
    })
    expect(updated_at >= before.updated_at).toBe(true)
    expect(histories.at(-1)?.audited_changes).toEqual([{ field: 'name', prev_value: 'Before', new_value: 'After' }])
  })

  it('removes the description with null and replaces metadata as a whole', async () => {
    const id = await guidance().project(ada, FULL)
    const project = {
      description: null,
      visibility: 'hidden',
      project_metadata_attributes: { data: { c: '3' } },
      slack_channel_id: 'C9',
    }
    expect((await edit(ada, id, project)).status).toBe(200)
    expect(await detailOf(id)).toMatchObject({ name: 'Before', visibility: 'hidden' })
    const { description, metadata } = await detailOf(id)
    expect([description, metadata]).toEqual([null, { c: '3', 'Slack Channel ID': 'C9' }])
    await edit(ada, id, { project_metadata_attributes: { data: {} } })
    expect((await detailOf(id)).metadata).toEqual({})
  })

  it('makes the project searchable by its new name and description only', async () => {
    const id = await guidance().project(ada, { name: 'Oldname', description: 'Oldtext' })
    await edit(ada, id, { name: 'NEWname', description: 'NEWtext' })
    const found = async (q: string): Promise<unknown> => (await ada.call('GET', `/api/projects?q=${q}`)).body
    for (const q of ['newname', 'newtext']) expect(await found(q)).toMatchObject({ rows: [{ id }] })
    for (const q of ['oldname', 'oldtext']) expect(await found(q)).toMatchObject({ rows: [] })
  })

  it.each([
    { name: null },
    { name: '' },
    { name: 'x'.repeat(256) },
    { visibility: null },
    { visibility: 'public' },
    { lock_version: '1' },
    { lock_version: 1.5 },
    { lock_version: null },
    { project_metadata_attributes: null },
    { project_metadata_attributes: {} },
  ])('is refused for %j and changes nothing', async (project) => {
    const id = await guidance().project(ada, FULL)
    const { status, body } = await edit(ada, id, { description: 'sneaked in', ...project })
    expect([status, body]).toMatchObject([
      422,
      { code: 'validation_failed', toast: { title: 'Could not update project.' } },
    ])
    expect(await detailOf(id)).toMatchObject({ description: 'Text', lock_version: 0 })
  })
})

describe('Concurrent edits of a project', () => {
  it.each(['lock_version', 'If-Match'])('refuse the second editor by %s and return the current state', async (how) => {
    const id = await guidance().project(ada, FULL)
    const editAfter = (who: SessionClient, version: number, name: string): Promise<Answer> =>
      how === 'If-Match'
        ? edit(who, { id, ifMatch: `"${version}"` }, { name })
        : edit(who, id, { name, lock_version: version })
    expect((await editAfter(ada, 0, 'First')).status).toBe(200)
    const { status, body } = await editAfter(bob, 0, 'Second')
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'edit_conflict',
      current: { id, name: 'First', description: 'Text', lock_version: 1, metadata: { a: '1' } },
    })
    expect((await detailOf(id)).name).toBe('First')
    expect((await editAfter(bob, 1, 'Second')).status).toBe(200)
    expect(await detailOf(id)).toMatchObject({ name: 'Second', lock_version: 2 })
  })

  it('accept one of two requests with the same version', async () => {
    const id = await guidance().project(ada, FULL)
    for (let version = 0; version < 10; version += 1) {
      const answers = await Promise.all(
        [ada, bob, ada, bob].map((who, index) =>
          edit(who, id, { name: `${version} by ${index}`, lock_version: version }),
        ),
      )
      const statuses = answers.map(({ status }) => status).sort()
      expect(statuses).toEqual([200, 409, 409, 409])
      const winner = answers.findIndex(({ status }) => status === 200)
      expect((await detailOf(id)).name).toBe(`${version} by ${winner}`)
    }
  })

  it('without versions are both recorded in the history, and the later one is stored', async () => {
    const id = await guidance().project(ada, FULL)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => edit(index % 2 === 0 ? ada : bob, id, { name: `N${index}` })),
    )
    const versions = answers.map(({ body }) => edited.parse(body).lock_version)
    // Each is told of its own edit, so that nobody takes another's for theirs.
    expect([...versions].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    const { name, histories, lock_version } = await detailOf(id)
    expect([name, lock_version]).toEqual([`N${versions.indexOf(8)}`, 8])
    const updates = histories.filter(({ action }) => action === 'update')
    const values = updates.flatMap(({ audited_changes }) => audited_changes)
    expect(new Set(values.map(({ new_value }) => new_value)).size).toBe(8)
    const last = values.map(({ prev_value }) => prev_value).slice(1)
    expect(last).toEqual(values.map(({ new_value }) => new_value).slice(0, -1))
  })

  it.each(['"0', 'W/"0"', '0', '"0", "1"', '"x"', '""'])('reject the invalid version If-Match: %s', async (header) => {
    const id = await guidance().project(ada, FULL)
    const { status, body } = await edit(ada, { id, ifMatch: header }, { name: 'No' })
    expect([status, body]).toMatchObject([400, { code: 'parameter_invalid', parameter: 'If-Match' }])
  })

  it('accept If-Match with any version', async () => {
    const id = await guidance().project(ada, FULL)
    expect((await edit(ada, { id, ifMatch: '*' }, { name: 'One' })).status).toBe(200)
    expect((await edit(ada, { id, ifMatch: ' "1" ' }, { name: 'Two' })).status).toBe(200)
    const answer = await edit(ada, { id, ifMatch: '"0"' }, { name: 'Three', lock_version: 2 })
    expect(answer.status).toBe(200)
  })
})
