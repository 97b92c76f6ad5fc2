import type { Selectable } from 'kysely'
import { notFound } from '../../../http/input.ts'
import type { FieldError } from '../../../http/toast.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import { tokenOf } from '../components/mint.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { lockedFieldsOf } from '../rules/shape.ts'
import type { OpenRelocation } from './record.ts'

/** The component that is to get a requirement. */
export type TargetComponent = Pick<
  Selectable<Schema['components']>,
  'id' | 'name' | 'prefix' | 'document_type' | 'released' | 'project_id' | 'last_rule_number'
>

export async function requireTarget(reader: Reader, id: number): Promise<TargetComponent> {
  return reader
    .selectFrom('components')
    .select(['id', 'name', 'prefix', 'document_type', 'released', 'project_id'])
    .select('last_rule_number')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
}

/** Whether the project had an SRG with the token that the proposer could read. */
export async function isSentTo(reader: Reader, relocationId: number, projectId: number): Promise<boolean> {
  const destination = await reader
    .selectFrom('relocation_destinations')
    .select('project_id')
    .where('relocation_id', '=', relocationId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return destination !== undefined
}

/** The fault of a component that a proposal was not sent to. */
export async function recipientFaults(
  reader: Reader,
  relocation: OpenRelocation,
  target: TargetComponent,
): Promise<readonly FieldError[]> {
  const token = tokenOf(target.prefix)
  const sent = await isSentTo(reader, relocation.id, target.project_id)
  const faults = [
    target.document_type === 'srg' ? null : 'The target is not an SRG',
    target.released === 0 ? null : 'The target is released',
    target.id === relocation.componentId ? 'The requirement is in the target already' : null,
    token === relocation.token
      ? null
      : `The proposal is for ${relocation.token}, the target is ${token ?? target.prefix}`,
    sent ? null : 'The proposal was not made to the project of the target',
  ]
  return faults.flatMap((message) => (message === null ? [] : [{ field: 'target_component_id', message }]))
}

/** Reasons why a requirement cannot be moved at present. */
export function moveFaults(rule: AuthoredRule): readonly FieldError[] {
  const name = displayedName(rule.prefix, rule.number)
  const sections = Object.keys(lockedFieldsOf(rule)).sort()
  const faults = [
    rule.locked === 1 ? `${name} is locked` : null,
    sections.length === 0 ? null : `${name} is locked in: ${sections.join(', ')}`,
    rule.review_requestor_id === null ? null : `${name} is under review`,
  ]
  return faults.flatMap((message) => (message === null ? [] : [{ field: null, message }]))
}

/** Reasons why a requirement cannot become part of the target. Four queries. */
export async function acceptanceFaults(
  reader: Reader,
  source: AuthoredRule,
  target: TargetComponent,
): Promise<readonly FieldError[]> {
  const { released } = await reader
    .selectFrom('components')
    .select('released')
    .where('id', '=', source.component_id)
    .executeTakeFirstOrThrow()
  const name = displayedName(source.prefix, source.number)
  return [
    ...(released === 1 ? [{ field: null, message: `The SRG of ${name} is released` }] : []),
    ...moveFaults(source),
    ...(await lineageFaults(reader, source, target)),
    ...(await duplicateFaults(reader, source, target)),
  ]
}

/** The requirement must come from an SRG that the target was made from, in any release. */
async function lineageFaults(
  reader: Reader,
  { srg_rule_id }: AuthoredRule,
  target: TargetComponent,
): Promise<readonly FieldError[]> {
  if (srg_rule_id === null) return []
  const { srg } = await reader
    .selectFrom('benchmark_rules as rule')
    .innerJoin('benchmarks', 'benchmarks.id', 'rule.benchmark_id')
    .select('benchmarks.benchmark_id as srg')
    .where('rule.id', '=', srg_rule_id)
    .executeTakeFirstOrThrow()
  const parent = await reader
    .selectFrom('component_srgs')
    .innerJoin('benchmarks', 'benchmarks.id', 'component_srgs.benchmark_id')
    .select('benchmarks.id')
    .where('component_srgs.component_id', '=', target.id)
    .where('benchmarks.benchmark_id', '=', srg)
    .executeTakeFirst()
  if (parent !== undefined) return []
  return [{ field: 'target_component_id', message: `The target is not made from ${srg}` }]
}

/** The same core requirement must not be in an SRG twice. */
async function duplicateFaults(
  reader: Reader,
  { version }: AuthoredRule,
  target: TargetComponent,
): Promise<readonly FieldError[]> {
  if (version === null) return []
  const rule = await reader
    .selectFrom('rules')
    .select('number')
    .where('component_id', '=', target.id)
    .where('version', '=', version)
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .executeTakeFirst()
  if (rule === undefined || target.document_type !== 'srg') return []
  const name = displayedName(target.prefix, rule.number)
  return [{ field: 'target_component_id', message: `The target has ${version} already, as ${name}` }]
}
