import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readArchive } from '../../../../src/guidance/interchange/archives/format/read-in-thread.ts'
import { importArchive, prepareImport } from '../../../../src/guidance/interchange/archives/importing/import.ts'
import { archiveOf, namedSrg, type NamedSrg, SAMPLE_RULE } from '../../../support/archive.ts'
import { storeSrg } from '../../../support/authoring.ts'
import { rowOf } from '../../../support/guidance-records.ts'
import { guidanceService, type Person, type SessionClient } from '../../../support/guidance.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'
import { zipOf } from '../../../support/zip.ts'

const service = guidanceService()

let people: Readonly<Record<'ann' | 'bob' | 'sue', Person>>
let based_on: NamedSrg

const BASE = { rule_id: '000001', action: 'comment', created_at: '2025-01-02T03:04:05.123456Z' }

/** Comments of Ann, of Bob with a reaction of each, and of somebody who has no account. */
const REVIEWS = [
  {
    ...BASE,
    external_id: 1,
    comment: 'By Ann.',
    triage_status: 'concur',
    user_email: 'ANN@example.org',
    user_name: 'Ann',
    triage_set_by_email: 'bob@example.org',
    triage_set_by_name: 'Bob',
    adjudicated_by_email: 'bob@example.org',
    adjudicated_by_name: 'Bob',
    adjudicated_at: '2025-01-03T03:04:05Z',
  },
  {
    ...BASE,
    external_id: 2,
    comment: 'I resign.',
    triage_status: 'pending',
    user_email: ' Bob@Example.org ',
    user_name: 'Bob',
    reactions: [
      { user_email: 'ann@example.org', kind: 'up' },
      { user_email: 'bob@example.org', kind: 'down' },
    ],
  },
  {
    ...BASE,
    external_id: 3,
    comment: 'By nobody.',
    triage_status: 'pending',
    user_email: 'zoe@example.org',
    user_name: 'Zoe',
  },
]

beforeAll(async () => {
  const [ann, bob] = [await service().person('Ann'), await service().person('Bob')]
  people = { ann, bob, sue: await service().person('Sue', { admin: true }) }
  based_on = await namedSrg(service(), await storeSrg(service()))
})

interface Imported {
  readonly client: SessionClient
  readonly projectId: number
  readonly componentId: number
  readonly warnings: readonly string[]
}

async function importedBy(who: Person, dryRun = false): Promise<Imported> {
  const client = await service().signIn(who.email)
  const projectId = await service().project(client)
  const file = await archiveOf({ based_on }, { reviews: REVIEWS })
  const send = async (dry_run: string) => {
    const form = { file, fields: { dry_run } }
    const { status, body } = await client.call('POST', `/projects/${projectId}/import_backup`, { form })
    expect([status, body]).toMatchObject([200, {}])
    return z.looseObject({ warnings: z.array(z.string()) }).parse(body).warnings
  }
  const foretold = dryRun ? await send('true') : null
  const warnings = await send('false')
  if (foretold !== null) expect(foretold).toEqual(warnings)
  const { id } = await rowOf(service(), 'components', { project_id: projectId })
  return { client, projectId, componentId: id, warnings }
}

async function storedOf({ componentId }: Imported) {
  const { read } = service().service.guidance.database
  const reviews = await read
    .selectFrom('reviews')
    .select(['user_id', 'author_name', 'author_email', 'imported', 'created_at'])
    .select(['triage_set_by_id', 'triage_set_by_name', 'adjudicated_by_id'])
    .where('component_id', '=', componentId)
    .orderBy('id')
    .execute()
  const reactions = await read
    .selectFrom('reactions')
    .innerJoin('reviews', 'reviews.id', 'reactions.review_id')
    .select(['reactions.user_id', 'reactions.kind'])
    .where('reviews.component_id', '=', componentId)
    .orderBy('reactions.id')
    .execute()
  return { reviews, reactions }
}

