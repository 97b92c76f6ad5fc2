import type { Generated } from 'kysely'

export interface UsersTable {
  id: Generated<number>
  name: string
  /** Lower case. */
  email: string
  /** Name and address, folded for search. */
  search_key: string
  /** Argon2id in PHC form; null for people who only sign in through a provider. */
  password_hash: string | null
  /** 0 or 1. */
  admin: number
  slack_user_id: string | null
  failed_attempts: Generated<number>
  locked_at: string | null
  locked_by: 'attempts' | 'administrator' | null
  /** Null until the address is confirmed by its owner or an administrator. */
  confirmed_at: string | null
  /** A new address that is not confirmed yet. */
  unconfirmed_email: string | null
  last_sign_in_at: string | null
  /** 0 or 1: whether project administrators may add them without asking. */
  accepts_memberships: Generated<number>
  /** 0 or 1: whether an administrator requires a second factor of them, whatever the setting says. */
  second_factor_required: Generated<number>
  /** Wrong one-time codes since the last right one, and the time of the last wrong code. */
  wrong_codes: Generated<number>
  wrong_code_at: string | null
  created_at: string
  updated_at: string
}

export interface IdentitiesTable {
  id: Generated<number>
  user_id: number
  provider: 'oidc' | 'ldap'
  uid: string
  email: string
  created_at: string
  /** The last sign-in by this identity. */
  last_sign_in_at: string | null
}

/** A person found another one by the complete address, and may add that person for a while. */
export interface FoundUsersTable {
  finder_id: number
  user_id: number
  found_at: string
}

export type SecondFactorKind = 'passkey' | 'totp'

export interface SecondFactorsTable {
  id: Generated<number>
  user_id: number
  kind: SecondFactorKind
  /** Name given by the owner. */
  name: string
  /** A passkey has its public key here (COSE, base64url); one-time codes have the encrypted secret. */
  key: string
  /** Authenticators know a passkey by this id (base64url). */
  credential_id: string | null
  /** JSON array: how browsers reach a passkey. */
  transports: string
  /** A passkey has its counter here, one-time codes the time step of the last code: a used code never works again. */
  used_up_to: number
  created_at: string
  last_used_at: string | null
}

/** Codes for signing in without the other factors; a row is removed when its code is used. */
export interface RecoveryCodesTable {
  user_id: number
  /** HMAC-SHA-256 under the service's key. */
  digest: string
  created_at: string
}
