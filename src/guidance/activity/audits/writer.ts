import type { Actor } from '../../../http/caller.ts'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import type { AuditAction } from '../../database/schema/audits.ts'
import type { Writer } from '../../database/transaction.ts'

type AuditValue = string | number | boolean | null | readonly string[] | Readonly<Record<string, string>>

/** Values of fields, by the names of the fields. */
export type AuditedValues = Readonly<Record<string, AuditValue>>

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
  readonly before?: AuditedValues
  readonly after?: AuditedValues
}

/** A statement has a limited number of parameters. */
const BATCH_SIZE = 500

type AuditEntry = NewAudit & { readonly subject: AuditSubject }

/**
 * Adds to the audit trail, inside the transaction that makes the change. `before` and `after` hold the fields that
 * may have changed; unchanged ones are left out, and an update that changed nothing leaves no entry. Secrets are
 * never passed: a password appears as a word such as `changed`.
 */
export async function writeAudit(writer: Writer, actor: Actor, entry: AuditEntry): Promise<void> {
  await writeAudits(writer, actor, [entry])
}

/** Like `writeAudit`, for several entries with few statements. Returns their ids. */
export async function writeAudits(
  writer: Writer,
  actor: Actor,
  entries: readonly AuditEntry[],
): Promise<readonly number[]> {
  const created_at = new Date().toISOString()
  const rows = entries.flatMap(({ action, subject, comment = null, before = {}, after = {} }) => {
    const changes = changesBetween(before, after)
    if (action === 'update' && changes.length === 0 && comment === null) return []
    return {
      action,
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
      created_at,
    }
  })
  const ids: number[] = []
  for await (const portion of inPortions(rows, BATCH_SIZE)) {
    const inserted = await writer.insertInto('audits').values(portion).returning('id').execute()
    ids.push(...inserted.map(({ id }) => id))
  }
  return ids
}

export function changesBetween(
  before: AuditedValues,
  after: AuditedValues,
): readonly { readonly field: string; readonly prev_value: AuditValue; readonly new_value: AuditValue }[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)])
  const changes = [...fields].map((field) => ({
    field,
    prev_value: before[field] ?? null,
    new_value: after[field] ?? null,
  }))
  return changes.filter(({ prev_value, new_value }) => JSON.stringify(prev_value) !== JSON.stringify(new_value))
}
