import type { Actor } from '../../../http/caller.ts'
import { Refusal, REFUSALS } from '../../../platform/errors.ts'
import { isStorageRefusal } from '../../../platform/storage.ts'
import type { Database } from '../../database/database.ts'
import type { Writer } from '../../database/transaction.ts'
import { storeBenchmark, type StoreResult } from '../benchmarks/writer.ts'
import { importReferenceData } from '../reference-data/importing/import-reference.ts'
import type { ReferenceReader } from '../reference-data/importing/reference-thread.ts'
import type { ReceivedItem, UploadReader } from '../uploads/upload-thread.ts'
import type { RefusedItem } from '../uploads/upload.ts'
import type { ReadOptions } from '../xccdf/benchmark.ts'
import type { MemberResult, StoredMember } from './outcome.ts'

export interface ImportOptions extends ReadOptions {
  /** Replace other content under the same id and version. */
  readonly replace: boolean
  /** Refuse benchmarks. */
  readonly only?: 'reference_data' | undefined
}

export interface FileImportParts {
  readonly database: Database
  readonly reader: UploadReader
  readonly references: ReferenceReader
}

interface ImportRun {
  readonly options: ImportOptions
  readonly actor: Actor
  /** The name of the file as it was uploaded; by default its name on disk. */
  readonly name?: string | undefined
  /** Number of members that an earlier run has stored. They are read again, but not stored. */
  readonly skip?: number
  /** Called in the transaction that stores the member. */
  readonly record?: (writer: Writer, step: ImportStep) => Promise<void>
}

/** One member is done. */
export interface ImportStep {
  readonly done: number
  /** The number of members known so far. */
  readonly total: number
  readonly result: MemberResult
}

/**
 * Stores the benchmarks of a file, each in its own transaction, or its reference data. A refused member of a zip is
 * part of the result; if the whole file is refused, the refusal is thrown.
 */
export async function* importFile(parts: FileImportParts, file: string, run: ImportRun): AsyncGenerator<ImportStep> {
  const importStep = await importReference(parts, file, run)
  if (importStep === null && run.options.only === 'reference_data')
    throw new Refusal('not_reference_data', NO_REFERENCE)
  if (importStep === null) yield* importBenchmarks(parts, file, run)
  else yield importStep
}

const NO_REFERENCE =
  'The file is not a CCI list (XML), a catalogue of NIST SP 800-53 (OSCAL JSON), a domain of ATT&CK (STIX 2.1) or CWE (XML, CSV).'

/** Null for a file that is not reference data. */
function importReference(
  { database, references }: FileImportParts,
  file: string,
  { actor, options, name, skip = 0, record }: ImportRun,
): Promise<ImportStep | null> {
  return references.read(file, { name, isExpected: options.only === 'reference_data' }, (received) =>
    database.transact(async (writer) => {
      const member = await importReferenceData(writer, received, actor)
      const step = { done: 1, total: 1, result: { kind: 'reference_data', member } } as const
      if (skip === 0) await record?.(writer, step)
      return step
    }),
  )
}

async function* importBenchmarks(
  { database, reader }: FileImportParts,
  file: string,
  { options, actor, skip = 0, record }: ImportRun,
): AsyncGenerator<ImportStep> {
  for await (const item of reader.read(file, options)) {
    const { done, total, member } = item
    if (done <= skip) continue
    const finish = async (writer: Writer, result: MemberResult): Promise<ImportStep> => {
      const step = { done, total, result }
      await record?.(writer, step)
      return step
    }
    const refuse = (refused: MemberRefusal): Promise<ImportStep> =>
      database.transact((writer) => finish(writer, refusal(member, refused)))
    if (item.kind !== 'read') {
      yield await refuse(item)
      continue
    }
    const storeOptions = { replace: options.replace, actor }
    try {
      yield await database.transact(async (writer) => {
        const { id, outcome } = await storeBenchmark(writer, item, storeOptions)
        const kind = outcome === 'already_imported' ? outcome : 'imported'
        return finish(writer, { kind, member: describeMember(item, { id, outcome }) })
      })
    } catch (error) {
      // In a zip, a member that cannot be stored is only one refused member. A full disk is not its fault: the caller
      // can try again.
      if (!(error instanceof Refusal) || isStorageRefusal(error) || member === null) throw error
      yield await refuse({ kind: 'refused', code: error.code, detail: error.message })
    }
  }
}

function describeMember(item: ReceivedItem, { id, outcome }: StoreResult): StoredMember {
  const { member, head, ruleCount, severityCounts, warnings } = item
  const { kind, benchmarkId, version, title } = head
  return {
    member,
    id,
    kind,
    version,
    title,
    benchmark_id: benchmarkId,
    rule_count: ruleCount,
    severity_counts: { ...severityCounts },
    replaced: outcome === 'replaced',
    warnings: [...warnings],
  }
}

type MemberRefusal = Pick<RefusedItem, 'kind' | 'code' | 'detail'>

function refusal(member: string | null, { kind, code, detail }: MemberRefusal): MemberResult {
  const problem = { member, code, title: REFUSALS[code].title, detail }
  return kind === 'refused' ? { kind, member: problem } : { kind, member: problem }
}
