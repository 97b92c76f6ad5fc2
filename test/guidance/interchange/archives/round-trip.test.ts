// @module-tag database
// @module-tag node

import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { insertAttachment } from '../../../../src/guidance/authoring/attachments/writer.ts'
import { openZip } from '../../../../src/guidance/catalogue/files/zip.ts'
import type { ReviewsTable } from '../../../../src/guidance/database/schema/reviews.ts'
import { writeArchive, type ArchiveJob } from '../../../../src/guidance/interchange/archives/format/write.ts'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { addRow, alter, setRows } from '../../../support/guidance-records.ts'
import {
  guidanceService,
  type GuidanceUnderTest,
  type Person,
  type SessionClient,
  signedIn,
  startGuidance,
} from '../../../support/guidance.ts'
import { placeComment } from '../../../support/samples/reviews.ts'

const service = guidanceService()

let dataDir: string
let other: GuidanceUnderTest
const ann = signedIn(service, 'Ann')
const bob = signedIn(service, 'Bob')
let projectId: number
let made: MadeComponent
let importer: SessionClient

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  other = await startGuidance(dataDir)
  projectId = await service().project(ann, {
    name: 'Pots',
    description: 'All of them.',
    visibility: 'discoverable',
    project_metadata_attributes: { data: { Owner: 'Ann' } },
  })
  await service().member(projectId, bob, 'reviewer')
  made = await makeComponent(service(), ann, { projectId, name: 'Red Pot', version: 1, release: 2 })
  await fill(made)
  await other.person('Bob')
  importer = await other.signUp('Ann', { admin: true })
})

