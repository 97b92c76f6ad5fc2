import type { Generated } from 'kysely'

export type ImportState = 'waiting' | 'running' | 'finished' | 'refused' | 'failed'

/** An uploaded file to import, and the result. */
export interface ImportsTable {
  id: Generated<number>
  /** The uploader; null once the account is deleted. */
  user_id: number | null
  /** The uploader's name in the audit trail. */
  actor: string
  file_name: string
  /** Name of the file in the folder of imports; null once it is done. */
  spool: string | null
  /** JSON object: document_type, version, replace. */
  options: string
  state: ImportState
  /** Number of members that are done. */
  done: number
  total: number
  /** JSON: the members that were imported, there already, or refused. */
  outcome: string
  created_at: string
  updated_at: string
}
