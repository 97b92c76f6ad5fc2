import type { Caller } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import { RULE_STATUSES, STATUSES } from '../../../tables/statuses.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Writer } from '../../database/transaction.ts'
import { requireRuleRole } from '../access/component-access.ts'
import { changeRule, type RuleChange } from '../rule-editing/writer.ts'
import { requireRule, type AuthoredRule, type LinkedRule } from '../rules/reader.ts'

/** A rule, and the rule that satisfies it. */
export interface SatisfactionPair {
  readonly rule_id: number
  readonly satisfied_by_rule_id: number
}

interface RulesToLink {
  readonly child: AuthoredRule
  readonly parent: AuthoredRule
  /** The project of the satisfied rule. */
  readonly projectId: number
}

export const NOT_LINKED = 'Could not record satisfied-by.'

/**
 * Links a rule to the rule that satisfies it, which may belong to another component. The satisfied rule becomes
 * Applicable - Does Not Meet, with a justification and a mitigation that name the other. A rule cannot both satisfy
 * others and be satisfied. 422 for impossible pairs, 409 if the satisfied rule is locked.
 */
export async function linkRules(writer: Writer, caller: Caller, pair: SatisfactionPair): Promise<void> {
  const linking = await openPair(writer, caller, pair)
  const message = obstacleOf(linking)
  if (message !== null) throw refuseValues(NOT_LINKED, [{ field: 'satisfied_by_rule_id', message }])
  const { child, parent, projectId } = linking
  const previous_status = (await previousStatus(writer, child.id)) ?? child.status
  await insertLinks(writer, [{ ...pair, previous_status }])
  await changeRule(
    writer,
    child,
    Object.assign({ caller, projectId, comment: null }, satisfactionChanges(child, [...child.satisfiedBy, parent])),
  )
}

/**
 * Removes a link. After the last one, the rule gets its former status again, without justification and mitigation. 404
 * if there is no such link.
 */
export async function unlinkRules(writer: Writer, caller: Caller, pair: SatisfactionPair): Promise<void> {
  const { child, projectId } = await openPair(writer, caller, pair)
  if (!child.satisfiedBy.some(({ id }) => id === pair.satisfied_by_rule_id)) throw notFound()
  const change = await withoutLink(writer, child, { pair, caller, projectId })
  await deleteLink(writer, pair)
  await changeRule(writer, child, change)
}

/** The changes of a rule that loses a link. Must be called before the link is removed. */
export async function withoutLink(
  writer: Writer,
  child: AuthoredRule,
  { pair, caller, projectId }: { readonly pair: SatisfactionPair; readonly caller: Caller; readonly projectId: number },
): Promise<RuleChange> {
  const remaining = child.satisfiedBy.filter(({ id }) => id !== pair.satisfied_by_rule_id)
  const change = Object.assign({ caller, projectId, comment: null }, satisfactionChanges(child, remaining))
  if (remaining.length > 0) return change
  const before = await previousStatus(writer, child.id)
  const status = RULE_STATUSES.find((candidate) => candidate === before) ?? 'Not Yet Determined'
  return { ...change, change: { columns: { status, status_justification: null, mitigations: null } } }
}

interface NewLink extends SatisfactionPair {
  /** The status before the link. */
  readonly previous_status: string | null
}

const BATCH_SIZE = 200

export async function insertLinks(writer: Writer, links: readonly NewLink[]): Promise<void> {
  const created_at = new Date().toISOString()
  for await (const portion of inPortions(links, BATCH_SIZE)) {
    const rows = portion.map((link) => ({ ...link, created_at }))
    await writer.insertInto('rule_satisfactions').values(rows).execute()
  }
}

export async function deleteLink(writer: Writer, pair: SatisfactionPair): Promise<void> {
  await writer
    .deleteFrom('rule_satisfactions')
    .where('rule_id', '=', pair.rule_id)
    .where('satisfied_by_rule_id', '=', pair.satisfied_by_rule_id)
    .execute()
}

type ParentRule = Pick<LinkedRule, 'prefix' | 'number'>

/** The columns that a link changes. */
export const STATUS_COLUMNS = ['status', 'status_justification', 'mitigations'] as const

/** The changes of a rule once these rules, and no others, satisfy it. */
export function satisfactionChanges(
  child: AuthoredRule,
  parents: readonly ParentRule[],
): Required<Pick<RuleChange, 'change' | 'links'>> {
  const names = namesOf(parents)
  const nameList = names.join(', ')
  const columns = {
    status: STATUSES.stig.applicable_does_not_meet,
    status_justification: `This requirement is satisfied by ${nameList}.`,
    mitigations: `Implementing ${nameList} satisfies this requirement.`,
  }
  return {
    change: { columns },
    links: {
      before: { satisfied_by: namesOf(child.satisfiedBy) },
      after: { satisfied_by: names },
    },
  }
}

function namesOf(rules: readonly ParentRule[]): readonly string[] {
  return rules.map(({ prefix, number }) => displayedName(prefix, number))
}

async function previousStatus(writer: Writer, ruleId: number): Promise<string | null> {
  const link = await writer
    .selectFrom('rule_satisfactions')
    .select('previous_status')
    .where('rule_id', '=', ruleId)
    .executeTakeFirst()
  return link?.previous_status ?? null
}

/** Reads both rules, with their components locked in the order of ids to prevent deadlocks. */
async function openPair(writer: Writer, caller: Caller, pair: SatisfactionPair): Promise<RulesToLink> {
  const ids = [pair.rule_id, pair.satisfied_by_rule_id]
  const rules = await writer
    .selectFrom('rules')
    .select('component_id')
    .distinct()
    .where('id', 'in', ids)
    .orderBy('component_id')
    .execute()
  for (const { component_id } of rules) await writer.lock('component', component_id)
  const { projectId } = await requireRuleRole(writer, caller, {
    ruleId: pair.rule_id,
    least: 'author',
    unreleased: true,
  })
  await requireRuleRole(writer, caller, { ruleId: pair.satisfied_by_rule_id, least: 'read' })
  const child = await requireRule(writer, pair.rule_id)
  const parent = await requireRule(writer, pair.satisfied_by_rule_id)
  if (child.document_type !== 'stig' || parent.document_type !== 'stig') throw notFound()
  return { child, parent, projectId }
}

/** The reason why the pair cannot be linked; null if it can. */
export function obstacleOf({ child, parent }: Pick<RulesToLink, 'child' | 'parent'>): string | null {
  const [childName] = namesOf([child])
  const [parentName] = namesOf([parent])
  if (child.id === parent.id) return 'A rule cannot satisfy itself'
  if (child.satisfiedBy.some(({ id }) => id === parent.id)) return `${childName} is satisfied by ${parentName} already`
  if (child.satisfies.length > 0) return `${childName} satisfies others, so it cannot be satisfied itself`
  if (parent.satisfiedBy.length > 0) return `${parentName} is satisfied by another, so it cannot satisfy ${childName}`
  return null
}
