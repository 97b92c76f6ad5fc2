import { z } from 'zod'
import { everyone } from '../../http/access.ts'
import { OPERATOR } from '../../http/caller.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { confirmation, toast } from '../../http/toast.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Secrets } from '../../platform/settings/guidance-settings.ts'
import type { Reader, Writer } from '../database/transaction.ts'
import { dropLinks, useLink } from '../identity/links/links.ts'
import { makeAccountLink, refuseLink } from '../identity/links/mailed-links.ts'
import type { IdentityParts } from '../identity/parts.ts'
import { aboutOf, hashNewPassword } from '../identity/passwords/passwords.ts'
import { newAccount } from '../identity/users/schemas.ts'
import { insertUser } from '../identity/users/writer.ts'

/** The way to get the first administrator: a link, the account of the settings, or an operator. */
export type FirstSteps =
  | { readonly link: string }
  | { readonly email: string }
  /** Without local passwords: an operator grants the role to a user who has signed in through the provider. */
  | { readonly byProvider: true }

/**
 * Creates the first administrator from the settings, or else a link to become it. Null if there is a site administrator.
 * Ordinary users may have registered before.
 */
export async function prepareFirstAdmin(parts: IdentityParts, admin: Secrets['admin']): Promise<FirstSteps | null> {
  warnOfNoWayIn(parts)
  if (await hasSiteAdmin(parts.database.read)) return null
  if (!parts.settings.localLogin) return { byProvider: true }
  if (admin === null) {
    const link = { purpose: 'setup', userId: null, email: null } as const
    return parts.database.transact(async (writer) => ({
      link: await makeAccountLink(writer, parts, link),
    }))
  }
  const { email, password } = admin
  const refused = 'SERVICE_ADMIN_PASSWORD cannot be used.'
  const passwordHash = await hashNewPassword(parts, { password, about: [email] }, refused)
  await parts.database.transact((writer) =>
    makeFirstAdmin(writer, { name: 'Administrator', email: email.toLowerCase(), passwordHash }),
  )
  return { email }
}

export function setupEndpoint(parts: IdentityParts): Endpoint {
  const failure = 'Could not create the administrator.'
  return endpoint({
    method: 'post',
    path: '/api/setup',
    operation: 'createFirstAdministrator',
    tag: 'Instance',
    summary: 'Become the first administrator, with the link that the first start printed',
    refusals: ['link_invalid', 'local_login_disabled'],
    access: everyone,
    limited: true,
    failure,
    input: z.object({
      body: z.object({
        token: z.string().max(200),
        user: newAccount,
      }),
    }),
    answer: confirmation,
    handle: async ({ input }) => {
      if (!parts.settings.localLogin) throw new Refusal('local_login_disabled', 'Local passwords are switched off.')
      const { token: secret, user } = input.body
      const passwordHash = await hashNewPassword(parts, { ...user, about: aboutOf(user) }, failure)
      await parts.database.transact(async (writer) => {
        const link = await useLink(writer, parts.keys.link, { purpose: 'setup', secret })
        const admin = { name: user.name, email: user.email, passwordHash }
        if (link === null || !(await makeFirstAdmin(writer, admin))) throw refuseLink()
      })
      return toast('Administrator created.', 'You can sign in now.')
    },
  })
}

function warnOfNoWayIn({ settings: { localLogin }, oidc, ldap, log }: IdentityParts): void {
  if (!localLogin && oidc === null && ldap === null)
    log.warn('Nobody can sign in: local passwords are switched off, and no provider is set up')
}

/** Whether the account was made: of several processes or requests at once, only one makes it. */
async function makeFirstAdmin(
  writer: Writer,
  admin: { readonly name: string; readonly email: string; readonly passwordHash: string },
): Promise<boolean> {
  await writer.lock('users', 0)
  if (await hasSiteAdmin(writer)) return false
  const account = { ...admin, admin: true, confirmed: true }
  await insertUser(writer, account, {
    actor: OPERATOR,
    title: 'Could not create the administrator.',
  })
  await dropLinks(writer, { purpose: 'setup', userId: null })
  return true
}

async function hasSiteAdmin(reader: Reader): Promise<boolean> {
  const query = reader.selectFrom('users').select('id').where('admin', '=', 1).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}
