import type { Generated } from 'kysely'

export type ImportState = 'waiting' | 'running' | 'finished' | 'refused' | 'failed'

/** A file that was sent for import, and what became of it. */
export interface ImportsTable {
  id: Generated<number>
  /** Who sent it; null once the account is gone. */
  user_id: number | null
  /** Of whoever sent it, as the audit trail names them. */
  actor: string
  file_name: string
  /** Name of the file in the folder of imports; null once it is read. */
  spool: string | null
  /** JSON object: document_type, version, replace. */
  options: string
  state: ImportState
  /** Members of the file. */
  done: number
  total: number
  /** JSON: what was imported, there already, refused. */
  outcome: string
  created_at: string
  updated_at: string
}
