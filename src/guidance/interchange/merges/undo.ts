import { z } from 'zod'
import { Refusal } from '../../../platform/errors.ts'
import { pick } from '../../../platform/records.ts'
import { CHECK_COLUMNS } from '../../../tables/field-lists.ts'
import { auditSchema } from '../../activity/audits/reader.ts'
import { findAllRules } from '../../authoring/components/portions.ts'
import { contentOf, readableContent } from '../../authoring/rule-editing/content.ts'
import { withoutNulls } from '../../authoring/rule-editing/parts.ts'
import { changeTo } from '../../authoring/rule-editing/revert.ts'
import { changeRules } from '../../authoring/rule-editing/writer.ts'
import { writeSummary } from '../../authoring/rule-locks/audit.ts'
import type { AuthoredRule } from '../../authoring/rules/reader.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Writer } from '../../database/transaction.ts'
import { nameSome } from '../../parts/name-some.ts'
import { MAX_NAMED, type MergeContext } from './apply.ts'
import type { MergeRow } from './storing/reader.ts'

const changeList = auditSchema.shape.audited_changes
const ids = z.array(z.int())

/**
 * Restores all fields that a merge has changed. Refuses (409), naming them, if somebody has changed one of them since.
 * Returns how many rules changed. The component must be locked.
 */
export async function undoMerge(writer: Writer, { merge, grant }: MergeContext): Promise<number> {
  const { caller, projectId } = grant
  const plans = await planUndo(writer, merge)
  const changed = plans.flatMap(({ changed: fields }) => fields)
  if (changed.length > 0) throw changedSince(changed)
  const comment = `Undid the merge of ${merge.file_name}`
  const changes = plans.map(({ rule, values }) => {
    const failure = `Could not undo the merge of ${displayedName(rule.prefix, rule.number)}.`
    return { rule, change: changeTo(rule, values), failure }
  })
  await changeRules(writer, changes, { caller, projectId, comment })
  const updated_at = new Date().toISOString()
  await writer.updateTable('merges').set({ state: 'undone', updated_at }).where('id', '=', merge.id).execute()
  if (plans.length > 0)
    await writeSummary(writer, caller, {
      componentId: merge.component_id,
      comment: `${comment} in ${plans.length} rules.`,
      after: { file: merge.file_name, merge: merge.id },
    })
  return plans.length
}

interface UndoPlan {
  readonly rule: AuthoredRule
  readonly values: readonly (readonly [field: string, value: unknown])[]
  readonly changed: readonly ChangedField[]
}

interface ChangedField {
  readonly rule_id: number
  readonly displayed_name: string
  readonly field: string
}

async function planUndo(writer: Writer, merge: MergeRow): Promise<readonly UndoPlan[]> {
  const rules = new Map((await findAllRules(writer, merge.component_id)).map((rule) => [rule.id, rule]))
  const plans: UndoPlan[] = []
  for (const id of ids.parse(JSON.parse(merge.audits))) {
    const entry = await writer
      .selectFrom('audits')
      .select(['auditable_id', 'changes', 'audited_name'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const changes = changeList.parse(JSON.parse(entry.changes))
    const rule = rules.get(entry.auditable_id)
    // A rule that has been removed since needs no undo.
    if (rule === undefined) continue
    const changed = changes.filter(({ field, new_value }) => !isEqual(currentOf(rule, field), new_value))
    plans.push({
      rule,
      values: changes.map(({ field, prev_value }) => [field, prev_value] as const),
      changed: changed.map(({ field }) => ({ rule_id: rule.id, displayed_name: entry.audited_name, field })),
    })
  }
  return plans
}

/** The current value of a field in the form of the audit trail. */
function currentOf(rule: AuthoredRule, field: string): unknown {
  const checkId = /^checks_attributes\.(\d+)$/.exec(field)?.[1]
  if (checkId === undefined) return readableContent(contentOf(rule))[field] ?? null
  const check = rule.checks.find(({ id }) => id === Number(checkId))
  return check === undefined ? null : withoutNulls(pick(check, CHECK_COLUMNS))
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function changedSince(fields: readonly ChangedField[]): Refusal {
  const names = fields.map(({ displayed_name, field }) => `${displayed_name} ${field}`)
  const detail = `Somebody has changed ${fields.length} fields since the merge: ${nameSome(names, 3)}. Nothing has been undone.`
  return new Refusal('edit_conflict', detail, {
    changed: fields.slice(0, MAX_NAMED),
    toast: { title: 'Could not undo the merge.', message: detail, variant: 'danger' },
  })
}
