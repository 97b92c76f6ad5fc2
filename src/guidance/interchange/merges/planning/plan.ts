import type { MergeOutcome } from '../../../database/schema/imports.ts'
import type { RuleState } from '../../exports/component/snapshot.ts'
import type { FileRule } from '../reading/merge-file.ts'
import { withoutSheetChanges, matchesExport, withoutSatisfies, type ExportContext } from './exported-forms.ts'
import { isProse, MERGED_FIELDS, valueOf, type FieldValue, type MergedField } from './fields.ts'
import { mergeField, type Sides } from './three-way.ts'

/** A field whose values differ between base, component and file. */
export interface PlannedField extends Sides {
  readonly field: MergedField
  readonly merged: string | null
  readonly outcome: MergeOutcome
}

export interface RuleToMerge {
  /** The exported state; null if the rule did not exist then. */
  readonly base: RuleState | null
  readonly ours: RuleState
  readonly fileRule: Pick<FileRule, 'values'>
  readonly context: ExportContext
}

export interface RulePlan {
  readonly fields: readonly PlannedField[]
  /** The number of fields in the file that nobody has changed. */
  readonly unchanged: number
}

/** Compares each field of a rule in the file with its exported value and its current value. */
export function planRule(rule: RuleToMerge): RulePlan {
  const fields: PlannedField[] = []
  let unchanged = 0
  for (const field of MERGED_FIELDS) {
    const value = rule.fileRule.values[field]
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
  if (exported !== null && matchesExport(value, field, exported, context)) return { base, ours, theirs: base }
  if (matchesExport(value, field, state, context)) return { base, ours, theirs: ours }
  return { base, ours, theirs: typeof value === 'string' ? textOf(value, { base, context }) : value }
}

/** Code stays unchanged: blanks at ends of lines may be part of a string in it. */
function textOf(
  value: string,
  { base, context }: { readonly base: FieldValue; readonly context: ExportContext },
): string | null {
  return context.form === 'profile' ? value : withoutSheetChanges(withoutSatisfies(value, context), base) || null
}
