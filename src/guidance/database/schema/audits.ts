import type { Generated } from 'kysely'

export type AuditAction = 'create' | 'update' | 'destroy' | 'custom'

/** Rows are only ever added: triggers refuse to change or remove one. */
export interface AuditsTable {
  id: Generated<number>
  action: AuditAction
  auditable_type: string
  auditable_id: number
  /** The project in whose history the entry appears. */
  project_id: number | null
  /** The component in whose history the entry appears. */
  component_id: number | null
  /** The subject's name at that time. */
  audited_name: string
  actor_id: number | null
  /** The actor's name at that time. */
  name: string
  /** How the actor was authenticated: `session 12`, `token 3`, `command`, `system`. */
  via: string
  comment: string | null
  /** JSON array of {field, prev_value, new_value}. */
  changes: string
  created_at: string
}
