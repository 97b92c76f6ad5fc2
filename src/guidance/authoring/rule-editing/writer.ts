import { actorOf, type Caller } from '../../../http/caller.ts'
import { refuseValues } from '../../../http/toast.ts'
import { nextTurn } from '../../../platform/concurrency/turns.ts'
import { Refusal } from '../../../platform/errors.ts'
import { changesBetween, writeAudits, type AuditedValues } from '../../activity/audits/writer.ts'
import { recordEvents, type NewEvent } from '../../activity/events/record.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Writer } from '../../database/transaction.ts'
import type { ChangeContext } from '../rule-locks/locking.ts'
import { requireUnlocked } from '../rule-locks/locks.ts'
import { openRule, ruleSubject } from '../rules/open.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { answerFaults, auditedAnswers, planAnswers, writeAnswers, type AnswerPlan } from './answers.ts'
import type { AnswerChanges, CheckChanges, ContentChanges, DescriptionChanges, RuleChanges } from './changes.ts'
import { columnsOf, contentOf, faultsOf, merge, readableContent, type RuleContent } from './content.ts'
import { requireEditorRule } from './editor.ts'
import { changedParts, partFaults, planParts, writeParts, type PartPlans } from './parts.ts'

export const NOT_UPDATED = 'Could not update rule.'

/** A change of a rule, divided into columns and nested records. */
export interface ColumnsAndParts {
  readonly columns: ContentChanges
  readonly checks_attributes?: readonly CheckChanges[] | undefined
  readonly rule_descriptions_attributes?: readonly DescriptionChanges[] | undefined
  readonly additional_answers_attributes?: readonly AnswerChanges[] | undefined
}

interface RuleEdit {
  readonly ruleId: number
  readonly changes: RuleChanges
  /** The version that the editor has seen; null overwrites any version. */
  readonly expectedVersion: number | null
  readonly caller: Caller
  /** The reason, for the audit trail. */
  readonly comment: string | null
}

export interface ChangeResult {
  readonly lockVersion: number
  /** Empty if nothing changed and nothing was written. */
  readonly fields: readonly string[]
}

/**
 * Changes a rule with its checks, descriptions and answers, and writes the audit entry and the event. 409
 * `edit_conflict`, with both versions, if somebody else has changed it since; 409 `rule_locked`; 422 for invalid
 * values; 404 for nested records of another rule.
 */
export async function updateRule(writer: Writer, edit: RuleEdit): Promise<ChangeResult> {
  const { ruleId, changes, expectedVersion, caller, comment } = edit
  const { rule, grant } = await openRule(writer, caller, { ruleId, least: 'author', alone: true })
  if (expectedVersion !== null && expectedVersion !== rule.lock_version) throw await refuseConflict(writer, edit)
  const change = { ...changes, columns: columnsOf(rule.id, changes) }
  return changeRule(writer, rule, { change, caller, comment, projectId: grant.projectId })
}

interface RuleToChange {
  readonly rule: AuthoredRule
  readonly change: ColumnsAndParts
  /** The title of the toast for invalid values. */
  readonly failure?: string
  /** Changes of links in the same transaction, by the names of the rules. */
  readonly links?: LinkChange
}

export type RuleChange = ChangeContext & Omit<RuleToChange, 'rule'>

interface LinkChange {
  readonly before: Readonly<Record<string, readonly string[]>>
  readonly after: Readonly<Record<string, readonly string[]>>
}

const NO_LINKS: LinkChange = { before: {}, after: {} }

interface PlannedChange {
  readonly before: RuleContent
  readonly after: RuleContent
  readonly parts: PartPlans
  readonly answers: readonly AnswerPlan[]
}

/** Changes a rule that was read in this transaction after its component was locked. */
export async function changeRule(
  writer: Writer,
  rule: AuthoredRule,
  { caller, comment, projectId, ...change }: RuleChange,
): Promise<ChangeResult> {
  const written = await writeContent(writer, { ...change, rule })
  await recordChanges(writer, [written], { caller, comment, projectId })
  return written
}

/**
 * Changes many rules like `changeRule`, with few statements for their audit entries and events, because all other
 * writers wait meanwhile. Returns the ids of the audit entries.
 */
