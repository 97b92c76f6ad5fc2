/** A person as an external provider identifies them. */
export interface ExternalIdentity {
  readonly provider: 'oidc' | 'ldap'
  /** Stable for this person at this provider. */
  readonly uid: string
  /** Lower case. */
  readonly email: string
  /** Only a verified address may be linked with an account that exists. */
  readonly emailVerified: boolean
  readonly name: string
}
