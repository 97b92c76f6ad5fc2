import type { Generated } from 'kysely'

export type LinkPurpose = 'reset_password' | 'confirm_email' | 'unlock' | 'setup'

export interface OneTimeLinksTable {
  id: Generated<number>
  /** Null for the link to become the first administrator. */
  user_id: number | null
  purpose: LinkPurpose
  /** The address that is confirmed by using the link; null for none. */
  email: string | null
  digest: string
  expires_at: string
  created_at: string
}
