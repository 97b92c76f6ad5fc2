import { actorOf, type Caller } from '../../../http/caller.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Writer } from '../../database/transaction.ts'
import { contentOf, readableContent } from '../rule-editing/content.ts'
import { changeRule } from '../rule-editing/writer.ts'
import { lockedFieldsAmong } from '../rule-locks/locks.ts'
import { openRule, ruleSubject } from '../rules/open.ts'
import { findRules, type AuthoredRule } from '../rules/reader.ts'
import { deleteLink, withoutLink } from './satisfactions.ts'

/**
 * Removes a rule with its reviews, answers, attachments and links. Its number is not reused. Rules that it satisfied
 * get their former status again, unless they are locked. Returns the rule before its removal.
 */
export async function removeRule(
  writer: Writer,
  { ruleId, caller }: { readonly ruleId: number; readonly caller: Caller },
): Promise<AuthoredRule> {
  const { rule, grant } = await openRule(writer, caller, { ruleId, least: 'admin' })
  await unlinkChildren(writer, rule, { caller, projectId: grant.projectId })
  await writer.deleteFrom('reviews').where('rule_id', '=', ruleId).execute()
  await writer.deleteFrom('additional_answers').where('rule_id', '=', ruleId).execute()
  await writer.deleteFrom('attachments').where('rule_id', '=', ruleId).execute()
  await writer.deleteFrom('rule_satisfactions').where('rule_id', '=', ruleId).execute()
  const now = new Date().toISOString()
  await writer
    .updateTable('rules')
    .set({ deleted_at: now, updated_at: now, review_requestor_id: null })
    .where('id', '=', ruleId)
    .execute()
  await writeAudit(writer, actorOf(caller), {
    action: 'destroy',
    subject: ruleSubject(rule, grant.projectId),
    before: readableContent(contentOf(rule)),
  })
  await recordRemoved(writer, rule, { caller, projectId: grant.projectId })
  return rule
}

interface RemovalContext {
  readonly caller: Caller
  readonly projectId: number
}

/** Locked rules and rules of other components lose the link, but keep their texts. */
async function unlinkChildren(
  writer: Writer,
  parent: AuthoredRule,
  { caller, projectId }: RemovalContext,
): Promise<void> {
  const ids = parent.satisfies.map(({ id }) => id)
  const children = ids.length === 0 ? [] : await findRules(writer, (is) => is('rules.id', 'in', ids))
  for (const child of children) {
    const pair = { rule_id: child.id, satisfied_by_rule_id: parent.id }
    const change = await withoutLink(writer, child, { pair, caller, projectId })
    await deleteLink(writer, pair)
    const locked = lockedFieldsAmong(child, Object.keys(change.change.columns)).length > 0
    if (!locked && child.component_id === parent.component_id) await changeRule(writer, child, change)
  }
}

async function recordRemoved(writer: Writer, rule: AuthoredRule, { caller, projectId }: RemovalContext): Promise<void> {
  const displayed_name = displayedName(rule.prefix, rule.number)
  const componentId = rule.component_id
  const data = { rule_id: rule.id, displayed_name }
  await recordEvents(writer, actorOf(caller), [{ kind: 'rule.deleted', projectId, componentId, data }])
}
