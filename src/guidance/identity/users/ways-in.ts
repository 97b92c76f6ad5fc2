import type { IdentitiesTable } from '../../database/schema/users.ts'

type Provider = IdentitiesTable['provider']

/** By what people can sign in here, whatever their accounts have. */
export interface WaysIn {
  readonly localLogin: boolean
  readonly providers: ReadonlySet<Provider>
}

interface Configured {
  readonly settings: { readonly localLogin: boolean }
  readonly oidc: object | null
  readonly ldap: object | null
}

export function waysInOf({ settings, oidc, ldap }: Configured): WaysIn {
  const providers = new Set<Provider>()
  if (oidc !== null) providers.add('oidc')
  if (ldap !== null) providers.add('ldap')
  return { localLogin: settings.localLogin, providers }
}

interface AccountWays {
  readonly hasPassword: boolean
  readonly identities: readonly { readonly id: number; readonly provider: Provider }[]
}

/** Whether nobody could sign in to an account without this identity: the others, or the password, do not work here. */
export function isOnlyWayIn(
  { localLogin, providers }: WaysIn,
  { hasPassword, identities }: AccountWays,
  identityId: number,
): boolean {
  if (hasPassword && localLogin) return false
  return !identities.some(({ id, provider }) => id !== identityId && providers.has(provider))
}
