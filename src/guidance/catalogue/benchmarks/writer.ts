import type { Insertable } from 'kysely'
import type { Actor } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { nextTurn } from '../../../platform/concurrency/turns.ts'
import { Refusal } from '../../../platform/errors.ts'
import { pick, recordOf } from '../../../platform/records.ts'
import { DISCUSSION_FLAGS, DISCUSSION_TEXTS } from '../../../tables/field-lists.ts'
import { writeAudit, type AuditSubject } from '../../activity/audits/writer.ts'
import { numberOf } from '../../database/flags.ts'
import type { BenchmarkRulesTable, BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Writer } from '../../database/transaction.ts'
import { nameSome } from '../../parts/name-some.ts'
import type { PackedBenchmark } from '../uploads/packed.ts'
import type { BenchmarkHead, Rule } from '../xccdf/benchmark.ts'
import { numbersOf } from './releases.ts'
import { findUsage, type Usage } from './usage.ts'

/** Rules of one statement: SQLite blocks the thread, so other requests run in between. */
const BATCH_SIZE = 40

/** Benchmark ids of the core SRGs, from which other SRGs are made. */
const CORE = new Set(['Operating_System_Core', 'Network_Core_SRG', 'Application_Core_SRG'])

/** A benchmark that was read and is ready to be stored. */
export interface NewBenchmark extends PackedBenchmark {
  /** A range of the rules, in document order: `from` is included, `to` is not. */
  readonly rules: (from: number, to: number) => Promise<readonly Rule[]>
}

export interface StoreResult {
  readonly id: number
  readonly outcome: 'imported' | 'replaced' | 'already_imported'
}

/**
 * Adds a benchmark with all its rules, or returns the stored one if it is the same. Refuses other content under the
 * same id and version, unless `replace` is set; the record then keeps its number.
 */
export async function storeBenchmark(
  writer: Writer,
  incoming: NewBenchmark,
  { replace, actor }: { readonly replace: boolean; readonly actor: Actor },
): Promise<StoreResult> {
  await writer.lock('benchmarks', 0)
  const existing = await findStoredBenchmark(writer, incoming.head)
  if (existing !== undefined) {
    if (isSame(existing, incoming, replace)) return { id: existing.id, outcome: 'already_imported' }
    if (!replace) throw refuseOther(incoming.head, existing.id)
    await removeReplaced(writer, incoming.head, existing.id)
  }
  const id = await insertBenchmark(writer, incoming, existing?.id ?? null)
  await insertRules(writer, id, incoming)
  await auditStored(writer, incoming, { id, before: existing?.digest ?? null, actor })
  return { id, outcome: existing === undefined ? 'imported' : 'replaced' }
}

interface ExistingBenchmark {
  readonly id: number
  readonly digest: string
  readonly sha256: string
}

/**
 * Without `replace`, equal bytes are the same benchmark, even if an earlier version of the program read them
 * differently.
 */
function isSame(existing: ExistingBenchmark, { digest, file }: NewBenchmark, replace: boolean): boolean {
  return existing.digest === digest || (!replace && existing.sha256 === file.sha256)
}

interface BenchmarkChange {
  readonly id: number
  /** The digest of the replaced content. */
  readonly before: string | null
  readonly actor: Actor
}

async function auditStored(
  writer: Writer,
  { head, digest, ruleCount }: NewBenchmark,
  { id, before, actor }: BenchmarkChange,
): Promise<void> {
  const subject = subjectOf({ id, ...head })
  const after = { rules: ruleCount, digest }
  if (before === null) await writeAudit(writer, actor, { action: 'create', subject, after })
  else await writeAudit(writer, actor, { action: 'update', subject, before: { digest: before }, after })
}

