import type { MergeOutcome } from '../../../database/schema/imports.ts'
import type { RuleState } from '../../exports/component/snapshot.ts'
import type { ReturnedRule } from '../reading/returned.ts'
import { isProse, MERGED_FIELDS, valueOf, type FieldValue, type MergedField } from './fields.ts'
import { cleaned, isShown, withoutSatisfies, type FormContext } from './shown.ts'
import { mergeField, type Sides } from './three-way.ts'

/** A field that is not the same in base, component and file. */
export interface PlannedField extends Sides {
  readonly field: MergedField
  readonly merged: string | null
  readonly outcome: MergeOutcome
}

export interface RuleToMerge {
  /** As it was exported; null: it did not exist. */
  readonly base: RuleState | null
  readonly ours: RuleState
  readonly returned: Pick<ReturnedRule, 'values'>
  readonly context: FormContext
}

export interface RulePlan {
  readonly fields: readonly PlannedField[]
  /** How many fields of the file are as they were and are. */
  readonly unchanged: number
}

/** Compares each field that a file has of a rule with the rule as it was exported and as it is now. */
export function planRule(rule: RuleToMerge): RulePlan {
  const fields: PlannedField[] = []
  let unchanged = 0
  for (const field of MERGED_FIELDS) {
    const value = rule.returned.values[field]
    if (value === undefined) continue
    const sides = sidesOf(rule, field, value)
    const { outcome, merged } = mergeField(sides, isProse(field))
    if (outcome === 'unchanged') unchanged += 1
    else fields.push({ field, ...sides, merged, outcome })
  }
  return { fields, unchanged }
}

function sidesOf({ base: exported, ours: state, context }: RuleToMerge, field: MergedField, value: FieldValue): Sides {
  const base = exported === null ? null : valueOf(exported, field)
  const ours = valueOf(state, field)
  if (exported !== null && isShown(value, field, exported, context)) return { base, ours, theirs: base }
  if (isShown(value, field, state, context)) return { base, ours, theirs: ours }
  const theirs = typeof value === 'string' ? cleaned(withoutSatisfies(value, context), base) || null : value
  return { base, ours, theirs }
}
