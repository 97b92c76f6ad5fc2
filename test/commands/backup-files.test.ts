// @module-tag database

import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { restoreBackup } from '../../src/commands/backups/restore-backup.ts'
import { writeBackup } from '../../src/commands/backups/write-backup.ts'
import { makeComponent } from '../support/authoring.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.ts'
import { startGuidance, type GuidanceUnderTest } from '../support/guidance.ts'

const display = { update: () => undefined, stop: () => undefined }

const attached = z.looseObject({ attachment: z.looseObject({ id: z.int() }) })
const added = z.looseObject({ milestone: z.looseObject({ id: z.int() }) })

async function serving<T>(
  { dataDir, url }: Pick<FreshDatabase, 'dataDir' | 'url'>,
  work: (guidance: GuidanceUnderTest) => Promise<T>,
): Promise<T> {
  const guidance = await startGuidance(dataDir, { SERVICE_DATABASE_URL: url ?? `file:${join(dataDir, 'parapet.db')}` })
  try {
    return await work(guidance)
  } finally {
    await guidance.service.close()
  }
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

interface Written {
  readonly component: number
  readonly milestone: number
  /** Digests of the attachments by their id. */
  readonly files: ReadonlyMap<number, string>
  readonly removed: number
  readonly rules: unknown
}

/** Attachments of one to many rows, of which one is removed, and a reached milestone. */
async function write(guidance: GuidanceUnderTest): Promise<Written> {
  const ann = await guidance.signUp('Ann')
  const { id: component, rules } = await makeComponent(guidance, ann, { projectId: await guidance.project(ann) })
  const files = new Map<number, string>()
  for (const size of [1, 262_144, 262_145, 3_000_000]) {
    const file = Buffer.concat([Buffer.from('%PDF-'), randomBytes(size)])
    const form = { file, fileName: 'evidence.pdf' }
    const { body } = await ann.call('POST', `/rules/${rules[0] ?? 0}/attachments`, { form })
    files.set(attached.parse(body).attachment.id, digestOf(file))
  }
  const path = `/components/${component}/milestones`
  const { body } = await ann.call('POST', path, { body: { milestone: { name: 'Draft', due_on: '2027-01-01' } } })
  const milestone = added.parse(body).milestone.id
  expect((await ann.call('POST', `${path}/${milestone}/reach`)).status).toBe(200)
  const [removed = 0] = files.keys()
  files.delete(removed)
  expect((await ann.call('DELETE', `/attachments/${removed}`)).status).toBe(200)
  const { body: reached } = await ann.call('GET', `${path}/${milestone}`)
  return { component, milestone, files, removed, rules: reached }
}

async function check(guidance: GuidanceUnderTest, written: Written): Promise<void> {
  const client = await guidance.signIn('ann@example.org')
  for (const [id, digest] of written.files) {
    const { status, bytes } = await client.call('GET', `/attachments/${id}`, { headers: { Accept: '*/*' } })
    expect([status, digestOf(bytes)]).toEqual([200, digest])
  }
  expect((await client.call('GET', `/attachments/${written.removed}`)).status).toBe(404)
  const kept = await guidance.service.guidance.database.read
    .selectFrom('attachment_parts')
    .select('attachment_id')
    .distinct()
    .execute()
  expect(kept.map(({ attachment_id }) => attachment_id).sort((a, b) => a - b)).toEqual([...written.files.keys()])
  const { body } = await client.call('GET', `/components/${written.component}/milestones/${written.milestone}`)
  expect(body).toEqual(written.rules)
}

it('A restored service returns the same attachments and milestones from either database', async () => {
  const source = await freshDatabase()
  const written = await serving(source, write)
  const file = join(await temporaryFolder(), 'backup.zip')
  const from = { dataDir: source.dataDir, databaseUrl: source.url, secretKey: null, version: '0.0.0' }
  await writeBackup(file, from, { key: { kind: 'none', passphrase: null }, display })
  const inFile = { dataDir: join(await temporaryFolder(), 'data'), url: null }
  const inSame = await freshDatabase('empty')
  for (const { dataDir, url } of [inFile, inSame]) {
    const target = { dataDir, databaseUrl: url, secretKey: null }
    await restoreBackup(file, target, { withKey: true, passphrase: null, display })
    await serving({ dataDir, url }, (guidance) => check(guidance, written))
  }
})
