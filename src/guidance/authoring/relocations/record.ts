import { notFound } from '../../../http/input.ts'
import type { AuditSubject } from '../../activity/audits/writer.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'

/** An undecided proposal of a requirement that still exists. */
export interface OpenRelocation {
  readonly id: number
  readonly token: string
  readonly ruleId: number
  readonly componentId: number
  readonly projectId: number
  /** The requirement's name. */
  readonly name: string
}

/** 404 for decided proposals and for unknown ones. */
export async function requireOpen(reader: Reader, id: number): Promise<OpenRelocation> {
  const record = await reader
    .selectFrom('requirement_relocations as relocation')
    .innerJoin('rules', 'rules.id', 'relocation.source_rule_id')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(['relocation.target_technology_token as token', 'relocation.source_rule_id as ruleId'])
    .select(['rules.component_id as componentId', 'components.project_id as projectId'])
    .select(['components.prefix', 'rules.number'])
    .where('relocation.id', '=', id)
    .where('relocation.executed_at', 'is', null)
    .where('relocation.declined_at', 'is', null)
    .where('rules.deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => notFound())
  const { prefix, number, ...relocation } = record
  return { ...relocation, id, name: displayedName(prefix, number) }
}

/** Names a proposal in the audit trail, after its requirement. */
export function relocationSubject(relocation: Omit<OpenRelocation, 'token' | 'ruleId'>): AuditSubject {
  const { id, name, projectId, componentId } = relocation
  return { type: 'RequirementRelocation', id, name, projectId, componentId }
}
