import type { Generated } from 'kysely'

export interface PersonalAccessTokensTable {
  id: Generated<number>
  user_id: number
  name: string
  /** HMAC-SHA-256 of the raw token under the service's key. */
  digest: string
  token_prefix: string
  /** JSON array. */
  scopes: string
  /** JSON array of addresses and CIDR ranges. */
  allowed_ips: string
  /** YYYY-MM-DD (UTC); the token is invalid from this day on. */
  expires_at: string
  last_used_at: string | null
  revoked_at: string | null
  created_at: string
}
