import type { Actor } from '../../../http/caller.ts'
import type { AuditAction } from '../../database/schema/audits.ts'
import type { Writer } from '../../database/transaction.ts'

type AuditValue = string | number | boolean | null | readonly string[] | Readonly<Record<string, string>>

/** A record that an entry is about. */
export interface AuditSubject {
  readonly type: string
  readonly id: number
  readonly name: string
  /** The project in whose history the entry appears. */
  readonly projectId?: number
  /** The component in whose history it also appears. */
  readonly componentId?: number
}

interface NewAudit {
  readonly action: AuditAction
  readonly comment?: string | null
  readonly before?: Readonly<Record<string, AuditValue>>
  readonly after?: Readonly<Record<string, AuditValue>>
}

/**
 * Adds to the audit trail, inside the transaction that makes the change. `before` and `after` hold the fields that
 * may have changed; unchanged ones are left out, and an update that changed nothing leaves no entry. Secrets are
 * never passed: a password appears as a word such as `changed`.
 */
export async function writeAudit(
  writer: Writer,
  actor: Actor,
  { subject, ...happened }: NewAudit & { readonly subject: AuditSubject },
): Promise<void> {
  const comment = happened.comment ?? null
  const changes = changesBetween(happened.before ?? {}, happened.after ?? {})
  if (happened.action === 'update' && changes.length === 0 && comment === null) return
  await writer
    .insertInto('audits')
    .values({
      action: happened.action,
      auditable_type: subject.type,
      auditable_id: subject.id,
      project_id: subject.projectId ?? null,
      component_id: subject.componentId ?? null,
      audited_name: subject.name,
      actor_id: actor.id,
      name: actor.name,
      via: actor.via,
      comment,
      changes: JSON.stringify(changes),
      created_at: new Date().toISOString(),
    })
    .execute()
}

interface FieldChange {
  readonly field: string
  readonly prev_value: AuditValue
  readonly new_value: AuditValue
}

export function changesBetween(
  before: Readonly<Record<string, AuditValue>>,
  after: Readonly<Record<string, AuditValue>>,
): readonly FieldChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes = [...fields].map((field) => ({
    field,
    prev_value: before[field] ?? null,
    new_value: after[field] ?? null,
  }))
  return changes.filter(({ prev_value, new_value }) => JSON.stringify(prev_value) !== JSON.stringify(new_value))
}
