import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { z } from 'zod'
import { storeBenchmark } from '../../src/guidance/catalogue/benchmarks/writer.ts'
import { jobSchema, type ImportJob } from '../../src/guidance/catalogue/imports/jobs.ts'
import { packBenchmark } from '../../src/guidance/catalogue/uploads/packed.ts'
import type { Rule } from '../../src/guidance/catalogue/xccdf/benchmark.ts'
import { readBenchmarks } from '../../src/guidance/catalogue/xccdf/reader.ts'
import type { Writer } from '../../src/guidance/database/transaction.ts'
import { SYSTEM } from '../../src/http/caller.ts'
import type { Form } from './form.ts'
import { countRows } from './guidance-records.ts'
import type { Answer, Client, GuidanceUnderTest } from './guidance.ts'
import { xccdfDocument, type SampleBenchmark, type SampleRule } from './xccdf-document.ts'

/** A rule with every member. */
export const LID: SampleRule = {
  id: 'SV-7r2_rule',
  group: 'V-7',
  version: 'TEAP-07',
  requirement: 'SRG-TEA-000007',
  severity: 'high',
  title: 'Shut the lid.',
  discussion: 'Steam escapes.',
  checks: ['Look at the lid.'],
  fix: 'Shut it.',
  cci: ['CCI-000366', 'CCI-000015'],
  legacy: ['V-70007', 'SV-80007'],
}

const CATALOGUE = [
  'benchmarks',
  'benchmark_files',
  'benchmark_rules',
  'benchmark_checks',
  'benchmark_fixes',
  'benchmark_idents',
  'benchmark_references',
] as const

/** The answer to an upload that was accepted. */
export const uploaded = jobSchema.extend({
  toast: z.object({ title: z.string(), message: z.string(), variant: z.string() }),
})

interface SendOptions {
  readonly path?: '/srgs' | '/stigs' | '/api/reference-data'
  readonly fields?: Form['fields']
  readonly fileName?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a file to the catalogue. */
export function send(client: Client, file: Form['file'], options: SendOptions = {}): Promise<Answer> {
  const { path = '/stigs', headers = {}, fields = {}, fileName = 'file.xml' } = options
  return client.call('POST', path, { headers, form: { file, fields, fileName } })
}

/** Sends a file that must be accepted. */
export async function sendGood(
  client: Client,
  file: Form['file'],
  options: SendOptions = {},
): Promise<z.infer<typeof uploaded>> {
  const { status, body } = await send(client, file, options)
  expect([status, body]).toEqual([200, body])
  return uploaded.parse(body)
}

/** The import of an upload, once it is over. */
export async function whenOver(client: Client, id: number): Promise<ImportJob> {
  await client.call('GET', `/api/imports/${id}/events`)
  return jobSchema.parse((await client.call('GET', `/api/imports/${id}`)).body)
}

/** Stores a made-up benchmark in the catalogue without HTTP. Returns its id. */
export function store({ service }: GuidanceUnderTest, sample: SampleBenchmark | string = {}): Promise<number> {
  return service.guidance.database.transact((writer) => storeWith(writer, sample))
}

/** Stores a made-up benchmark within a transaction. */
export async function storeWith(writer: Writer, sample: SampleBenchmark | string): Promise<number> {
  const source = Buffer.from(typeof sample === 'string' ? sample : xccdfDocument(sample))
  const [read] = readBenchmarks(() => [new Uint8Array(source)], {})
  if (read === undefined) throw new Error('There is no benchmark')
  const packed = await packBenchmark(read, [source])
  const rules = (from: number, to: number): Promise<readonly Rule[]> =>
    Promise.resolve(read.benchmark.rules.slice(from, to))
  return (await storeBenchmark(writer, { ...packed, rules }, { replace: false, actor: SYSTEM })).id
}

/** Empties the catalogue without audit entries. */
export async function emptyCatalogue({ service }: GuidanceUnderTest): Promise<void> {
  await service.guidance.database.transact(async (writer) => {
    await writer.deleteFrom('benchmarks').execute()
    await writer.deleteFrom('benchmark_aliases').execute()
    await writer.deleteFrom('imports').execute()
  })
}

export interface Inventory {
  readonly files: readonly string[]
  /** Rows by table. */
  readonly [table: string]: unknown
}

/** Counts rows of the catalogue and of the audit trail, and lists files of uploads, to compare before and after. */
export async function inventory(guidance: GuidanceUnderTest): Promise<Inventory> {
  const tables = [...CATALOGUE, 'audits'] as const
  const counts = await countRows(guidance, tables)
  const files = await keptFiles(dirname(guidance.service.guidance.uploads.folder))
  return { ...Object.fromEntries(tables.map((table, index) => [table, counts[index]])), files }
}

/** Files of uploads that remain. The service is about to remove those of an import that has just ended. */
async function keptFiles(dataDir: string): Promise<readonly string[]> {
  for (let looks = 0; looks < 20; looks += 1) {
    if ((await waitingFiles(dataDir)).length === 0) break
    await sleep(50)
  }
  return waitingFiles(dataDir)
}

/** Files of uploads that the service keeps. */
export async function waitingFiles(dataDir: string): Promise<readonly string[]> {
  const folders = ['uploads', 'imports'].map(async (name) =>
    (await readdir(join(dataDir, name)).catch(() => [])).map((file) => `${name}/${file}`),
  )
  return (await Promise.all(folders)).flat()
}
