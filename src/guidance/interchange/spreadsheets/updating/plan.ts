import { createHash } from 'node:crypto'
import { z } from 'zod'
import { nextTurn } from '../../../../platform/concurrency/turns.ts'
import type { AuthoredRule } from '../../../authoring/rules/reader.ts'
import { displayedName, ruleIdOf } from '../../../database/rule-names.ts'
import type { Reader } from '../../../database/transaction.ts'
import { MAX_WARNINGS } from '../reading/limits.ts'
import type { Sheet } from '../reading/read.ts'
import { satisfiedIds, stigIdKey } from '../reading/values.ts'
import { compare, type Comparison } from './compare.ts'
import { findComponentRules } from './component-rules.ts'
import { matchRecords } from './match-records.ts'

const text = z.string().nullable()

const ruleHead = z.object({
  id: z.int(),
  rule_id: z.string().meta({ description: 'Number within the component: 000012' }),
  srg_id: text,
  displayed_name: z.string(),
})

/** The changes of a component by a sheet. */
export const planSchema = z.object({
  updated: z.array(ruleHead.extend({ changes: z.record(z.string(), z.object({ from: text, to: text })) })),
  unchanged: z.array(ruleHead),
  skipped_locked: z.array(
    ruleHead.extend({
      reason: z.enum(['inherited', 'locked', 'section locked']),
      skipped_fields: z.array(z.string()),
    }),
  ),
  warnings: z.array(z.string()),
})

export interface Plan {
  readonly comparisons: readonly Comparison[]
  readonly warnings: readonly string[]
  /** The fingerprint of the current rules. It changes when one of them does. */
  readonly fingerprint: string
}

/** Compares a sheet with the rules of a component, a few at a time. */
export async function planUpdate(reader: Reader, componentId: number, sheet: Sheet): Promise<Plan> {
  const subjects = await findComponentRules(reader, componentId)
  const { rules } = subjects
  const { pairs, warnings } = matchRecords(sheet.records, subjects)
  const comparisons: Comparison[] = []
  for (const [index, pair] of pairs.entries()) {
    comparisons.push(compare(pair))
    if (index % 50 === 49) await nextTurn()
  }
  const planWarnings = [
    ...sheet.warnings,
    ...warnings,
    ...comparisons.flatMap((comparison) => [...comparison.warnings, ...linkWarnings(comparison)]),
  ]
  return { comparisons, warnings: limitWarnings(planWarnings), fingerprint: fingerprintOf(rules) }
}

/** Compares full names, because rules of two components may have the same number. */
function linkWarnings({ record: { row, values }, rule }: Comparison): readonly string[] {
  if (values.satisfies === undefined) return []
  const names = rule.satisfies.map(({ prefix, number }) => displayedName(prefix, number))
  const knownKeys = new Set(names.map(stigIdKey))
  const satisfied = new Set(satisfiedIds(values.satisfies).map(stigIdKey))
  if (knownKeys.size === satisfied.size && [...satisfied].every((id) => knownKeys.has(id))) return []
  return [`Row ${row}: Satisfies differs; links between rules are not changed by a spreadsheet.`]
}

/** Limits the number of warnings, because nobody reads very many. */
function limitWarnings(warnings: readonly string[]): readonly string[] {
  const restCount = warnings.length - MAX_WARNINGS
  return restCount > 0 ? [...warnings.slice(0, MAX_WARNINGS), `And ${restCount} more warnings.`] : warnings
}

function fingerprintOf(rules: readonly AuthoredRule[]): string {
  const hash = createHash('sha256')
  const byNumber = [...rules].sort((a, b) => a.number - b.number)
  for (const { id, lock_version, locked, locked_fields, satisfiedBy } of byNumber)
    hash.update(JSON.stringify([id, lock_version, locked, locked_fields, satisfiedBy.map((rule) => rule.id)]))
  return hash.digest('hex')
}

/** Shapes the plan as a preview. */
export function shapePlan({ comparisons, warnings }: Plan): z.infer<typeof planSchema> {
  return {
    updated: comparisons
      .filter(({ changes }) => changes.size > 0)
      .map(({ rule, changes }) => ({ ...nameOf(rule), changes: Object.fromEntries(changes) })),
    unchanged: comparisons
      .filter(({ changes, skipped }) => changes.size + skipped.size === 0)
      .map(({ rule }) => nameOf(rule)),
    skipped_locked: comparisons.flatMap(shapeSkipped),
    warnings: [...warnings],
  }
}

/** One entry for each reason. */
function shapeSkipped({ rule, skipped }: Comparison): z.infer<typeof planSchema>['skipped_locked'] {
  const reasons = [...new Set(skipped.values())]
  return reasons.map((reason) => ({
    ...nameOf(rule),
    reason,
    skipped_fields: [...skipped].filter(([, skipReason]) => skipReason === reason).map(([field]) => field),
  }))
}

function nameOf({ id, number, prefix, version }: AuthoredRule): z.infer<typeof ruleHead> {
  return {
    id,
    rule_id: ruleIdOf(number),
    srg_id: version,
    displayed_name: displayedName(prefix, number),
  }
}
