import type { Caller } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import type { AuditSubject } from '../../activity/audits/writer.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Role } from '../../database/schema/memberships.ts'
import type { Writer } from '../../database/transaction.ts'
import { requireRuleRole, type RuleGrant } from '../access/component-access.ts'
import { requireRule, type AuthoredRule } from './reader.ts'

export interface OpenRule {
  readonly grant: RuleGrant
  readonly rule: AuthoredRule
}

interface RuleToOpen {
  readonly ruleId: number
  readonly least: Role
  /** Set if only this rule will change. Other rules of its component may then change at the same time. */
  readonly alone?: boolean
}

/**
 * Locks the component of a rule, reads the rule, and checks access again, because it may have changed since the request
 * arrived. 403 once the component is released.
 */
export async function openRule(
  writer: Writer,
  caller: Caller,
  { ruleId, least, alone = false }: RuleToOpen,
): Promise<OpenRule> {
  const rule = await writer.selectFrom('rules').select('component_id').where('id', '=', ruleId).executeTakeFirst()
  if (rule === undefined) throw notFound()
  if (alone) {
    await writer.share('component', rule.component_id)
    await writer.lock('rule', ruleId)
  } else await writer.lock('component', rule.component_id)
  const grant = await requireRuleRole(writer, caller, { ruleId, least, unreleased: true })
  return { grant, rule: await requireRule(writer, ruleId) }
}

/** Names a rule in the audit trail. */
export function ruleSubject(
  rule: Pick<AuthoredRule, 'id' | 'prefix' | 'number' | 'component_id'>,
  projectId: number,
): AuditSubject {
  const { id, component_id: componentId } = rule
  return { type: 'Rule', id, name: displayedName(rule.prefix, rule.number), projectId, componentId }
}
