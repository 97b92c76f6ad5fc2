import type { LdapSettings } from '../../platform/settings/guidance-settings.ts'
import type { Parts } from '../parts/parts.ts'
import type { OidcProvider } from './identity-providers/oidc.ts'
import type { Mailer } from './mail/mailer.ts'

/** What signing in and the care of accounts work with. */
export interface IdentityParts extends Parts {
  /** Null: no mail goes out. */
  readonly mailer: Mailer | null
  readonly oidc: OidcProvider | null
  readonly ldap: { readonly settings: LdapSettings; readonly bindPassword: string } | null
}
