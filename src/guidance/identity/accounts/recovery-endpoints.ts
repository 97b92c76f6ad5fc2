import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { ownerActor } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { confirmation, toast } from '../../../http/toast.ts'
import type { Writer } from '../../database/transaction.ts'
import { setPassword, unlockUser } from '../credentials/credentials.ts'
import { findLink, useLink } from '../links/links.ts'
import { refuseLink } from '../links/mailed-links.ts'
import { passwordChangedMessage, resetPasswordMessage, unlockAccountMessage } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import { aboutOf, hashNewPassword } from '../passwords/passwords.ts'
import { takeOver } from '../sign-in/take-over.ts'
import { findUser, requireUser, type User } from '../users/reader.ts'
import { passwordValue } from '../users/schemas.ts'
import { linkRequestEndpoint } from './link-requests.ts'

const TAG = 'Accounts'

/** Regaining access to an account: a forgotten password, a lock after failed attempts. */
export function recoveryEndpoints(parts: IdentityParts): readonly Endpoint[] {
  return [requestReset(parts), checkReset(parts), resetPassword(parts), requestUnlock(parts), unlock(parts)]
}

function requestReset(parts: IdentityParts): Endpoint {
  return linkRequestEndpoint(parts, {
    path: '/users/password',
    operation: 'requestPasswordReset',
    summary: 'Request a link that resets a forgotten password',
    title: 'Reset requested.',
    mail: { purpose: 'reset_password', compose: resetPasswordMessage },
    mayHaveLink: () => true,
  })
}

function checkReset({ database, keys }: IdentityParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/users/password/edit',
    operation: 'checkPasswordReset',
    tag: TAG,
    summary: 'Whether a reset link still works',
    // Browsers get the page where a password is chosen.
    mediaTypes: ['text/html'],
    access: everyone,
    limited: true,
    input: z.object({ query: z.object({ reset_password_token: z.string().max(200) }) }),
    answer: z.object({ valid: z.boolean() }),
    handle: async ({ input }) => {
      const secret = input.query.reset_password_token
      const link = await findLink(database.read, keys.link, { purpose: 'reset_password', secret })
      return { valid: link !== null }
    },
  })
}

function resetPassword(parts: IdentityParts): Endpoint {
  const failure = 'Could not change the password.'
  return endpoint({
    method: ['put', 'patch'],
    path: '/users/password',
    operation: 'resetPassword',
    tag: TAG,
    summary: 'Choose a new password with a reset link',
    refusals: ['link_invalid'],
    access: everyone,
    limited: true,
    failure,
    input: z.object({
      body: z.object({
        user: z.object({
          reset_password_token: z.string().max(200),
          password: passwordValue,
          password_confirmation: passwordValue.optional(),
        }),
      }),
    }),
    answer: confirmation,
    handle: async ({ input }) => {
      const { reset_password_token: secret, ...passwords } = input.body.user
      const about = await findAbout(parts, secret)
      const passwordHash = await hashNewPassword(parts, { ...passwords, about }, failure)
      const { user, revoked } = await parts.database.transact((writer) =>
        useResetLink(writer, parts, { secret, passwordHash }),
      )
      const { email: to, name } = user
      parts.mailer?.send(passwordChangedMessage({ to, name, by: 'owner', revoked }))
      return toast('Password changed.', 'You can sign in with the new password now.')
    },
  })
}

/** Name and address of the link's owner; empty for a link that does not work, which `useLink` refuses later. */
async function findAbout({ database, keys }: IdentityParts, secret: string): Promise<readonly string[]> {
  const link = await findLink(database.read, keys.link, { purpose: 'reset_password', secret })
  return aboutOf(link?.userId == null ? null : await findUser(database.read, link.userId))
}

async function useResetLink(
  writer: Writer,
  { keys }: IdentityParts,
  { secret, passwordHash }: { readonly secret: string; readonly passwordHash: string },
): Promise<{ readonly user: User; readonly revoked: number }> {
  const link = await useLink(writer, keys.link, { purpose: 'reset_password', secret })
  if (link?.userId == null) throw refuseLink()
  const user = await requireUser(writer, link.userId)
  const actor = ownerActor(user)
  const isTheirs = link.email === user.email
  if (isTheirs && user.confirmed_at === null) await takeOver(writer, user, actor)
  const revoked = await setPassword(writer, user, { passwordHash, actor, keepSession: null })
  return { user, revoked }
}

function requestUnlock(parts: IdentityParts): Endpoint {
  return linkRequestEndpoint(parts, {
    path: '/users/unlock',
    operation: 'requestUnlock',
    summary: 'Request a link that unlocks an account after too many failed attempts',
    title: 'Unlock requested.',
    mail: { purpose: 'unlock', compose: unlockAccountMessage },
    mayHaveLink: ({ locked_by }) => locked_by === 'attempts',
    answerWithoutMail: () =>
      parts.settings.lockout.unlockStrategy === 'time'
        ? toast('No mail is sent.', 'The account unlocks by itself after a while. Wait, then try again.')
        : null,
  })
}

function unlock({ database, keys }: IdentityParts): Endpoint {
  return endpoint({
    method: ['put', 'patch'],
    path: '/users/unlock',
    operation: 'unlockAccount',
    tag: TAG,
    summary: 'Unlock an account with the link that was sent',
    refusals: ['link_invalid'],
    access: everyone,
    limited: true,
    input: z.object({ body: z.object({ unlock_token: z.string().max(200) }) }),
    answer: confirmation,
    handle: async ({ input }) => {
      await database.transact(async (writer) => {
        const link = await useLink(writer, keys.link, { purpose: 'unlock', secret: input.body.unlock_token })
        if (link?.userId == null) throw refuseLink()
        const user = await requireUser(writer, link.userId)
        if (user.locked_by === 'attempts') await unlockUser(writer, user, ownerActor(user))
      })
      return toast('Account unlocked.', 'You can sign in again.')
    },
  })
}
