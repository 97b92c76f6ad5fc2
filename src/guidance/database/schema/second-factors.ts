import type { Generated } from 'kysely'

export type SecondFactorKind = 'passkey' | 'totp'

/** What somebody shows beside their password. */
export interface SecondFactorsTable {
  id: Generated<number>
  user_id: number
  kind: SecondFactorKind
  /** As its owner calls it. */
  name: string
  /** Of a passkey, the public key (COSE, base64url); of one-time codes, the encrypted secret. */
  key: string
  /** Of a passkey, as authenticators call it (base64url). */
  credential_id: string | null
  /** JSON array: how browsers reach a passkey. */
  transports: string
  /** Of a passkey, its counter; of one-time codes, the time step of the last code. What was used never works again. */
  used_up_to: number
  created_at: string
  last_used_at: string | null
}

/** Codes for when no other factor is at hand; a row goes when its code is used. */
export interface RecoveryCodesTable {
  user_id: number
  /** HMAC-SHA-256 under the service's key. */
  digest: string
  created_at: string
}
