import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent } from '../../../support/authoring.ts'
import { countRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import { membersOf, zipOf } from '../../../support/zip.ts'

const guidance = guidanceService()

const TABLES = ['projects', 'components', 'rules', 'milestones', 'milestone_parts'] as const

const client = signedIn(guidance, 'Ann')
/** An archive of a component with a reached milestone. */
let members: Readonly<Record<string, Buffer>> = {}
let record: Readonly<Record<string, unknown>> = {}

const added = z.looseObject({ milestone: z.looseObject({ id: z.int() }) })

beforeAll(async () => {
  const { id } = await makeComponent(guidance(), client, { projectId: await guidance().project(client) })
  const path = `/components/${id}/milestones`
  const { body } = await client.call('POST', path, { body: { milestone: { name: 'Draft', due_on: '2027-01-01' } } })
  expect((await client.call('POST', `${path}/${added.parse(body).milestone.id}/reach`)).status).toBe(200)
  const { bytes } = await client.call('GET', `/components/${id}/export/json_archive`)
  members = Object.fromEntries(await membersOf(bytes))
  const records = z.array(z.looseObject({})).parse(JSON.parse(String(members['milestones.json'])))
  record = records[0] ?? {}
})

/** The refusal of the archive with other members; checks that nothing was stored. */
async function refusal(changed: Readonly<Record<string, string | Uint8Array>>): Promise<unknown> {
  const before = await countRows(guidance(), TABLES)
  const form = { file: await zipOf({ ...members, ...changed }), fileName: 'a.zip', fields: { project_name: 'New' } }
  const { status, body } = await client.call('POST', '/projects/create_from_backup', { form })
  expect(await countRows(guidance(), TABLES)).toEqual(before)
  return { status, body }
}

function listed(...changes: readonly object[]): Record<string, string> {
  return { 'milestones.json': JSON.stringify(changes.map((change) => ({ ...record, ...change }))) }
}

function problem(detail: string, code = 'archive_unusable', status = 422): object {
  return { status, body: { code, detail: containing(detail) } }
}

describe('An archive with a damaged list of milestones', () => {
  it.each([
    ['no JSON', () => ({ 'milestones.json': '[' }), 'milestones.json is not JSON'],
    ['no list', () => ({ 'milestones.json': '{}' }), 'milestones.json: '],
    ['no name', () => listed({ name: '' }), 'milestones.json at [0].name'],
    ['no such day', () => listed({ due_on: '2027-02-30' }), 'milestones.json at [0].due_on'],
    ['a year that nobody means', () => listed({ due_on: '0001-01-01' }), 'milestones.json at [0].due_on'],
    ['a path out of its folder', () => listed({ file: '../milestones/1.zip' }), 'milestones.json at [0].file'],
    ['a file of what was not reached', () => listed({ reached_at: null }), 'milestones.json at [0].file'],
    ['a file that the archive lacks', () => listed({ file: 'milestones/7.zip' }), 'lacks milestones/7.zip'],
    ['41 milestones', () => listed(...Array.from({ length: 41 }, () => ({}))), 'milestones.json: '],
    ['odd readiness', () => listed({ readiness: { ready: 'yes' } }), 'milestones.json at [0].readiness'],
  ])('is refused with its place and leaves nothing: %s', async (_what, changed, detail) => {
    expect(await refusal(changed())).toMatchObject(problem(detail))
  })
})

describe('An archive with a damaged frozen archive', () => {
  it('is refused by the name of the file and leaves nothing', async () => {
    const file = 'milestones/1.zip'
    const frozen = members[file] ?? Buffer.alloc(0)
    expect(await refusal({ [file]: 'no zip' })).toMatchObject(problem(`${file}: `, 'bad_zip'))
    expect(await refusal({ [file]: frozen.subarray(0, -30) })).toMatchObject(problem(`${file}: `, 'bad_zip'))
    expect(await refusal({ [file]: await zipOf({ 'a.txt': 'a' }) })).toMatchObject(problem(`${file}: `))
    expect(await refusal({ [file]: randomBytes(10_000_001) })).toMatchObject(
      problem(`${file} is larger than 10 MB`, 'too_large', 413),
    )
    const empty = await zipOf({ 'manifest.json': '{"backup_format_version": "1.1", "components": []}' })
    expect(await refusal({ [file]: empty })).toMatchObject(problem(`${file}: manifest.json at .components`))
  })

  it('is refused if all together are larger than a component may have', async () => {
    const inside = Object.fromEntries(await membersOf(members['milestones/1.zip'] ?? Buffer.alloc(0)))
    const large = await zipOf({ ...inside, padding: randomBytes(9_000_000) })
    const numbers = [1, 2, 3, 4]
    const files = Object.fromEntries(numbers.map((number) => [`milestones/${number}.zip`, large]))
    const records = numbers.map((number) => ({ name: `Draft ${number}`, file: `milestones/${number}.zip` }))
    expect(await refusal({ ...listed(...records), ...files })).toMatchObject(problem('exceed 30 MB'))
  })
})
