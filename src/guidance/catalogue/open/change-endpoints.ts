import { z } from 'zod'
import { DOCUMENT } from '../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { compareRules, type RuleChange } from '../benchmark-diff/compare.ts'
import { comparisonTable } from '../benchmark-diff/table.ts'
import { findBenchmark } from '../benchmarks/reader.ts'
import type { Release } from '../benchmarks/releases.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import { ruleAddress } from './addresses.ts'
import { findRelease } from './find.ts'
import { benchmarkId, OPEN, version } from './input.ts'
import { changesSchema } from './schemas.ts'
import { shapeRelease } from './shape.ts'

const input = z.object({ params: z.object({ benchmark_id: benchmarkId, from: version, to: version }) })

/** The changes between two releases of a product, as JSON and as a table. */
export function changeEndpoints({ database: { read } }: Parts): readonly Endpoint[] {
  const json = endpoint({
    ...OPEN,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{from}/changes/{to}.json',
    operation: 'getCatalogueChanges',
    summary: 'The changes between two releases of an SRG or STIG, rule by rule',
    input,
    answer: changesSchema,
    handle: async ({ input: { params } }) => findChanges(read, params),
  })
  const table = endpoint({
    ...OPEN,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{from}/changes/{to}.csv',
    operation: 'getCatalogueChangesAsTable',
    summary: 'The changes between two releases of an SRG or STIG, one row for each field',
    input,
    answer: DOCUMENT,
    mediaTypes: ['text/csv'],
    handle: async ({ input: { params } }) => {
      const { from, to, rules } = await findChanges(read, params)
      const fileName = `${to.benchmark_id}-${from.version}-${to.version}.csv`
      return comparisonTable(fileName, rules, to.kind === 'srg' ? 'SRG ID' : 'STIG ID')
    },
  })
  return [json, table]
}

type Changes = z.infer<typeof changesSchema>

interface ReleasePair {
  readonly benchmark_id: string
  readonly from: string
  readonly to: string
}

async function findChanges(reader: Reader, pair: ReleasePair): Promise<Changes> {
  const { release: from } = await findRelease(reader, pair.benchmark_id, pair.from)
  const { release: to } = await findRelease(reader, pair.benchmark_id, pair.to)
  const older = await findBenchmark(reader, from.id)
  const newer = await findBenchmark(reader, to.id)
  const rules = (await compareRules(older.rules, newer.rules)).map((change) => shapeChange(change, { from, to }))
  return { from: shapeRelease(from), to: shapeRelease(to), counts: countByStatus(rules), rules }
}

function shapeChange(change: RuleChange, { from, to }: { from: Release; to: Release }): Changes['rules'][number] {
  const { status, matchedBy, before, after, changes } = change
  return {
    status,
    matched_by: matchedBy,
    before: before && shapeRuleName(from, before),
    after: after && shapeRuleName(to, after),
    changes: changes.map((field) => ({ ...field })),
  }
}

function shapeRuleName(
  release: Release,
  { ruleId, version: id, title }: Rule,
): NonNullable<Changes['rules'][number]['before']> {
  return { rule_id: ruleId, version: id, title, address: ruleAddress(release, ruleId) }
}

function countByStatus(rules: Changes['rules']): Changes['counts'] {
  const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 }
  for (const { status } of rules) counts[status] += 1
  return counts
}
