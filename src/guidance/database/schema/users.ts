import type { Generated } from 'kysely'

export interface UsersTable {
  id: Generated<number>
  name: string
  /** Lower case. */
  email: string
  /** Name and address folded for searching. */
  search_key: string
  /** Argon2id in PHC form; null for somebody who only signs in through a provider. */
  password_hash: string | null
  /** 0 or 1. */
  admin: number
  slack_user_id: string | null
  failed_attempts: Generated<number>
  locked_at: string | null
  locked_by: 'attempts' | 'administrator' | null
  /** Null until somebody showed that the address is theirs, or an administrator vouched for it. */
  confirmed_at: string | null
  /** A new address that waits for its confirmation. */
  unconfirmed_email: string | null
  last_sign_in_at: string | null
  /** 0 or 1: whether administrators of projects may add them without having been asked. */
  accepts_memberships: Generated<number>
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
}

/** Who found whom by the whole address: whoever knows that may add them for a while. */
export interface FoundUsersTable {
  finder_id: number
  user_id: number
  found_at: string
}
