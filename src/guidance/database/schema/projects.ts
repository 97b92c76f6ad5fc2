import type { Generated } from 'kysely'

export type Visibility = 'discoverable' | 'hidden'

export interface ProjectsTable {
  id: Generated<number>
  name: string
  /** The folded name, for sorting and search. */
  name_key: string
  description: string | null
  description_key: string | null
  visibility: Visibility
  /** JSON object of strings. */
  metadata: string
  /** Incremented by every edit; detects concurrent edits. */
  lock_version: Generated<number>
  created_at: string
  updated_at: string
}
