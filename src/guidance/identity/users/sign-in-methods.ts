import type { IdentitiesTable } from '../../database/schema/users.ts'

type Provider = IdentitiesTable['provider']

/** The ways to sign in that are set up on this instance. */
export interface SignInMethods {
  readonly localLogin: boolean
  readonly providers: ReadonlySet<Provider>
  /** The titles of the providers come from the settings. */
  readonly titles: ReadonlyMap<Provider, string>
}

interface ProviderSettings {
  readonly title: string
}

interface ConfiguredSignIn {
  readonly settings: {
    readonly localLogin: boolean
    readonly oidc: ProviderSettings | null
    readonly ldap: ProviderSettings | null
  }
  readonly oidc: object | null
  readonly ldap: object | null
}

export function signInMethodsOf({ settings, oidc, ldap }: ConfiguredSignIn): SignInMethods {
  const providers = new Set<Provider>()
  if (oidc !== null) providers.add('oidc')
  if (ldap !== null) providers.add('ldap')
  const titles = new Map<Provider, string>()
  if (settings.oidc !== null) titles.set('oidc', settings.oidc.title)
  if (settings.ldap !== null) titles.set('ldap', settings.ldap.title)
  return { localLogin: settings.localLogin, providers, titles }
}

interface AccountSignInMethods {
  readonly hasPassword: boolean
  readonly identities: readonly { readonly id: number; readonly provider: Provider }[]
}

/** Whether the account has no other working way to sign in: no other identity and no password that can be used here. */
export function isOnlySignInMethod(
  { localLogin, providers }: Pick<SignInMethods, 'localLogin' | 'providers'>,
  { hasPassword, identities }: AccountSignInMethods,
  identityId: number,
): boolean {
  if (hasPassword && localLogin) return false
  return !identities.some(({ id, provider }) => id !== identityId && providers.has(provider))
}