export async function changeRules(
  writer: Writer,
  rules: readonly RuleToChange[],
  context: ChangeContext,
): Promise<readonly number[]> {
  const written: WrittenChange[] = []
  for (const rule of rules) {
    written.push(await writeContent(writer, rule))
    await nextTurn()
  }
  return recordChanges(writer, written, context)
}

interface WrittenChange extends ChangeResult {
  readonly rule: AuthoredRule
  readonly before: AuditedValues
  readonly after: AuditedValues
}

/** Writes a rule with its checks, descriptions and answers. The caller must add the audit entry and the event. */
async function writeContent(
  writer: Writer,
  { rule, change, failure = NOT_UPDATED, links = NO_LINKS }: RuleToChange,
): Promise<WrittenChange> {
  const planned = await planChange(writer, rule, change)
  const fields = [...fieldsOf(planned), ...Object.keys(links.after)]
  if (fields.length === 0) return { lockVersion: rule.lock_version, fields, rule, before: {}, after: {} }
  requireUnlocked(rule, fields)
  const faults = findFaults(rule, planned)
  if (faults.length > 0) throw refuseValues(failure, faults)
  const { before, after, parts, answers } = planned
  const lockVersion = rule.lock_version + 1
  await writer
    .updateTable('rules')
    .set({ ...after, lock_version: lockVersion, updated_at: new Date().toISOString() })
    .where('id', '=', rule.id)
    .execute()
  const nested = await writeParts(writer, rule.id, parts)
  await writeAnswers(writer, rule.id, answers)
  const answered = auditedAnswers(answers)
  return {
    lockVersion,
    fields,
    rule: { ...rule, ...after, lock_version: lockVersion },
    before: { ...readableContent(before), ...nested.before, ...answered.before, ...links.before },
    after: { ...readableContent(after), ...nested.after, ...answered.after, ...links.after },
  }
}

/** Adds audit entries and events, except for unchanged rules. */
async function recordChanges(
  writer: Writer,
  written: readonly WrittenChange[],
  { caller, comment, projectId }: ChangeContext,
): Promise<readonly number[]> {
  const changed = written.filter(({ fields }) => fields.length > 0)
  const entries = changed.map(({ rule, before, after }) => {
    return { action: 'update', subject: ruleSubject(rule, projectId), comment, before, after } as const
  })
  const ids = await writeAudits(writer, actorOf(caller), entries)
  const events = changed.map(({ rule, fields }) => updateRow(rule, projectId, fields))
  await recordEvents(writer, actorOf(caller), events)
  return ids
}

async function planChange(writer: Writer, rule: AuthoredRule, change: ColumnsAndParts): Promise<PlannedChange> {
  return {
    before: contentOf(rule),
    after: merge(rule, change.columns),
    parts: planParts(rule, change),
    answers: await planAnswers(writer, rule, change.additional_answers_attributes),
  }
}

function fieldsOf({ before, after, parts, answers }: PlannedChange): readonly string[] {
  return [
    ...changesBetween(before, after).map(({ field }) => field),
    ...changedParts(parts),
    ...(answers.length === 0 ? [] : ['additional_answers_attributes']),
  ]
}

function findFaults(rule: AuthoredRule, planned: PlannedChange): ReturnType<typeof faultsOf> {
  const { before, after, parts, answers } = planned
  return [...faultsOf(before, after, rule.document_type), ...partFaults(parts), ...answerFaults(rule, answers)]
}

/** The event of a changed rule: names the fields, without their texts. */
export function updateRow(
  rule: Pick<AuthoredRule, 'id' | 'prefix' | 'number' | 'component_id' | 'status' | 'lock_version'>,
  projectId: number,
  fields: readonly string[],
): NewEvent {
  const { id, status, lock_version, component_id: componentId } = rule
  const data = { rule_id: id, displayed_name: displayedName(rule.prefix, rule.number), status, lock_version, fields }
  return { kind: 'rule.updated', projectId, componentId, data }
}

/** The refusal contains both versions: the current one, and the one sent. */
async function refuseConflict(writer: Writer, { ruleId, caller, changes }: RuleEdit): Promise<Refusal> {
  return new Refusal(
    'edit_conflict',
    'Somebody else has changed the rule since you opened it. Look at the current version, then edit again.',
    { current: await requireEditorRule(writer, ruleId, caller), yours: changes },
  )
}
