// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { archiveOf, namedSrg, type NamedSrg, SAMPLE_RULE } from '../../../../support/archive.ts'
import { storeSrg } from '../../../../support/authoring.ts'
import { countRows, rowOf, rowsOf } from '../../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Answer, type SessionClient } from '../../../../support/guidance.ts'
import { containing } from '../../../../support/matchers.ts'
import { xccdfDocument } from '../../../../support/xccdf-document.ts'
import { zipOf } from '../../../../support/zip.ts'

const service = guidanceService()

const client = signedIn(service, 'Ann')
let based_on: NamedSrg

beforeAll(async () => {
  based_on = await namedSrg(service(), await storeSrg(service()))
})

async function send(
  file: string | Uint8Array,
  fields: Readonly<Record<string, string>> = {},
  by: SessionClient = client,
): Promise<Answer> {
  const projectId = await service().project(by)
  return by.call('POST', `/projects/${projectId}/import_backup`, { form: { file, fields } })
}

const TABLES = [
  'projects',
  'components',
  'rules',
  'reviews',
  'reactions',
  'benchmarks',
  'audits',
  'events',
  'memberships',
  'additional_questions',
  'rule_satisfactions',
] as const

const REVIEW = {
  external_id: 7,
  rule_id: '000001',
  action: 'comment',
  comment: 'Why?',
  user_name: 'Zoe',
  created_at: '2025-01-02T03:04:05.123456Z',
  triage_status: 'pending',
}

describe('An archive of an earlier version', () => {
  it.each([
    ['draft', { comment_phase: 'open', closed_reason: null }],
    ['adjudication', { comment_phase: 'closed', closed_reason: 'adjudicating' }],
    ['final', { comment_phase: 'closed', closed_reason: 'finalized' }],
  ])('has the comment phase %s', async (comment_phase, expected) => {
    const manifest = { backup_format_version: '1.0', components: [{ name: 'Pots' }] }
    const { status, body } = await send(await archiveOf({ based_on, comment_phase }, { manifest }))
    expect([status, body]).toMatchObject([200, { toast: { title: 'Imported 1 component.' } }])
    expect((await rowsOf(service(), 'components')).at(-1)).toMatchObject(expected)
  })
})

