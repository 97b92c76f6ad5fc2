import type { Generated } from 'kysely'

export type AuditAction = 'create' | 'update' | 'destroy' | 'custom'

/** Rows are only ever added: triggers refuse to change or remove one. */
export interface AuditsTable {
  id: Generated<number>
  action: AuditAction
  auditable_type: string
  auditable_id: number
  /** The project whose history shows the entry. */
  project_id: number | null
  /** The component whose history shows the entry. */
  component_id: number | null
  /** What the subject was called at that time. */
  audited_name: string
  actor_id: number | null
  /** What the actor was called at that time. */
  name: string
  /** The way in: `session 12`, `token 3`, `command`, `system`. */
  via: string
  comment: string | null
  /** JSON array of {field, prev_value, new_value}. */
  changes: string
  created_at: string
}
