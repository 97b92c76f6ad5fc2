import { nextTurn } from '../../../platform/concurrency/turns.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { ComponentGrant } from '../../authoring/access/component-access.ts'
import { findAllRules } from '../../authoring/components/portions.ts'
import { contentChanges } from '../../authoring/rule-editing/changes.ts'
import { changeRules } from '../../authoring/rule-editing/writer.ts'
import { writeSummary } from '../../authoring/rule-locks/audit.ts'
import type { AuthoredRule } from '../../authoring/rules/reader.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Writer } from '../../database/transaction.ts'
import { stateOf } from '../exports/component/snapshot.ts'
import { checkChanges } from '../spreadsheets/updating/check-changes.ts'
import { valueOf, isProse, type FieldValue, type MergedField } from './planning/fields.ts'
import { mergeField } from './planning/three-way.ts'
import type { MergeField } from './schemas.ts'
import {
  blockReasonOf,
  fieldOf,
  findOpen,
  valueIn,
  type MergeFieldRow,
  type MergeRow,
  type NamedField,
} from './storing/reader.ts'

const NOT_APPLIED = 'Could not merge the file.'

export interface ApplyResult {
  readonly rules: { readonly rule_id: number; readonly displayed_name: string; readonly fields: MergedField[] }[]
  readonly skipped: (NamedField & { readonly reason: NonNullable<MergeField['blocked']> })[]
}

/** Thrown when fields have changed since the plan was made. It ends the transaction, and then the plan is refreshed. */
export class OutdatedPlan extends Error {
  readonly fields: readonly NamedField[]

  constructor(fields: readonly NamedField[]) {
    super('The plan is outdated')
    this.fields = fields
  }
}

/** A merge, with the caller's grant in its component. */
export interface MergeContext {
  readonly merge: MergeRow
  readonly grant: ComponentGrant
}

/**
 * Writes the values that a plan takes from the file, with one summary in the history of the component. Locked fields
 * stay unchanged. 409 while a conflict is open. Throws {@link OutdatedPlan} if somebody has changed a field since. The
 * component must be locked.
 */
export async function applyMerge(writer: Writer, { merge, grant }: MergeContext): Promise<ApplyResult> {
  const open = await findOpen(writer, merge.id)
  if (open.length > 0) throw undecided(open)
  const rules = new Map((await findAllRules(writer, merge.component_id)).map((rule) => [rule.id, rule]))
  const changes = planChanges(rules, await findRows(writer, merge.id))
  if (changes.outdated.length > 0) throw new OutdatedPlan(changes.outdated)
  const audits = await changeRules(writer, changes.rules.map(changeOf), {
    caller: grant.caller,
    projectId: grant.projectId,
    comment: `Merged from ${merge.file_name}`,
  })
  await recordMerge(writer, { merge, grant }, audits)
  return {
    rules: changes.rules.map(({ rule, values }) => ({ ...nameOf(rule), fields: [...values.keys()] })),
    skipped: changes.skipped,
  }
}

function undecided(fields: readonly NamedField[]): Refusal {
  const [first] = fields
  const detail = `${fields.length} conflicts are not decided: ${first?.displayed_name} ${first?.field}${fields.length > 1 ? ' …' : ''}.`
  return new Refusal('merge_undecided', detail, {
    conflicts: fields.slice(0, MAX_NAMED),
    toast: { title: NOT_APPLIED, message: detail, variant: 'danger' },
  })
}

/** The number of fields that a refusal names. */
export const MAX_NAMED = 200

function findRows(writer: Writer, mergeId: number): Promise<MergeFieldRow[]> {
  return writer.selectFrom('merge_fields').selectAll().where('merge_id', '=', mergeId).orderBy('id').execute()
}

interface RuleToChange {
  readonly rule: AuthoredRule
  readonly values: Map<MergedField, FieldValue>
}

