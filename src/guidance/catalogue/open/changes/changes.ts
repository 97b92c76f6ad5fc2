import type { z } from 'zod'
import type { Document } from '../../../../http/answer/answers.ts'
import { compareRules, type RuleChange } from '../../benchmark-diff/compare.ts'
import { comparisonTable } from '../../benchmark-diff/table.ts'
import type { ReleaseHead } from '../../benchmarks/releases.ts'
import type { Rule } from '../../xccdf/benchmark.ts'
import { ruleAddress } from '../addresses.ts'
import type { changesSchema } from '../schemas.ts'
import { shapeRelease } from '../shape.ts'

export type Changes = z.infer<typeof changesSchema>

interface ReleaseRules {
  readonly release: ReleaseHead
  readonly rules: readonly Rule[]
}

/** The changes between two releases of a product, rule by rule. */
export async function changesBetween(older: ReleaseRules, newer: ReleaseRules): Promise<Changes> {
  const { release: from } = older
  const { release: to } = newer
  const rules = (await compareRules(older.rules, newer.rules)).map((change) => shapeChange(change, { from, to }))
  return { from: shapeRelease(from), to: shapeRelease(to), counts: countByStatus(rules), rules }
}

/** Writes the changes as a table, one row for each field. */
export function changesTable({ from, to, rules }: Changes): Document {
  const fileName = `${to.benchmark_id}-${from.version}-${to.version}.csv`
  return comparisonTable(fileName, rules, to.kind === 'srg' ? 'SRG ID' : 'STIG ID')
}

function shapeChange(
  change: RuleChange,
  { from, to }: { from: ReleaseHead; to: ReleaseHead },
): Changes['rules'][number] {
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
  release: ReleaseHead,
  { ruleId, version: id, title, severity }: Rule,
): NonNullable<Changes['rules'][number]['before']> {
  return { rule_id: ruleId, version: id, title, severity, address: ruleAddress(release, ruleId) }
}

function countByStatus(rules: Changes['rules']): Changes['counts'] {
  const counts = { added: 0, removed: 0, changed: 0, unchanged: 0 }
  for (const { status } of rules) counts[status] += 1
  return counts
}
