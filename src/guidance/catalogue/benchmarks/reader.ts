import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../../http/input.ts'
import { nextTurn } from '../../../platform/concurrency/turns.ts'
import { pick, recordOf } from '../../../platform/records.ts'
import { DISCUSSION_FLAGS, DISCUSSION_TEXTS } from '../../../tables/field-lists.ts'
import { flagOf } from '../../database/flags.ts'
import type { BenchmarkRulesTable, BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Benchmark, ReadWarning, Rule } from '../xccdf/benchmark.ts'
import { findChecks, findFixes, findIdents, findReferences, type RuleRange, type StoredCheck } from './rule-parts.ts'
import { readWarning } from './schemas.ts'

const unpack = promisify(gunzip)

/** A rule with the id of its record. */
export interface StoredRule extends Rule {
  readonly id: number
  readonly checks: readonly StoredCheck[]
}

export interface StoredBenchmark extends Benchmark {
  readonly id: number
  readonly name: string
  readonly core: boolean
  readonly rules: readonly StoredRule[]
}

/** A benchmark with all its rules, as read from its file. Refuses unknown ids with 404. */
export async function findBenchmark(reader: Reader, id: number, kind?: BenchmarkKind): Promise<StoredBenchmark> {
  const head = await findBenchmarkHead(reader, id, kind)
  const rules: StoredRule[] = []
  for await (const portion of findRules(reader, id)) rules.push(...portion)
  return { ...head, rules }
}

/** Finds a benchmark without its rules, which are most of it. */
export async function findBenchmarkHead(
  reader: Reader,
  id: number,
  kind?: BenchmarkKind,
): Promise<Omit<StoredBenchmark, 'rules'>> {
  const row = await reader.selectFrom('benchmarks').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined || (kind !== undefined && row.kind !== kind)) throw notFound()
  const { version, title, name, status, description, language, publisher, source, xccdf } = row
  return {
    id,
    version,
    title,
    name,
    status,
    description,
    language,
    publisher,
    source,
    xccdf,
    kind: row.kind,
    benchmarkId: row.benchmark_id,
    releaseDate: row.release_date,
    statusDate: row.status_date,
    core: row.core === 1,
  }
}

/** The file as it was uploaded. */
export async function findFile(reader: Reader, benchmarkId: number): Promise<Buffer> {
  const { content } = await reader
    .selectFrom('benchmark_files')
    .select('content')
    .where('benchmark_id', '=', benchmarkId)
    .executeTakeFirstOrThrow()
  return unpack(content)
}

const readWarnings = z.array(readWarning)

/** The warnings of the file. */
export async function findWarnings(reader: Reader, benchmarkId: number): Promise<readonly ReadWarning[]> {
  const row = await reader.selectFrom('benchmarks').select('warnings').where('id', '=', benchmarkId).executeTakeFirst()
  return readWarnings.parse(JSON.parse(row?.warnings ?? '[]'))
}

/** Rules of one query: SQLite blocks the thread, so other requests run in between. */
const BATCH_SIZE = 250

/** Yields the rules in document order, in portions of five queries each. */
export async function* findRules(reader: Reader, benchmarkId: number): AsyncGenerator<readonly StoredRule[]> {
  for (let from = 0; ; from += BATCH_SIZE) {
    const portion = await findPortion(reader, { benchmarkId, from, to: from + BATCH_SIZE })
    if (portion.length > 0) yield portion
    if (portion.length < BATCH_SIZE) return
    await nextTurn()
  }
}

/** The rule at a position of a benchmark, from 0; null if there is none. */
export async function findRuleAt(reader: Reader, benchmarkId: number, position: number): Promise<StoredRule | null> {
  const [rule] = await findPortion(reader, { benchmarkId, from: position, to: position + 1 })
  return rule ?? null
}

async function findPortion(reader: Reader, part: RuleRange): Promise<readonly StoredRule[]> {
  const rows = await reader
    .selectFrom('benchmark_rules')
    .selectAll()
    .where('benchmark_id', '=', part.benchmarkId)
    .where('position', '>=', part.from)
    .where('position', '<', part.to)
    .orderBy('position')
    .execute()
  const checks = await findChecks(reader, part)
  const fixes = await findFixes(reader, part)
  const idents = await findIdents(reader, part)
  const references = await findReferences(reader, part)
  return rows.map((row) => ({
    ...shapeRule(row),
    checks: checks.get(row.id) ?? [],
    fixes: fixes.get(row.id) ?? [],
    idents: idents.get(row.id) ?? [],
    references: references.get(row.id) ?? [],
  }))
}

type OwnFields = Omit<StoredRule, 'checks' | 'fixes' | 'idents' | 'references'>

function shapeRule(row: Selectable<BenchmarkRulesTable>): OwnFields {
  const { id, version, title, severity, weight, status } = row
  return {
    id,
    version,
    title,
    severity,
    weight,
    status,
    ruleId: row.rule_id,
    groupId: row.group_id,
    groupTitle: row.group_title,
    discussion: {
      ...pick(row, DISCUSSION_TEXTS),
      ...recordOf(DISCUSSION_FLAGS, (name) => flagOf(row[name])),
    },
  }
}
