import type { LdapSettings } from '../../platform/settings/guidance-settings.ts'
import type { Parts } from '../parts/parts.ts'
import type { OidcProvider } from './identity-providers/oidc.ts'
import type { Mailer } from './mail/mailer.ts'
import type { UnknownAddressCounter } from './sign-in/unknown-addresses.ts'

export interface IdentityParts extends Parts {
  readonly unknownAddresses: UnknownAddressCounter
  /** Null: no mail is sent. */
  readonly mailer: Mailer | null
  readonly oidc: OidcProvider | null
  readonly ldap: { readonly settings: LdapSettings; readonly bindPassword: string } | null
}
