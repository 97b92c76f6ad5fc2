import type { Generated } from 'kysely'

export interface SessionsTable {
  id: Generated<number>
  /** SHA-256 of the cookie's value, so that a copy of the table gives no access. */
  digest: string
  /** Null while nobody has signed in. */
  user_id: number | null
  /** JSON. */
  data: string
  created_at: string
  touched_at: string
  expires_at: string
}
