import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { ownerActor } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { confirmation, toast } from '../../../http/toast.ts'
import { Refusal } from '../../../platform/errors.ts'
import { clearLock } from '../credentials/credentials.ts'
import { useLink } from '../links/links.ts'
import { runAfterAnswer, mailLink, refuseLink } from '../links/mailed-links.ts'
import { addressChangedMessage, alreadyRegisteredMessage, confirmAddressMessage } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import { hashNewPassword } from '../passwords/passwords.ts'
import { confirmAddress } from '../users/address.ts'
import { findUserByEmail, requireUser } from '../users/reader.ts'
import { newAccount } from '../users/schemas.ts'
import { insertUser } from '../users/writer.ts'
import { linkRequestEndpoint } from './link-requests.ts'

const TAG = 'Accounts'

/** Registering an account, and confirming its address. */
export function registrationEndpoints(parts: IdentityParts): readonly Endpoint[] {
  return [register(parts), requestConfirmation(parts), confirm(parts)]
}

function register(parts: IdentityParts): Endpoint {
  const failure = 'Could not create the account.'
  return endpoint({
    method: 'post',
    path: '/users',
    operation: 'registerUser',
    tag: TAG,
    summary: 'Register an account, where registration is enabled',
    refusals: ['local_login_disabled', 'registration_disabled'],
    access: everyone,
    limited: true,
    failure,
    input: z.object({
      body: z.object({ user: newAccount }),
    }),
    answer: confirmation,
    handle: async ({ input }) => {
      requireRegistration(parts)
      const { name, email, ...passwords } = input.body.user
      const passwordHash = await hashNewPassword(parts, { ...passwords, about: [name, email] }, failure)
      const account = { name, email, passwordHash, admin: false, confirmed: false }
      if (parts.mailer === null) {
        await parts.database.transact((writer) => insertUser(writer, account, { actor: null, title: failure }))
        return toast('Account created.', 'You can sign in now.')
      }
      runAfterAnswer(parts, () => registerByMail(parts, account))
      return toast('Almost done.', 'A mail with a link to confirm the address is on its way.')
    },
  })
}

function requireRegistration({ settings: { localLogin, registration } }: IdentityParts): void {
  if (!localLogin)
    throw new Refusal(
      'local_login_disabled',
      'Local passwords are switched off. Sign in through single sign-on, which creates the account.',
    )
  if (!registration) throw new Refusal('registration_disabled', 'Ask an administrator for an account.')
}

async function registerByMail(parts: IdentityParts, account: Parameters<typeof insertUser>[1]): Promise<void> {
  const { email: to, name } = account
  const existingUser = await findUserByEmail(parts.database.read, to)
  if (existingUser !== null) {
    parts.mailer?.send(
      alreadyRegisteredMessage({ to, name: existingUser.name, link: `${parts.baseUrl}/users/password/new` }),
    )
    return
  }
  const user = await parts.database.transact((writer) => insertUser(writer, account, { actor: null, title: name }))
  await mailLink(parts, { purpose: 'confirm_email', user, to, compose: confirmAddressMessage })
}

function requestConfirmation(parts: IdentityParts): Endpoint {
  return linkRequestEndpoint(parts, {
    path: '/users/confirmation',
    operation: 'requestConfirmation',
    summary: 'Request another link that confirms an address',
    title: 'Confirmation requested.',
    mail: { purpose: 'confirm_email', compose: confirmAddressMessage },
    mayHaveLink: ({ confirmed_at }) => confirmed_at === null,
  })
}

function confirm({ database, keys, mailer }: IdentityParts): Endpoint {
  return endpoint({
    method: ['put', 'patch'],
    path: '/users/confirmation',
    operation: 'confirmAddress',
    tag: TAG,
    summary: 'Confirm an address with the link that was sent to it',
    refusals: ['link_invalid'],
    access: everyone,
    limited: true,
    input: z.object({ body: z.object({ confirmation_token: z.string().max(200) }) }),
    answer: confirmation,
    handle: async ({ input }) => {
      const secret = input.body.confirmation_token
      const before = await database.transact(async (writer) => {
        const link = await useLink(writer, keys.link, { purpose: 'confirm_email', secret })
        if (link?.userId == null || link.email === null) throw refuseLink()
        const user = await requireUser(writer, link.userId)
        await confirmAddress(writer, user, { email: link.email, actor: ownerActor(user) })
        // Attempts before the confirmation failed even with the right password.
        if (user.confirmed_at === null && user.locked_by !== 'administrator') await clearLock(writer, user.id)
        return { name: user.name, to: user.email, changed: user.email !== link.email }
      })
      if (before.changed) mailer?.send(addressChangedMessage(before))
      return toast('Address confirmed.', 'You can sign in now.')
    },
  })
}
