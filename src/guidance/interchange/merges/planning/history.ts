import { inPortions, Pauses } from '../../../../platform/concurrency/turns.ts'
import { pick } from '../../../../platform/records.ts'
import { CHECK_COLUMNS, namesOf } from '../../../../tables/field-lists.ts'
import { FIELDS } from '../../../../tables/fields.ts'
import { auditSchema } from '../../../activity/audits/reader.ts'
import { contentOf, contentWith } from '../../../authoring/rule-editing/content.ts'
import { checkTexts } from '../../../authoring/rule-editing/revert.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { RuleState } from '../../exports/component/snapshot.ts'

/** The number of entries to read. Older states are not found. */
const MAX_ENTRIES = 20_000
const BATCH_SIZE = 100

const changeList = auditSchema.shape.audited_changes

/** The state of a rule before a change; null if the change created the rule. */
export interface EarlierState {
  readonly ruleId: number
  readonly state: RuleState | null
  /** The time of the change. */
  readonly changedAt: string
}

/**
 * Yields the earlier states of the rules of a component, change by change, from the newest to the oldest. Includes
 * rules that have been removed since.
 */
export async function* earlierStates(
  reader: Reader,
  componentId: number,
  now: ReadonlyMap<number, RuleState>,
): AsyncGenerator<EarlierState, void> {
  const states = new Map<number, RuleState>([...(await findRemoved(reader, componentId)), ...now])
  const pauses = new Pauses()
  for await (const ids of inPortions(await findEntries(reader, componentId), BATCH_SIZE)) {
    const entries = await reader
      .selectFrom('audits')
      .select(['auditable_id', 'action', 'changes', 'created_at'])
      .where('id', 'in', ids)
      .orderBy('id', 'desc')
      .execute()
    for (const { auditable_id: ruleId, action, changes, created_at: changedAt } of entries) {
      await pauses.rest()
      const state = states.get(ruleId)
      if (state === undefined || action === 'custom') continue
      const before = action === 'update' ? undo(state, changes) : state
      states.set(ruleId, before)
      if (before !== state || action !== 'update')
        yield { ruleId, changedAt, state: action === 'create' ? null : before }
    }
  }
}

async function findEntries(reader: Reader, componentId: number): Promise<readonly number[]> {
  const rows = await reader
    .selectFrom('audits')
    .select('id')
    .where('auditable_type', '=', 'Rule')
    .where('auditable_id', 'in', (is) => is.selectFrom('rules').select('id').where('component_id', '=', componentId))
    .orderBy('id', 'desc')
    .limit(MAX_ENTRIES)
    .execute()
  return rows.map(({ id }) => id)
}

async function findRemoved(reader: Reader, componentId: number): Promise<ReadonlyMap<number, RuleState>> {
  const rows = await reader
    .selectFrom('rules')
    .selectAll()
    .where('component_id', '=', componentId)
    .where('deleted_at', 'is not', null)
    .execute()
  const checks = await reader
    .selectFrom('rule_checks')
    .innerJoin('rules', 'rules.id', 'rule_checks.rule_id')
    .selectAll('rule_checks')
    .where('rules.component_id', '=', componentId)
    .where('rules.deleted_at', 'is not', null)
    .orderBy('rule_checks.id')
    .execute()
  return new Map(
    rows.map((row) => {
      const ruleChecks = checks.filter(({ rule_id }) => rule_id === row.id)
      const state = {
        number: row.number,
        content: contentOf(row),
        checks: ruleChecks.map((check) => pick(check, CHECK_PARTS)),
      }
      return [row.id, state]
    }),
  )
}

const CHECK_PARTS = ['id', ...CHECK_COLUMNS] as const
const columns = new Set<string>(namesOf(FIELDS))

/** The state before an entry of the rule's history. It is the same object if the entry changed no content. */
function undo(state: RuleState, changes: string): RuleState {
  const content: Record<string, unknown> = {}
  const checks = new Map(state.checks.map((check) => [check.id, check]))
  let isChanged = false
  for (const { field, prev_value } of changeList.parse(JSON.parse(changes))) {
    const checkId = /^checks_attributes\.(\d+)$/.exec(field)?.[1]
    if (checkId !== undefined) {
      const id = Number(checkId)
      if (prev_value === null) checks.delete(id)
      else checks.set(id, { id, ...checkTexts.parse(prev_value) })
      isChanged = true
    } else if (columns.has(field)) {
      content[field] = prev_value
      isChanged = true
    }
  }
  if (!isChanged) return state
  const sorted = [...checks.values()].toSorted((a, b) => a.id - b.id)
  return { ...state, content: contentWith(state.content, content), checks: sorted }
}