describe('An archive', () => {
  it('imports the SRG that it requires, and no other, for a site administrator', async () => {
    const needed = { srg_id: 'Needed_SRG', title: 'Needed', version: 'V1R1' }
    const component = { based_on: needed }
    const document = (id: string): string => xccdfDocument({ id, kind: 'srg' })
    const parts = {
      'manifest.json': JSON.stringify({
        backup_format_version: '1.1',
        components: [{ name: 'Pots' }],
        srgs: [needed, { ...needed, srg_id: 'Other_SRG' }],
      }),
      'component.json': JSON.stringify({ name: 'Pots', prefix: 'TEAP-00', ...component }),
      'rules.json': JSON.stringify([SAMPLE_RULE]),
    }
    const sue = await service().signUp('Sue', { admin: true })
    const denied = await send(await zipOf(parts))
    expect(denied.body).toMatchObject({
      status: 422,
      code: 'archive_unusable',
      detail: 'The catalogue lacks SRGs, which a site administrator has to add: Needed_SRG V1R1.',
    })
    const lacking = await send(await zipOf(parts), {}, sue)
    expect(lacking.body).toMatchObject({
      status: 422,
      code: 'archive_unusable',
      detail: 'The archive names SRGs that cannot be read from it: Needed_SRG V1R1.',
    })
    const srgs = { 'srgs/a.xml': document('Needed_SRG'), 'srgs/b.xml': document('Other_SRG') }
    const { status, body } = await send(await zipOf({ ...parts, ...srgs }), {}, sue)
    expect([status, body]).toMatchObject([200, { summary: { srgs_imported: 1 } }])
    const stored = (await rowsOf(service(), 'benchmarks')).map(({ benchmark_id }) => benchmark_id)
    expect(stored).toContain('Needed_SRG')
    expect(stored).not.toContain('Other_SRG')
  })

  it('is refused with the name of an SRG that is missing', async () => {
    const unknown = { srg_id: 'Nobodys_SRG', version: 'V9R9' }
    for (const dry_run of ['true', 'false']) {
      const { body } = await send(await archiveOf({ based_on: unknown }), { dry_run })
      expect(body).toMatchObject({
        status: 422,
        code: 'archive_unusable',
        detail: 'The archive needs SRGs that are neither in the catalogue nor in the archive: Nobodys_SRG V9R9.',
      })
    }
  })

  it.each([
    [{}, { Owner: 'Ann' }],
    [{ Owner: 'Bob' }, { Owner: 'Bob' }],
  ])('turns the metadata %j of the project into %j', async (data, expected) => {
    const made = { name: 'P', project_metadata_attributes: { data } }
    const projectId = await service().project(client, made)
    const file = await archiveOf({ based_on }, { project: { metadata: { Owner: 'Ann' } } })
    const { status } = await client.call('POST', `/projects/${projectId}/import_backup`, { form: { file } })
    const { metadata } = await rowOf(service(), 'projects', { id: projectId })
    expect([status, JSON.parse(metadata)]).toEqual([200, expected])
  })

  it('is imported as released only with version and release and if all rules are locked', async () => {
    const released = { based_on, released: true, version: 1, release: 2 }
    const { body } = await send(await archiveOf(released))
    expect(body).toMatchObject({ warnings: ['Pots is imported as not released: not all of its rules are locked.'] })
    const locked = await archiveOf(released, { rules: [{ ...SAMPLE_RULE, locked: true }] })
    expect((await send(locked)).body).toMatchObject({ warnings: [] })
    const nameless = await archiveOf({ ...released, release: null }, { rules: [{ ...SAMPLE_RULE, locked: true }] })
    expect((await send(nameless)).body).toMatchObject({
      warnings: ['Pots is imported as not released: it has no version or no release.'],
    })
  })

  it('is imported without reviews and members on request', async () => {
    const zoe = await service().person('Zoe')
    const file = await archiveOf(
      { based_on },
      {
        reviews: [{ ...REVIEW, user_email: 'ZOE@example.org' }],
        project: { memberships: [{ email: zoe.email, name: 'Zoe', role: 'author' }] },
      },
    )
    expect((await send(file, { include_reviews: 'false' })).body).toMatchObject({
      summary: { reviews_imported: 0, memberships_imported: 0 },
    })
    const { body } = await send(file, { include_memberships: 'true' })
    expect(body).toMatchObject({ summary: { reviews_imported: 1, memberships_imported: 1 } })
    expect(await rowsOf(service(), 'memberships', { user_id: zoe.id })).toHaveLength(1)
  })
})

const DEEP = '['.repeat(100_000) + ']'.repeat(100_000)