afterAll(async () => {
  await other.service.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Something in every table. */
async function fill({ id, rules: [firstRule = 0, secondRule = 0, thirdRule = 0] }: MadeComponent): Promise<void> {
  const time = '2026-02-03T04:05:06.789Z'
  const component = {
    comment_phase: 'closed',
    closed_reason: 'adjudicating',
    advanced_fields: 1,
    comment_period_starts_at: time,
    metadata: '{"A":"B"}',
    last_rule_number: 9,
  } as const
  await setRows(service(), 'components', component, { id })
  const rule = {
    status: 'Applicable - Configurable',
    locked: 1,
    documentable: 1,
    poam: 'None',
    locked_fields: '{"Fix":true}',
    inspec_control_body: 'describe "é😀"',
    minted_id: 'A',
    advice_off: JSON.stringify({ title_must: { reason: 'So it is.', by: 'Ann', at: time } }),
  } as const
  await setRows(service(), 'rules', rule, { id: firstRule })
  await addRow(service(), 'rule_descriptions', { rule_id: secondRule, description: 'More.' })
  const question = { component_id: id, name: 'Which?', question_type: 'dropdown', options: '["a","b"]' } as const
  const additional_question_id = await addRow(service(), 'additional_questions', question)
  await addRow(service(), 'additional_answers', { rule_id: firstRule, additional_question_id, answer: 'a' })
  const file = { name: 'lid.log', mediaType: 'text/plain', sha256: LOG_SHA256, content: LOG }
  await alter(service(), (writer) =>
    insertAttachment(writer, secondRule, { file, author: { id: bob.id, name: 'Bob' }, createdAt: time }),
  )
  const satisfied = {
    rule_id: thirdRule,
    satisfied_by_rule_id: firstRule,
    created_at: time,
    previous_status: 'Not Applicable',
  }
  await addRow(service(), 'rule_satisfactions', satisfied)
  const review = (values: Partial<Insertable<ReviewsTable>>): Promise<number> =>
    placeComment(service(), bob, {
      component_id: id,
      rule_id: firstRule,
      comment: 'A comment.',
      triage_status: null,
      search_key: null,
      created_at: time,
      updated_at: time,
      ...values,
    })
  const first = await review({ section: 'fixtext', triage_status: 'duplicate', ...SUGGESTED })
  await review({ comment: 'A reply.', responding_to_review_id: first, user_id: ann.id })
  const last = await review({
    rule_id: null,
    triage_status: 'addressed_by',
    addressed_by_rule_id: secondRule,
    triage_set_by_id: ann.id,
    triage_set_by_name: 'Ann',
    triage_set_at: time,
    adjudicated_by_id: ann.id,
    adjudicated_by_name: 'Ann',
    adjudicated_at: time,
    original_rule_id: thirdRule,
  })
  await review({ action: 'lock_control', comment: 'Done.' })
  await review({ action: 'approve', comment: '' })
  await setRows(service(), 'reviews', { duplicate_of_review_id: last }, { id: first })
  await addRow(service(), 'reactions', { review_id: first, user_id: ann.id, kind: 'up', created_at: LATER })
}

/** The time of the reaction, after that of its comment. */
const LATER = '2026-03-04T05:06:07.000Z'

/** More than one part of the database. */
const LOG = Buffer.alloc(600_000, 'The lid was shut.\n')
const LOG_SHA256 = createHash('sha256').update(LOG).digest('hex')

const SUGGESTED = {
  suggested_field: 'fixtext',
  suggested_text: 'New.',
  suggested_base: 'Old.',
  accepted_text: 'Newer.',
}
const ARCHIVED = { field: 'fixtext', text: 'New.', base: 'Old.', accepted_text: 'Newer.' }

async function write(
  { service: { guidance } }: GuidanceUnderTest,
  how: Partial<ArchiveJob> & Pick<ArchiveJob, 'componentIds'>,
): Promise<Buffer> {
  const document = writeArchive({
    reader: guidance.database.read,
    withProject: true,
    includeSrg: false,
    withEmail: true,
    onlyRules: false,
    includeMemberships: true,
    fileName: 'pots',
    version: '1.0',
    now: new Date(),
    ...how,
  })
  const { body } = document
  if (typeof body === 'string' || body instanceof Uint8Array) throw new Error('Not a stream')
  return buffer(body)
}

/** Texts by the names of the files, without what tells when it was written. */
async function contentOf(archive: Buffer): Promise<Readonly<Record<string, string>>> {
  const path = join(await temporaryFolder(), 'archive.zip')
  await writeFile(path, archive)
  const zip = await openZip(path, () => true)
  const files: [string, string][] = []
  for (const { name, read } of zip.members) files.push([name, (await buffer(read())).toString('utf8')])
  zip.close()
  return Object.fromEntries(files.map(([name, text]) => [name, text.replace(/"exported_at": "[^"]*"/, '')]))
}

async function componentsOf(under: GuidanceUnderTest, name: string): Promise<readonly number[]> {
  const rows = await under.service.guidance.database.read
    .selectFrom('components')
    .innerJoin('projects', 'projects.id', 'components.project_id')
    .select('components.id')
    .where('projects.name', '=', name)
    .orderBy('components.id')
    .execute()
  return rows.map(({ id }) => id)
}

describe('An archive', () => {
  it('creates the same project and its SRG in another instance', async () => {
    const second = await makeComponent(service(), ann, {
      projectId,
      name: 'red pot',
      srgId: made.srgId,
      version: 1,
      release: 2,
    })
    const componentIds = [made.id, second.id]
    const archive = await write(service(), { componentIds, includeSrg: true })
    const fields = { project_name: 'Pots', project_description: 'All of them.' }
    const form = { file: archive, fields: { ...fields, include_memberships: 'true' } }
    const { status, body } = await importer.call('POST', '/projects/create_from_backup', { form })
    expect([status, body]).toMatchObject([
      200,
      {
        summary: {
          components_imported: 2,
          rules_imported: 6,
          satisfactions_imported: 1,
          reviews_imported: 5,
          memberships_imported: 1,
          srgs_imported: 1,
        },
        warnings: [],
        toast: { title: 'Project created.' },
      },
    ])
    const restored = await componentsOf(other, 'Pots')
    const again = await write(other, { componentIds: restored, includeSrg: true })
    const [before, after] = [await contentOf(archive), await contentOf(again)]
    const withoutIds = (names: readonly string[]): readonly string[] =>
      names.map((name) => name.replace(/-\d+-xccdf/, ''))
    expect(withoutIds(Object.keys(after))).toEqual(withoutIds(Object.keys(before)))
    for (const [name, text] of Object.entries(before))
      if (!name.startsWith('srgs/')) expect([name, after[name]]).toEqual([name, text])
    const folder = 'components/Red-Pot-V1R2/'
    expect(JSON.parse(before[`${folder}reviews.json`] ?? '')).toMatchObject([
      { user_email: bob.email, section: 'fixtext', duplicate_of_external_id: 3, suggestion: ARCHIVED },
      { user_email: ann.email, responding_to_external_id: 1 },
      { rule_id: null, addressed_by_rule_id: '000002', original_rule_id: '000003' },
      { action: 'lock_control' },
      { action: 'approve', comment: '', suggestion: null },
    ])
    expect(before[`${folder}attachments/1`]).toBe(LOG.toString())
    expect(JSON.parse(before[`${folder}attachments.json`] ?? '')).toMatchObject([
      { rule_id: '000002', file: 'attachments/1', name: 'lid.log', sha256: LOG_SHA256, author_name: 'Bob' },
    ])
    expect(Object.keys(before)).toContain('components/red-pot-V1R2-2/rules.json')
  })

  it('of one component has no folders, and has addresses only on request', async () => {
    const archive = await write(service(), { componentIds: [made.id], withProject: false, withEmail: false })
    const files = await contentOf(archive)
    expect(Object.keys(files)).toEqual([
      'manifest.json',
      'component.json',
      'rules.json',
      'satisfactions.json',
      'reviews.json',
      'attachments.json',
      'attachments/1',
    ])
    const comments = files['reviews.json'] ?? ''
    expect(comments).not.toContain('@example.org')
    expect(JSON.parse(comments)).toMatchObject([{ user_email: null, user_name: 'Bob' }, {}, {}, {}, {}])
    const withProject = await write(service(), { componentIds: [made.id], withEmail: false })
    const project = (await contentOf(withProject))['project.json'] ?? ''
    expect(JSON.parse(project)).toMatchObject({
      name: 'Pots',
      metadata: { Owner: 'Ann' },
      memberships: [{ email: null, name: 'Ann', role: 'admin' }, { name: 'Bob' }],
    })
  })

  it('is an export and omits the members on request', async () => {
    const client = await service().signIn(ann.email)
    const membersIn = async (query: string): Promise<unknown> => {
      const path = `/projects/${projectId}/export/json_archive${query}`
      const { bytes } = await client.call('GET', path, { headers: { Accept: '*/*' } })
      const text = (await contentOf(bytes))['project.json'] ?? ''
      return z.object({ memberships: z.array(z.unknown()) }).parse(JSON.parse(text)).memberships
    }
    expect(await membersIn('')).toHaveLength(2)
    expect(await membersIn('?include_memberships=true')).toHaveLength(2)
    expect(await membersIn('?include_memberships=false')).toEqual([])
  })

  it('is an export with addresses for administrators only', async () => {
    const path = `/projects/${projectId}/export/json_archive?include_srg=true&include_email=true`
    const addresses = async (person: Person): Promise<boolean> => {
      const client = await service().signIn(person.email)
      const { status, bytes } = await client.call('GET', path, { headers: { Accept: '*/*' } })
      expect(status).toBe(200)
      const files = await contentOf(bytes)
      expect(Object.keys(files).some((name) => name.startsWith('srgs/'))).toBe(true)
      return Object.values(files).some((text) => text.includes(bob.email))
    }
    expect([await addresses(ann), await addresses(bob)]).toEqual([true, false])
  })

  it('can be imported next to its source under another name, with unknown people by name', async () => {
    const archive = await write(service(), { componentIds: [made.id], withEmail: false })
    const client = await service().signIn(ann.email)
    const path = `/projects/${projectId}/import_backup`
    const conflict = await client.call('POST', path, { form: { file: archive } })
    expect([conflict.status, conflict.body]).toMatchObject([
      422,
      { code: 'archive_unusable', toast: { variant: 'danger' }, warnings: [] },
    ])
    const fields = { component_filter: '{"Red Pot":"Blue Pot"}' }
    const dry = { file: archive, fields: { ...fields, dry_run: 'true' } }
    const tried = await client.call('POST', path, { form: dry })
    expect(tried.body).toMatchObject({
      summary: {
        dry_run: true,
        srg_details: [],
        rules_imported: 3,
        reviews_imported: 5,
        component_details: [{ name: 'Blue Pot', rule_count: 3, conflict: false }],
      },
    })
    expect(await componentsOf(service(), 'Pots')).not.toHaveLength(3)
    const imported = await client.call('POST', path, { form: { file: archive, fields } })
    const lost = 'Reactions left out because no account here has the address of the person: 1.'
    expect([imported.status, imported.body]).toMatchObject([200, { warnings: [lost] }])
    const { read } = service().service.guidance.database
    const reviews = await read
      .selectFrom('reviews')
      .innerJoin('components', 'components.id', 'reviews.component_id')
      .select(['reviews.user_id', 'reviews.author_name', 'reviews.imported'])
      .where('components.name', '=', 'Blue Pot')
      .execute()
    expect(reviews).toHaveLength(5)
    for (const review of reviews) expect(review).toMatchObject({ user_id: null, imported: 1 })
  })
})
