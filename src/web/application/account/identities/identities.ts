export interface Identity {
  readonly id: number
  readonly provider: 'oidc' | 'ldap'
  readonly email: string
  readonly only_way_in: boolean
}

const PROVIDERS = { oidc: 'OpenID Connect', ldap: 'LDAP' } as const

export function providerName(provider: Identity['provider']): string {
  return PROVIDERS[provider]
}

/** The name by which people recognise an identity. */
export function identityName({ provider, email }: Pick<Identity, 'provider' | 'email'>): string {
  return `${PROVIDERS[provider]}: ${email}`
}

/** Why the only sign-in method cannot be unlinked, and what to do. */
export function whyNotRemovable(byPassword: boolean): string {
  return byPassword
    ? 'It is the only way in: a password has to be set first.'
    : 'It is the only way in: passwords are switched off here.'
}
