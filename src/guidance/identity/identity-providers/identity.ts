/** A person as an external provider identifies them. */
export interface ExternalIdentity {
  readonly provider: 'oidc' | 'ldap'
  /** Stable for this person at this provider. */
  readonly uid: string
  /** Lower case. */
  readonly email: string
  /** An existing account is linked only by a verified address. */
  readonly emailVerified: boolean
  readonly name: string
}