interface Changes {
  readonly rules: RuleToChange[]
  readonly skipped: ApplyResult['skipped']
  readonly outdated: NamedField[]
}

function planChanges(rules: ReadonlyMap<number, AuthoredRule>, rows: readonly MergeFieldRow[]): Changes {
  const changes: Changes = { rules: [], skipped: [], outdated: [] }
  for (const row of rows) {
    const rule = rules.get(row.rule_id)
    if (rule === undefined || !changesField(row)) continue
    const field = fieldOf(row)
    const namedField = { ...nameOf(rule), field }
    const reason = blockReasonOf({ ...rule, satisfiers: rule.satisfiedBy.length }, field)
    if (reason !== null) changes.skipped.push({ ...namedField, reason })
    else if (valueOf(stateOf(rule), field) !== valueIn(row.ours)) changes.outdated.push(namedField)
    else {
      // All fields of a rule come one after the other.
      if (changes.rules.at(-1)?.rule !== rule) changes.rules.push({ rule, values: new Map() })
      changes.rules.at(-1)?.values.set(field, takenValue(row))
    }
  }
  return changes
}

/** Whether the plan gives the field another value. */
function changesField(row: MergeFieldRow): boolean {
  return takenValue(row) !== valueIn(row.ours)
}

function takenValue(row: MergeFieldRow): FieldValue {
  const take = row.take ?? (row.outcome === 'theirs' || row.outcome === 'merged' ? row.outcome : 'ours')
  if (take === 'text') return row.text === '' ? null : row.text
  return take === 'merged' ? row.merged : valueIn(row[take])
}

function nameOf({ id, prefix, number }: AuthoredRule): Omit<NamedField, 'field'> {
  return { rule_id: id, displayed_name: displayedName(prefix, number) }
}

function changeOf({ rule, values }: RuleToChange): Parameters<typeof changeRules>[1][number] {
  const { check_content: check, ...columns } = Object.fromEntries(values)
  return {
    rule,
    change: {
      columns: contentChanges.parse(columns),
      checks_attributes: check === undefined ? [] : checkChanges(rule, typeof check === 'string' ? check : null),
    },
    failure: `Could not merge ${displayedName(rule.prefix, rule.number)}.`,
  }
}

/** Stores the ids of the rules' audit entries, for undo, and adds the summary. */
async function recordMerge(writer: Writer, { merge, grant }: MergeContext, audits: readonly number[]): Promise<void> {
  await writer
    .updateTable('merges')
    .set({ state: 'applied', audits: JSON.stringify(audits), updated_at: new Date().toISOString() })
    .where('id', '=', merge.id)
    .execute()
  if (audits.length === 0) return
  await writeSummary(writer, grant.caller, {
    componentId: merge.component_id,
    comment: `Merged ${merge.file_name} into ${audits.length} rules.`,
    after: { file: merge.file_name, format: merge.format, merge: merge.id },
  })
}

/** Plans fields again that have changed since, and removes the decisions on them. */
export async function refreshPlan(writer: Writer, merge: MergeRow): Promise<void> {
  const rules = new Map((await findAllRules(writer, merge.component_id)).map((rule) => [rule.id, rule]))
  for (const row of await findRows(writer, merge.id)) {
    const rule = rules.get(row.rule_id)
    const field = fieldOf(row)
    const ours = rule === undefined ? valueIn(row.ours) : valueOf(stateOf(rule), field)
    if (ours === valueIn(row.ours)) continue
    const base = valueIn(row.base)
    const { outcome, merged } = mergeField({ base, ours, theirs: valueIn(row.theirs) }, isProse(field))
    const values = { ours: JSON.stringify(ours), merged, take: null, text: null }
    await writer
      .updateTable('merge_fields')
      // A field that has its exported value again needs no merge.
      .set({ ...values, outcome: outcome === 'unchanged' ? 'same' : outcome })
      .where('id', '=', row.id)
      .execute()
    await nextTurn()
  }
}
