import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Refusal, REFUSALS, type RefusalCode } from '../../platform/errors.ts'
import { storeBenchmark, type NewBenchmark, type Stored } from '../benchmarks/writer.ts'
import type { Actor } from '../caller.ts'
import type { Database, Writer } from '../database/database.ts'
import type { ReadOptions } from '../xccdf/benchmark.ts'
import { readUpload, type UploadItem } from '../xccdf/upload-thread.ts'
import type { MemberResult, StoredMember } from './outcome.ts'

const pack = promisify(gzip)

export interface ImportOptions extends ReadOptions {
  /** Put other content in the place of what is there under the same id and version. */
  readonly replace: boolean
}

interface How {
  readonly options: ImportOptions
  readonly actor: Actor
  /** Members that were dealt with before; they are read again, but not stored. */
  readonly skip?: number
  /** Written together with the member, or not at all. */
  readonly record?: (writer: Writer, step: ImportStep) => Promise<void>
}

/** One more member is done. */
export interface ImportStep {
  readonly done: number
  /** Members that are known so far. */
  readonly total: number
  readonly result: MemberResult
}

/**
 * Stores the benchmarks of a file, each in a transaction of its own. What is refused about one member
 * of a zip is part of the result; a file that is refused as a whole throws its refusal.
 */
export async function* importFile(
  database: Database,
  file: string,
  { options, actor, skip = 0, record }: How,
): AsyncGenerator<ImportStep> {
  for await (const item of readUpload(file, options)) {
    const { done, total } = item
    if (done <= skip) continue
    const incoming = item.kind === 'read' ? await prepare(item) : null
    yield await database.transact(async (writer) => {
      const how = { replace: options.replace, actor }
      const result =
        item.kind === 'read' && incoming !== null
          ? await store(writer, { item, incoming }, how)
          : refusedMember(item)
      const step = { done, total, result }
      await record?.(writer, step)
      return step
    })
  }
}

type Read = Extract<UploadItem, { kind: 'read' }>

/** Compressing and hashing happen on other threads. */
async function prepare({ benchmark, warnings, digest, source }: Read): Promise<NewBenchmark> {
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(source)))
  const file = { sha256: sha256.toString('hex'), packed: await pack(source) }
  return { benchmark, warnings, digest, file }
}

interface Member {
  readonly item: Read
  readonly incoming: NewBenchmark
}

/** Of a zip, a member that cannot be stored is one refusal among others. */
async function store(
  writer: Writer,
  { item, incoming }: Member,
  how: { readonly replace: boolean; readonly actor: Actor },
): Promise<MemberResult> {
  try {
    const { id, outcome } = await storeBenchmark(writer, incoming, how)
    const kind = outcome === 'already_imported' ? outcome : 'imported'
    return { kind, member: describe(item, { id, outcome }) }
  } catch (error) {
    if (!(error instanceof Refusal) || item.member === null) throw error
    return refusal(item.member, error.code, error.message)
  }
}

function describe({ member, benchmark, warnings }: Read, { id, outcome }: Stored): StoredMember {
  const { kind, benchmarkId, version, title, rules } = benchmark
  const count = (severity: string): number =>
    rules.filter((rule) => rule.severity === severity).length
  return {
    ...{ member, id, kind, version, title },
    benchmark_id: benchmarkId,
    rule_count: rules.length,
    severity_counts: { high: count('high'), medium: count('medium'), low: count('low') },
    replaced: outcome === 'replaced',
    warnings: [...warnings],
  }
}

function refusedMember(item: UploadItem): MemberResult {
  if (item.kind === 'refused') return refusal(item.member, item.code, item.detail)
  throw new Error('A benchmark that was read is stored, not refused')
}

function refusal(member: string | null, code: RefusalCode, detail: string): MemberResult {
  return { kind: 'refused', member: { member, code, title: REFUSALS[code].title, detail } }
}