describe('An invalid archive', () => {
  const bad = (): readonly (readonly [string, Promise<Buffer>, string])[] => [
    ['no manifest', archiveOf({ based_on }, { manifest: null }), 'no manifest.json'],
    ['half of JSON', archiveOf({ based_on }, { manifest: '{"a":' }), 'manifest.json is not JSON'],
    [
      'another version',
      archiveOf({ based_on }, { manifest: { backup_format_version: '2', components: [] } }),
      'manifest.json at .backup_format_version: is 2: this version of Parapet reads 1.0 and 1.1',
    ],
    [
      'no components',
      archiveOf({ based_on }, { manifest: { backup_format_version: '1.1', components: [] } }),
      'has no components',
    ],
    ['no rules', archiveOf({ based_on }, { rules: null }), 'rules.json is missing'],
    ['endless nesting', archiveOf({ based_on }, { rules: DEEP }), 'deeper than 32 levels'],
    ['a bad prefix', archiveOf({ based_on, prefix: 'T' }), 'component.json at .prefix'],
    [
      'a bad rule',
      archiveOf({ based_on }, { rules: [SAMPLE_RULE, { ...SAMPLE_RULE, rule_severity: 'odd' }] }),
      'rules.json at [1].rule_severity',
    ],
    [
      'a rule twice',
      archiveOf({ based_on }, { rules: [SAMPLE_RULE, SAMPLE_RULE] }),
      'rules.json at [1]: rule_id occurs twice',
    ],
    [
      'a status of the other kind',
      archiveOf({ based_on }, { rules: [{ ...SAMPLE_RULE, status: 'Applicable' }] }),
      'status cannot be Applicable',
    ],
    [
      'a link to itself',
      archiveOf({ based_on }, { satisfactions: [{ rule_id: '000001', satisfied_by_rule_id: '000001' }] }),
      'satisfactions.json at [0]',
    ],
    [
      'a review of no rule',
      archiveOf({ based_on }, { reviews: [{ ...REVIEW, rule_id: '000009' }] }),
      'reviews.json at [0]',
    ],
    [
      'a reply to itself',
      archiveOf({ based_on }, { reviews: [{ ...REVIEW, triage_status: null, responding_to_external_id: 7 }] }),
      'not a top-level review',
    ],
  ]

  it('is refused with the position of the fault and stores nothing', async () => {
    for (const [label, archive, reason] of bad()) {
      const file = await archive
      await service().project(client)
      const before = await countRows(service(), TABLES)
      const { status, body } = await send(file)
      expect([label, status, body]).toMatchObject([
        label,
        422,
        { code: 'archive_unusable', detail: containing(reason), toast: { title: 'Could not import the archive.' } },
      ])
      const after = await countRows(service(), TABLES)
      // The project that it was sent to, its member and their traces.
      expect([label, after[1], after[2], after[3]]).toEqual([label, ...before.slice(1, 4)])
    }
  })

  it('creates no project', async () => {
    const before = await countRows(service(), TABLES)
    const file = await archiveOf({ based_on: { srg_id: 'Nobodys_SRG', version: 'V9R9' } })
    for (const fields of [{ project_name: 'New' }, { project_name: '' }, {}]) {
      const { status } = await client.call('POST', '/projects/create_from_backup', { form: { file, fields } })
      expect(status).toBe(422)
    }
    expect(await countRows(service(), TABLES)).toEqual(before)
  })

  it('is refused if it is not a zip or contains other files', async () => {
    expect((await send('')).body).toMatchObject({ status: 422, code: 'empty_file' })
    expect((await send('nothing')).body).toMatchObject({ status: 422, code: 'bad_zip' })
    expect((await send(await zipOf({ 'a.txt': 'a' }))).body).toMatchObject({ status: 422 })
    const link = await zipOf({ 'manifest.json': 'x'.repeat(3_000_000) })
    expect((await send(link)).body).toMatchObject({ status: 413, code: 'too_large' })
  })

  it('is refused with invalid options', async () => {
    const file = await archiveOf({ based_on })
    for (const component_filter of ['x', '[]', '{"a":1}', '{"Pots":""}'])
      expect((await send(file, { component_filter })).body).toMatchObject({
        status: 400,
        parameter: 'component_filter',
      })
    expect((await send(file, { component_filter: '{"Kettles":"Pots"}' })).status).toBe(422)
    expect((await send(file, { dry_run: 'perhaps' })).status).toBe(422)
  })
})

describe('A project from an archive', () => {
  it('has the description from the archive unless another is given', async () => {
    const archived = { name: 'Old', description: 'All about pots.', visibility: 'hidden' }
    const file = await archiveOf({ based_on }, { project: archived })
    const create = async (fields: Readonly<Record<string, string>>): Promise<unknown> => {
      const created = await client.call('POST', '/projects/create_from_backup', { form: { file, fields } })
      const { id } = z.looseObject({ id: z.int() }).parse(created.body)
      return (await client.call('GET', `/projects/${id}`)).body
    }
    expect(await create({ project_name: 'Kept' })).toMatchObject({
      name: 'Kept',
      description: 'All about pots.',
      visibility: 'discoverable',
    })
    expect(await create({ name: 'Called' })).toMatchObject({ name: 'Called' })
    const given = { project_name: 'Given', project_description: 'Kettles.' }
    expect(await create(given)).toMatchObject({ description: 'Kettles.' })
    expect(await create({ project_name: 'Blank', project_description: '' })).toMatchObject({ description: null })
  })
})

describe('A dry run', () => {
  it('reports the result and writes nothing', async () => {
    const before = await countRows(service(), TABLES)
    const file = await archiveOf({ based_on }, { project: { name: 'Old', visibility: 'hidden' } })
    const form = { file, fields: { dry_run: 'true' } }
    const { status, body } = await client.call('POST', '/projects/create_from_backup', { form })
    expect([status, body]).toMatchObject([
      200,
      {
        summary: { dry_run: true, components_imported: 1, rules_imported: 1, srg_details: [] },
        project_defaults: { name: 'Old', description: null, visibility: 'hidden' },
      },
    ])
    expect(await countRows(service(), TABLES)).toEqual(before)
  })
})

describe('Two imports at the same time', () => {
  it('of one component into one project accept one', async () => {
    const projectId = await service().project(client)
    const file = await archiveOf({ based_on })
    const path = `/projects/${projectId}/import_backup`
    const answers = await Promise.all([1, 2].map(() => client.call('POST', path, { form: { file } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})
