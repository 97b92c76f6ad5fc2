import type { ExpressionBuilder } from 'kysely'
import type { Caller } from '../../../http/caller.ts'
import { refuseValues, type FieldError } from '../../../http/toast.ts'
import { FLAGS } from '../../../tables/field-lists.ts'
import { SEVERITIES } from '../../../tables/severities.ts'
import { RULE_STATUSES } from '../../../tables/statuses.ts'
import { postComment } from '../../authoring/reviews/actions/post.ts'
import { sectionOf } from '../../authoring/rules/sections.ts'
import { limitOf } from '../../authoring/rules/text-limits.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Writer } from '../../database/transaction.ts'
import { lockNameOf, type FieldValue, type MergedField } from './planning/fields.ts'
import type { Decision } from './schemas.ts'
import { valueIn, type MergeRow } from './storing/reader.ts'

const NOT_DECIDED = 'Could not decide.'

interface DecisionContext {
  readonly merge: MergeRow
  readonly caller: Caller
}

/**
 * Stores decisions on fields of a plan: on one field, on all of a rule, or on all with an outcome. A question becomes a
 * comment on the rule with both texts, and the component keeps its value. 422 for decisions that match no field.
 */
export async function decide(
  writer: Writer,
  { merge, caller }: DecisionContext,
  decisions: readonly Decision[],
): Promise<void> {
  const faults: FieldError[] = []
  for (const [index, decision] of decisions.entries()) {
    const message = faultOf(decision) ?? (await decideOne(writer, { merge, caller }, decision))
    if (message !== null) faults.push({ field: `decisions.${index}`, message })
  }
  if (faults.length > 0) throw refuseValues(NOT_DECIDED, faults)
}

/** The reason why the text of a decision cannot be stored; null if it can. */
function faultOf({ field, take }: Decision): string | null {
  if (field === undefined || take === null || typeof take === 'string' || 'ask' in take) return null
  const text = take.text ?? ''
  const max = limitOf(lockNameOf(field))
  if (text.length > max) return `Text is too long (maximum is ${max} characters)`
  return faultOfWord(field, text)
}

function faultOfWord(field: MergedField, text: string): string | null {
  if (field === 'status') return RULE_STATUSES.some((status) => status === text) ? null : 'Text must be a status'
  if (field === 'rule_severity')
    return SEVERITIES.some((severity) => severity === text) ? null : 'Text must be a severity'
  if (IS_FLAG.has(field)) return 'A flag is decided by ours or theirs'
  const isRequired = field === 'title' || field === 'rule_weight'
  return isRequired && text.trim() === '' ? "Text can't be blank" : null
}

const IS_FLAG = new Set<string>(FLAGS)

async function decideOne(
  writer: Writer,
  { merge, caller }: DecisionContext,
  decision: Decision,
): Promise<string | null> {
  const { take } = decision
  if (take !== null && typeof take === 'object' && 'ask' in take)
    await postQuestion(writer, { merge, caller }, decision)
  const stored = storedTake(take)
  const { numUpdatedRows } = await writer
    .updateTable('merge_fields')
    .set(stored)
    .where('merge_id', '=', merge.id)
    .where((is) => matchesDecision(is, decision))
    .$if(stored.take === 'merged', (update) => update.where('merged', 'is not', null))
    .executeTakeFirst()
  return numUpdatedRows === 0n ? 'The plan has no such field' : null
}

function matchesDecision(is: ExpressionBuilder<Schema, 'merge_fields'>, { rule_id, field, outcome }: Decision) {
  return is.and([
    ...(rule_id === undefined ? [] : [is('rule_id', '=', rule_id)]),
    ...(field === undefined ? [] : [is('field', '=', field)]),
    ...(outcome === undefined ? [] : [is('outcome', '=', outcome)]),
  ])
}

function storedTake(take: Decision['take']): {
  take: 'ours' | 'theirs' | 'merged' | 'text' | null
  text: string | null
} {
  if (take === null || typeof take === 'string') return { take, text: null }
  return 'ask' in take ? { take: 'ours', text: null } : { take: 'text', text: take.text }
}

async function postQuestion(writer: Writer, { merge, caller }: DecisionContext, decision: Decision): Promise<void> {
  const { rule_id = 0, field, take } = decision
  if (field === undefined || take === null || typeof take !== 'object' || !('ask' in take)) return
  const row = await writer
    .selectFrom('merge_fields')
    .select(['ours', 'theirs'])
    .where('merge_id', '=', merge.id)
    .where('rule_id', '=', rule_id)
    .where('field', '=', field)
    .executeTakeFirst()
  // The next update reports the unknown field.
  if (row === undefined) return
  const comment = questionOf(take.ask, { file: merge.file_name, ours: valueIn(row.ours), theirs: valueIn(row.theirs) })
  await postComment(writer, {
    caller,
    componentId: merge.component_id,
    ruleId: rule_id,
    comment,
    section: sectionOf(lockNameOf(field)),
    repliesTo: null,
    suggestion: null,
  })
}

/** The length of a quoted text. The limit of comments is below that of rule texts. */
const MAX_QUOTED = 2500

function questionOf(
  question: string,
  { file, ours, theirs }: { readonly file: string; readonly ours: FieldValue; readonly theirs: FieldValue },
): string {
  return `${question}\n\nIn ${file}:\n${quoted(theirs)}\n\nHere:\n${quoted(ours)}`
}

function quoted(value: FieldValue): string {
  const text = value === null ? '(blank)' : String(value)
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
}
