import type { Actor } from '../../../http/caller.ts'
import type { AuditAction } from '../../database/schema/audits.ts'
import type { Writer } from '../../database/transaction.ts'

type AuditValue =
  string | number | boolean | null | readonly string[] | Readonly<Record<string, string>>

/** A record that something happened to. */
export interface AuditSubject {
  readonly type: string
  readonly id: number
  readonly name: string
  /** The project whose history shows it. */
  readonly projectId?: number
  /** The component whose history shows it too. */
  readonly componentId?: number
}

interface NewAudit {
  readonly action: AuditAction
  readonly comment?: string | null
  readonly before?: Readonly<Record<string, AuditValue>>
  readonly after?: Readonly<Record<string, AuditValue>>
}

/**
 * Adds to the audit trail, inside the transaction that does what it tells of. `before` and `after`
 * hold the fields that may have changed; those that did not are left out, and an update that changed
 * nothing leaves no entry. Secrets are never handed in: a field such as a password is given as a word
 * that says what happened.
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
  return changes.filter(
    ({ prev_value, new_value }) => JSON.stringify(prev_value) !== JSON.stringify(new_value),
  )
}