async function findStoredBenchmark(
  writer: Writer,
  { benchmarkId, version }: BenchmarkHead,
): Promise<ExistingBenchmark | undefined> {
  return writer
    .selectFrom('benchmarks')
    .innerJoin('benchmark_files as file', 'file.benchmark_id', 'benchmarks.id')
    .select(['benchmarks.id', 'benchmarks.digest', 'file.sha256'])
    .where('benchmarks.benchmark_id', '=', benchmarkId)
    .where('version', '=', version)
    .$if(writer.dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
}

/** Removes a benchmark with its rules and its file. Refuses (422) if components were made from it. */
export async function deleteBenchmark(
  writer: Writer,
  { id, kind, actor }: { readonly id: number; readonly kind: BenchmarkKind; readonly actor: Actor },
): Promise<void> {
  await writer.lock('benchmarks', 0)
  const row = await writer
    .selectFrom('benchmarks')
    .select(['id', 'kind', 'name', 'benchmark_id', 'version', 'rule_count', 'digest'])
    .where('id', '=', id)
    // Prevents that somebody makes a component from it meanwhile; SQLite has one writer at a time anyway.
    .$if(writer.dialect === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (row?.kind !== kind) throw notFound()
  const usage = await findUsage(writer, id)
  if (usage.length > 0)
    throw refuseValues(`Could not remove ${row.name}.`, [
      { field: null, message: `Components were made from it: ${namesOf(usage)}` },
    ])
  await writer.deleteFrom('benchmarks').where('id', '=', id).execute()
  const subject = subjectOf({ id, kind, version: row.version, benchmarkId: row.benchmark_id })
  await writeAudit(writer, actor, { action: 'destroy', subject, before: { rules: row.rule_count, digest: row.digest } })
}

async function insertBenchmark(
  writer: Writer,
  { head, ruleCount, severityCounts, warnings, digest, file }: NewBenchmark,
  id: number | null,
): Promise<number> {
  const { benchmarkId, releaseDate, statusDate, ...fields } = head
  const inserted = await writer
    .insertInto('benchmarks')
    .values({
      ...(id !== null && { id }),
      ...fields,
      ...numbersOf(head.version),
      benchmark_id: benchmarkId,
      name: nameOf(head),
      release_date: releaseDate,
      status_date: statusDate,
      core: CORE.has(benchmarkId) ? 1 : 0,
      digest,
      rule_count: ruleCount,
      high_count: severityCounts.high,
      medium_count: severityCounts.medium,
      low_count: severityCounts.low,
      warnings: JSON.stringify(warnings),
      created_at: new Date().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writer
    .insertInto('benchmark_files')
    .values({ benchmark_id: inserted.id, sha256: file.sha256, content: Buffer.from(file.packed) })
    .execute()
  return inserted.id
}

/** Inserts in batches, so that other requests run in between. */
async function insertRules(writer: Writer, benchmarkId: number, { ruleCount, rules }: NewBenchmark): Promise<void> {
  for (let start = 0; start < ruleCount; start += BATCH_SIZE) {
    const chunk = await rules(start, start + BATCH_SIZE)
    const inserted = await writer
      .insertInto('benchmark_rules')
      .values(chunk.map((rule, index) => rowOf(rule, benchmarkId, start + index)))
      .returning(['id', 'position'])
      .execute()
    const ids = new Map(inserted.map(({ id, position }) => [position, id]))
    const numbered = chunk.map((rule, index) => ({ rule, rule_id: ids.get(start + index) ?? 0 }))
    await insertParts(writer, numbered)
    await nextTurn()
  }
}

type NumberedRules = readonly { readonly rule: Rule; readonly rule_id: number }[]

async function insertParts(writer: Writer, numbered: NumberedRules): Promise<void> {
  const checks = numbered.flatMap(({ rule, rule_id }) =>
    rule.checks.map(({ system, content, contentRefName, contentRefHref }) => {
      return { rule_id, system, content, content_ref_name: contentRefName, content_ref_href: contentRefHref }
    }),
  )
  if (checks.length > 0) await writer.insertInto('benchmark_checks').values(checks).execute()
  const fixes = numbered.flatMap(({ rule, rule_id }) =>
    rule.fixes.map(({ fixref, fixId, text }) => ({ rule_id, fixref, fix_id: fixId, text })),
  )
  if (fixes.length > 0) await writer.insertInto('benchmark_fixes').values(fixes).execute()
  const idents = numbered.flatMap(({ rule, rule_id }) => rule.idents.map((ident) => ({ rule_id, ...ident })))
  if (idents.length > 0) await writer.insertInto('benchmark_idents').values(idents).execute()
  const references = numbered.flatMap(({ rule, rule_id }) =>
    rule.references.map((reference) => ({ rule_id, ...reference })),
  )
  if (references.length > 0) await writer.insertInto('benchmark_references').values(references).execute()
}

function rowOf(rule: Rule, benchmark_id: number, position: number): Insertable<BenchmarkRulesTable> {
  const { version, title, severity, weight, status, discussion } = rule
  return {
    benchmark_id,
    position,
    version,
    title,
    severity,
    weight,
    status,
    rule_id: rule.ruleId,
    group_id: rule.groupId,
    group_title: rule.groupTitle,
    ...pick(discussion, DISCUSSION_TEXTS),
    ...recordOf(DISCUSSION_FLAGS, (name) => numberOf(discussion[name])),
  }
}

/** `RHEL_9_STIG`, `V2R7` → `RHEL 9 STIG - Ver 2, Rel 7`. */
function nameOf({ benchmarkId, version }: BenchmarkHead): string {
  const spacedId = benchmarkId.replaceAll('_', ' ').replaceAll(/(\d)-/g, '$1.')
  const [, major = '', release = ''] = /^V(\d+)R([\d.]+)$/.exec(version) ?? []
  return `${spacedId} - Ver ${major}, Rel ${release}`
}

function subjectOf(
  benchmark: Pick<BenchmarkHead, 'kind' | 'benchmarkId' | 'version'> & { readonly id: number },
): AuditSubject {
  const { id, kind, benchmarkId, version } = benchmark
  return { type: kind === 'srg' ? 'SRG' : 'STIG', id, name: `${benchmarkId} ${version}` }
}

/** Removes the old content. Refuses if a component was made from it. */
async function removeReplaced(writer: Writer, { benchmarkId, version }: BenchmarkHead, id: number): Promise<void> {
  const usage = await findUsage(writer, id)
  if (usage.length > 0) {
    const detail = `${benchmarkId} ${version} cannot be replaced: components were made from it: ${namesOf(usage)}.`
    throw new Refusal('version_taken', detail, { id, components: usage.map((component) => component.id) })
  }
  await writer.deleteFrom('benchmarks').where('id', '=', id).execute()
}

/** May name components of all projects, because only site administrators can delete or replace a benchmark. */
function namesOf(usage: readonly Usage[]): string {
  return nameSome(usage.map(({ name, prefix }) => `${prefix} - ${name}`))
}

function refuseOther({ benchmarkId, version }: BenchmarkHead, id: number): Refusal {
  const detail = `${benchmarkId} ${version} has been imported with other content. Send replace=true to replace it.`
  return new Refusal('version_taken', detail, { id })
}
