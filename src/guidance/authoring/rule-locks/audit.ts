import { actorOf, type Caller } from '../../../http/caller.ts'
import { changesBetween, type AuditSubject } from '../../activity/audits/writer.ts'
import type { AuditAction } from '../../database/schema/audits.ts'
import type { Writer } from '../../database/transaction.ts'
import { componentSubject } from '../components/record.ts'

/** A statement has a limited number of parameters. */
const PORTION = 500

type AuditedValues = Parameters<typeof changesBetween>[0]

export interface AuditEntry {
  readonly action: AuditAction
  readonly subject: AuditSubject
  readonly comment: string | null
  readonly before: AuditedValues
  readonly after: AuditedValues
}

/** Adds one entry for the component, instead of one for each rule. */
export async function writeSummary(
  writer: Writer,
  caller: Caller,
  {
    componentId,
    comment,
    after,
  }: { readonly componentId: number; readonly comment: string; readonly after: AuditedValues },
): Promise<number> {
  const component = await writer
    .selectFrom('components')
    .select(['id', 'name', 'project_id'])
    .where('id', '=', componentId)
    .executeTakeFirstOrThrow()
  const subject = componentSubject(component)
  const entry = { action: 'custom', subject, comment, before: {}, after } as const
  const [id = 0] = await writeAudits(writer, caller, [entry])
  return id
}

/**
 * Adds many audit entries with few statements; returns their ids. For changes of many rules at once, where
 * `writeAudit` would need a query for each.
 */
export async function writeAudits(
  writer: Writer,
  caller: Caller,
  entries: readonly AuditEntry[],
): Promise<readonly number[]> {
  const actor = actorOf(caller)
  const created_at = new Date().toISOString()
  const rows = entries.map(({ action, subject, comment, before, after }) => ({
    action,
    comment,
    created_at,
    name: actor.name,
    via: actor.via,
    actor_id: actor.id,
    auditable_type: subject.type,
    auditable_id: subject.id,
    project_id: subject.projectId ?? null,
    component_id: subject.componentId ?? null,
    audited_name: subject.name,
    changes: JSON.stringify(changesBetween(before, after)),
  }))
  const ids: number[] = []
  for (let at = 0; at < rows.length; at += PORTION) {
    const portion = rows.slice(at, at + PORTION)
    const made = await writer.insertInto('audits').values(portion).returning('id').execute()
    ids.push(...made.map(({ id }) => id))
  }
  return ids
}
