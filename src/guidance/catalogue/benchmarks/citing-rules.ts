import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { z } from 'zod'
import { append } from '../../../platform/append.ts'
import { pick } from '../../../platform/records.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import { latestOf, listReleases, type Release } from './releases.ts'
import { severityCounts } from './schemas.ts'

/** Limit of listed rules of a benchmark: some have hundreds for one requirement. */
const MAX_LISTED_RULES = 20

export const citingRule = z.object({
  id: z.int(),
  rule_id: z.string(),
  version: z.string().nullable(),
  title: z.string(),
  severity: z.string(),
})

/** A benchmark with its rules that meet a requirement, cite a CCI, or implement a control. */
export const citingBenchmark = z.object({
  id: z.int(),
  kind: z.enum(['srg', 'stig']),
  benchmark_id: z.string(),
  title: z.string(),
  version: z.string(),
  rule_count: z.int(),
  severity_counts: severityCounts,
  rules: z.array(citingRule).meta({ description: `The first ${MAX_LISTED_RULES}, in the order of the document` }),
})

export const citingBenchmarks = z.array(citingBenchmark)

type CitingBenchmarks = z.infer<typeof citingBenchmarks>

/** A condition on rules. */
export type RuleFilter = (is: ExpressionBuilder<Schema, 'benchmark_rules'>) => Expression<SqlBool>

/** Finds matching rules in the newest release of each product. */
export async function findCitingRules(reader: Reader, filter: RuleFilter): Promise<CitingBenchmarks> {
  const releases = latestOf(await listReleases(reader))
  const rows = new Map<number, RuleRow[]>()
  for (const row of await findRules(reader, filter)) append(rows, row.benchmark_id, row)
  return releases.flatMap((release) => {
    const releaseRules = rows.get(release.id)
    const first = releaseRules?.[0]
    return releaseRules === undefined || first === undefined ? [] : [shapeCiting(release, releaseRules, first)]
  })
}

/** The counts of all products together. */
export function totalSeverities(benchmarks: CitingBenchmarks): { high: number; medium: number; low: number } {
  const count = (severity: 'high' | 'medium' | 'low'): number =>
    benchmarks.reduce((sum, { severity_counts }) => sum + severity_counts[severity], 0)
  return { high: count('high'), medium: count('medium'), low: count('low') }
}

/** Finds the rules that cite any of these CCIs. */
export function citesCcis(ccis: readonly string[]): RuleFilter {
  if (ccis.length === 0) return (is) => is.lit(false)
  return (is) =>
    is(
      'benchmark_rules.id',
      'in',
      is.selectFrom('benchmark_idents as ident').select('ident.rule_id').where('ident.value', 'in', ccis),
    )
}

function shapeCiting(
  { id, kind, benchmarkId: benchmark_id, title, version }: Release,
  rows: readonly RuleRow[],
  { total: rule_count, high, medium, low }: RuleRow,
): CitingBenchmarks[number] {
  const rules = rows.map((row) => pick(row, ['id', 'rule_id', 'version', 'title', 'severity']))
  return { id, kind, benchmark_id, title, version, rule_count, severity_counts: { high, medium, low }, rules }
}

type RuleRow = z.infer<typeof citingRule> & {
  readonly benchmark_id: number
  /** The number of its matching rules, and of those of each severity. */
  readonly total: number
  readonly high: number
  readonly medium: number
  readonly low: number
}

function findRules(reader: Reader, filter: RuleFilter): Promise<readonly RuleRow[]> {
  const matches = reader
    .selectFrom('benchmark_rules')
    .select(['id', 'benchmark_id', 'rule_id', 'version', 'title', 'severity', 'position'])
    .select((is) => {
      const { fn } = is
      const count = (severity: 'high' | 'medium' | 'low') =>
        fn
          .count<number>(is.case().when('severity', '=', severity).then(1).end())
          .over((rule) => rule.partitionBy('benchmark_id'))
          .as(severity)
      return [
        fn
          .agg<number>('row_number')
          .over((rule) => rule.partitionBy('benchmark_id').orderBy('position'))
          .as('place'),
        fn
          .countAll<number>()
          .over((rule) => rule.partitionBy('benchmark_id'))
          .as('total'),
        count('high'),
        count('medium'),
        count('low'),
      ]
    })
    .where(filter)
    .as('found')
  return reader
    .selectFrom(matches)
    .select(['id', 'benchmark_id', 'rule_id', 'version', 'title', 'severity', 'total', 'high', 'medium', 'low'])
    .where('place', '<=', MAX_LISTED_RULES)
    .orderBy('benchmark_id')
    .orderBy('position')
    .execute()
}