describe('Reviews in an archive', () => {
  it('become reviews of their authors if a site administrator imports them', async () => {
    const { ann, bob, sue } = people
    const done = await importedBy(sue)
    expect(done.warnings).toEqual([])
    const { reviews, reactions } = await storedOf(done)
    expect(reviews).toMatchObject([
      { user_id: ann.id, author_email: null, triage_set_by_id: bob.id, adjudicated_by_id: bob.id },
      { user_id: bob.id, author_email: null, created_at: '2025-01-02T03:04:05.123Z' },
      { user_id: null, author_name: 'Zoe', author_email: 'zoe@example.org', imported: 1 },
    ])
    expect(reactions).toEqual([
      { user_id: ann.id, kind: 'up' },
      { user_id: bob.id, kind: 'down' },
    ])
    const path = `/components/${done.componentId}/comments?triage_status=all`
    const { body } = await done.client.call('GET', path)
    const imported = { commenter_imported: true }
    expect(body).toMatchObject({ rows: [imported, imported, imported] })
  })

  it('become anonymous and are shown as imported if anybody else imports them', async () => {
    const { ann, bob } = people
    const done = await importedBy(ann, true)
    expect(done.warnings).toEqual([
      'Reviews keep the names of other people but are not linked to their accounts, and reactions are lost: only a site administrator can import on behalf of others.',
    ])
    const { reviews, reactions } = await storedOf(done)
    expect(reviews).toMatchObject([
      { user_id: ann.id, triage_set_by_id: null, triage_set_by_name: 'Bob', adjudicated_by_id: null },
      { user_id: null, author_name: 'Bob', author_email: ' Bob@Example.org ', imported: 1 },
      { user_id: null, author_name: 'Zoe', imported: 1 },
    ])
    expect(reactions).toEqual([{ user_id: ann.id, kind: 'up' }])
    const path = `/components/${done.componentId}/comments?triage_status=all`
    const { body } = await done.client.call('GET', path)
    expect(body).toMatchObject({
      rows: [
        { author_name: 'Zoe', commenter_imported: true },
        { author_name: 'Bob', commenter_imported: true },
        { author_name: 'Ann', triager_display_name: 'Bob', triager_imported: true },
      ],
    })
    await service().member(done.projectId, bob, 'viewer')
    const bobs = await service().signIn(bob.email)
    const ownComments = await bobs.call('GET', `/users/${bob.id}/comments?project_id=${done.projectId}`)
    expect(ownComments.body).toMatchObject({ rows: [] })
  })
})

describe('Unknown people in an archive', () => {
  it('are named if they lose their role or their reactions, also in a dry run', async () => {
    const { ann, sue } = people
    const client = await service().signIn(sue.email)
    const gone = 'gone@example.org'
    const reactions = [
      { user_email: ann.email, kind: 'up' },
      { user_email: gone, kind: 'down' },
    ]
    const memberships = [
      { email: ann.email, name: 'Ann', role: 'author' },
      { email: gone, name: 'Gone Girl', role: 'viewer' },
    ]
    const reviews = [{ ...BASE, external_id: 1, comment: 'Why?', reactions }]
    const file = await archiveOf({ based_on }, { reviews, project: { memberships } })
    for (const dry_run of ['true', 'false']) {
      const projectId = await service().project(client)
      const form = { file, fields: { dry_run, include_memberships: 'true' } }
      const answer = await client.call('POST', `/projects/${projectId}/import_backup`, { form })
      expect(answer.body).toMatchObject({
        summary: { memberships_imported: 1 },
        warnings: [
          'Not added, because they have no account here or cannot be added: Gone Girl.',
          'Reactions left out because no account here has the address of the person: 1.',
        ],
      })
    }
  })
})

describe('SRGs in an archive', () => {
  const needed = { srg_id: 'Early_SRG', title: 'Early', version: 'V1R1' }
  const wanted = { filter: null, includeReviews: true, includeMemberships: false }

  it('are read before the transaction begins, so that it does not block other writers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parapet-'))
    try {
      const path = join(folder, 'archive.zip')
      const file = await zipOf({
        'manifest.json': JSON.stringify({
          backup_format_version: '1.1',
          components: [{ name: 'Pots' }],
          srgs: [needed],
        }),
        'component.json': JSON.stringify({ name: 'Pots', prefix: 'TEAP-00', based_on: needed }),
        'rules.json': JSON.stringify([SAMPLE_RULE]),
        'srgs/a.xml': xccdfDocument({ id: 'Early_SRG', kind: 'srg' }),
      })
      await writeFile(path, file)
      const upload = { path, bytes: file.length, fileName: 'a.zip', fields: {}, discard: none }
      const { sue } = people
      const archive = await readArchive(upload, sue)
      const caller = { ...sue, admin: true, provider: null, via: { kind: 'session', id: 1 } as const }
      const { database } = service().service.guidance
      const projectId = await service().project(await service().signIn(sue.email))
      const importing = { ...wanted, caller, projectId, bounded: false, scanner: null }
      const source = await prepareImport(database.read, { archive, path }, importing)
      await rm(folder, { recursive: true })
      const without = { ...importing, source: { archive, srgs: [], path } }
      const intoProject = (): Promise<number> => Promise.resolve(projectId)
      const lacking = await refusalOf(() => importArchive(database, without, intoProject))
      expect(lacking.message).toContain('cannot be read from it: Early_SRG V1R1')
      const { summary } = await importArchive(database, { ...importing, source }, intoProject)
      expect(summary).toMatchObject({ srgs_imported: 1, components_imported: 1 })
      const { rules } = await database.read
        .selectFrom('benchmark_rules')
        .innerJoin('benchmarks', 'benchmarks.id', 'benchmark_rules.benchmark_id')
        .select((is) => is.fn.countAll<number>().as('rules'))
        .where('benchmarks.benchmark_id', '=', 'Early_SRG')
        .executeTakeFirstOrThrow()
      expect(rules).toBeGreaterThan(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

const none = (): Promise<void> => Promise.resolve()
