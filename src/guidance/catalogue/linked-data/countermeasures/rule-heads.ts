import { z } from 'zod'
import type { Reader } from '../../../database/transaction.ts'
import { citingRule } from '../../benchmarks/citing-rules.ts'
import type { Release } from '../../benchmarks/releases.ts'
import type { Iris } from '../graph/iris.ts'

/** The names of a rule. */
export const ruleHeadSchema = citingRule.extend({ iri: z.string() })

export const benchmarkHeadSchema = z.object({
  id: z.int(),
  kind: z.enum(['srg', 'stig']),
  benchmark_id: z.string(),
  title: z.string(),
  version: z.string(),
  iri: z.string(),
})

export type BenchmarkHead = z.infer<typeof benchmarkHeadSchema>

/** A rule from the database; `benchmark_id` is the id of the benchmark's record. */
export type RuleRecord = z.infer<typeof citingRule> & { readonly benchmark_id: number }

const COLUMNS = ['id', 'benchmark_id', 'rule_id', 'version', 'title', 'severity'] as const

/** The rules of a benchmark in document order. */
export async function findRuleRecords(reader: Reader, benchmarkId: number): Promise<readonly RuleRecord[]> {
  return reader
    .selectFrom('benchmark_rules')
    .select(COLUMNS)
    .where('benchmark_id', '=', benchmarkId)
    .orderBy('position')
    .execute()
}

/** Finds the rules with an id in some benchmarks, in no particular order. */
export async function findRulesByName(
  reader: Reader,
  benchmarkIds: readonly number[],
  ruleId: string,
): Promise<readonly RuleRecord[]> {
  if (benchmarkIds.length === 0) return []
  return reader
    .selectFrom('benchmark_rules')
    .select(COLUMNS)
    .where('benchmark_id', 'in', [...new Set(benchmarkIds)])
    .where('rule_id', '=', ruleId)
    .execute()
}

/** Finds rules by id, in no particular order. */
export async function findRules(reader: Reader, ids: readonly number[]): Promise<readonly RuleRecord[]> {
  if (ids.length === 0) return []
  return reader.selectFrom('benchmark_rules').select(COLUMNS).where('id', 'in', ids).execute()
}

export function shapeRuleHead(record: RuleRecord, iri: string): z.infer<typeof ruleHeadSchema> {
  const { id, rule_id, version, title, severity } = record
  return { id, rule_id, version, title, severity, iri }
}

export function shapeBenchmarkHead(release: Release, iris: Iris): BenchmarkHead {
  const { id, kind, benchmarkId, title, version } = release
  return { id, kind, benchmark_id: benchmarkId, title, version, iri: iris.benchmark(release) }
}
