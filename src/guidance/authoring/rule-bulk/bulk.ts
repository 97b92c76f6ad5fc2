import { inPortions } from '../../../platform/concurrency/turns.ts'
import type { RuleStatus } from '../../../tables/statuses.ts'
import type { Writer } from '../../database/transaction.ts'
import { isStatusOf } from '../rule-editing/content.ts'
import { refuseObstacles } from '../rule-editing/refuse-obstacles.ts'
import { lockRules, nameOf, BATCH_SIZE, summarise, recordChanges, type ChangeContext } from '../rule-locks/locking.ts'
import { findRules, ofComponent, type AuthoredRule } from '../rules/reader.ts'
import { isLockedFor } from '../rules/sections.ts'

export interface BulkEdit {
  readonly ruleIds: readonly number[]
  readonly status: RuleStatus | undefined
  /** Null removes existing justifications. */
  readonly justification: string | null | undefined
  readonly severity: 'high' | 'medium' | 'low' | undefined
  readonly locked: boolean | undefined
}

/** A reason why the request changes nothing. */
interface Obstacle {
  readonly id: number
  /** Null: the component has no such rule. */
  readonly displayed_name: string | null
  readonly reason: 'not_found' | 'locked' | 'section_locked' | 'under_review' | 'unjustified' | 'status'
  readonly message: string
}

/**
 * Gives many rules the same status, severity or lock. Changes all of them, or none and lists all reasons (422,
 * `obstacles`). Returns how many changed. The component must be locked.
 */
export async function editRules(
  writer: Writer,
  componentId: number,
  { edit, context }: { readonly edit: BulkEdit; readonly context: ChangeContext },
): Promise<number> {
  const requestedIds = new Set(edit.ruleIds)
  const componentRules = await findRules(writer, ofComponent(componentId))
  const rules = componentRules.filter(({ id }) => requestedIds.has(id))
  const knownIds = new Set(rules.map(({ id }) => id))
  const missing = [...requestedIds].filter((id) => !knownIds.has(id)).map(missingRule)
  const obstacles = [...missing, ...rules.flatMap((rule) => obstaclesOf(rule, edit))]
  if (obstacles.length > 0) throw refuseObstacles('Could not update rules.', obstacles)
  const { locked } = edit
  const written = await storeColumns(writer, rules, { edit, context })
  const lockChanges = rules.filter((rule) => locked !== undefined && (rule.locked === 1) !== locked)
  if (locked !== undefined && lockChanges.length > 0) await lockRules(writer, lockChanges, { ...context, lock: locked })
  return new Set([...written, ...lockChanges]).size
}

function missingRule(id: number): Obstacle {
  return { id, displayed_name: null, reason: 'not_found', message: `The component has no rule with the id ${id}` }
}

type ColumnValues = Readonly<Record<string, string | null>>

/** The differing fields, before and after. */
function changesOf(
  rule: AuthoredRule,
  { status, severity, justification }: BulkEdit,
): readonly [ColumnValues, ColumnValues] {
  const changesStatus = status !== undefined && status !== rule.status
  const changesSeverity = severity !== undefined && severity !== rule.rule_severity
  const { status_justification: reason } = rule
  const changesJustification = justification !== undefined && justification !== reason
  return [
    {
      ...(changesStatus && { status: rule.status }),
      ...(changesSeverity && { rule_severity: rule.rule_severity }),
      ...(changesJustification && { status_justification: reason }),
    },
    {
      ...(changesStatus && { status }),
      ...(changesSeverity && { rule_severity: severity }),
      ...(changesJustification && { status_justification: justification }),
    },
  ]
}

function obstaclesOf(rule: AuthoredRule, edit: BulkEdit): readonly Obstacle[] {
  const namedRule = nameOf(rule)
  const { status, locked } = edit
  const reasons: readonly (readonly [boolean, Obstacle['reason'], string])[] = [
    ...lockReasons(rule, edit),
    [
      locked === true && rule.locked === 0 && rule.review_requestor_id !== null,
      'under_review',
      'is under review and cannot be locked',
    ],
    [status !== undefined && !isStatusOf(rule.document_type, status), 'status', 'cannot have this status'],
    [isUnjustified(rule, edit), 'unjustified', 'has no status justification, which Not Applicable needs'],
  ]
  return reasons.flatMap(([holds, reason, explanation]) =>
    holds ? [{ ...namedRule, reason, message: `${namedRule.displayed_name} ${explanation}` }] : [],
  )
}

/** A request that unlocks rules does so before its other changes. */
function lockReasons(
  rule: AuthoredRule,
  edit: BulkEdit,
): readonly (readonly [boolean, 'locked' | 'section_locked', string])[] {
  const fields = Object.keys(changesOf(rule, edit)[1])
  const unlockedRule = edit.locked === false ? { ...rule, locked: 0 } : rule
  const isKept = fields.some((field) => isLockedFor(unlockedRule, field))
  return [
    [isKept && unlockedRule.locked === 1, 'locked', 'is locked'],
    [isKept && unlockedRule.locked === 0, 'section_locked', 'is locked in Status or Severity'],
  ]
}

/** An SRG's requirement that becomes Not Applicable needs a justification, as in `faultsOf`. */
function isUnjustified(rule: AuthoredRule, { status, justification }: BulkEdit): boolean {
  const reason = justification === undefined ? rule.status_justification : justification
  const newStatus = status ?? rule.status
  const isAffected = newStatus !== rule.status || justification !== undefined
  return rule.document_type === 'srg' && newStatus === 'Not Applicable' && isAffected && reason === null
}

async function storeColumns(
  writer: Writer,
  rules: readonly AuthoredRule[],
  { edit, context }: { readonly edit: BulkEdit; readonly context: ChangeContext },
): Promise<readonly AuthoredRule[]> {
  const changed = rules.filter((rule) => Object.keys(changesOf(rule, edit)[1]).length > 0)
  const { status, severity: rule_severity, justification } = edit
  const updated_at = new Date().toISOString()
  for await (const portion of inPortions(changed, BATCH_SIZE)) {
    const ids = portion.map(({ id }) => id)
    await writer
      .updateTable('rules')
      .set((is) => ({
        ...(status !== undefined && { status }),
        ...(rule_severity !== undefined && { rule_severity }),
        ...(justification !== undefined && { status_justification: justification }),
        updated_at,
        lock_version: is('lock_version', '+', 1),
      }))
      .where('id', 'in', ids)
      .execute()
  }
  await summarise(writer, changed, { ...context, done: 'Changed status or severity of' })
  await recordChanges(writer, changed, {
    ...context,
    kind: 'rule.updated',
    values: (rule) => changesOf(rule, edit),
  })
  return changed
}
