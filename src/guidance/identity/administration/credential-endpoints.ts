import { z } from 'zod'
import { siteAdminBySession } from '../../../http/access.ts'
import { actorOf, type Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { confirmation, refuseValues, toast, toastSchema } from '../../../http/toast.ts'
import { Refusal } from '../../../platform/errors.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import type { Writer } from '../../database/transaction.ts'
import { endSessions, setPassword } from '../credentials/credentials.ts'
import { UNLINK_FAILURE, unlinkIdentity } from '../credentials/unlink.ts'
import { LINK_MS } from '../links/links.ts'
import { identityUnlinkedMessage, passwordChangedMessage, resetPasswordMessage } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import { aboutOf, hashNewPassword } from '../passwords/passwords.ts'
import type { LocalSignIn } from '../sign-in/sign-in.ts'
import { findUser, requireUser, type User } from '../users/reader.ts'
import { subjectOf } from '../users/record.ts'
import { identityChoice, ownPassword, passwordValue, proofBody, unlinkedFrom } from '../users/schemas.ts'
import { signInMethodsOf } from '../users/sign-in-methods.ts'
import { change, changeProven, proofToOpen, resetLink, show, withUser } from './administer.ts'

const TAG = 'User administration'
const RESET_MS = LINK_MS.reset_password

/** Site administrators help people who cannot sign in with these endpoints. */
export function credentialEndpoints(parts: IdentityParts, local: LocalSignIn): readonly Endpoint[] {
  return [sendReset(parts), makeReset(parts, local), choosePassword(parts, local), unlinkOther(parts, local)]
}

function sendReset(parts: IdentityParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/{id}/send_password_reset',
    operation: 'sendPasswordReset',
    tag: TAG,
    summary: 'Mail a user a link that resets the password',
    refusals: ['mail_not_configured'],
    access: siteAdminBySession,
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params } }) => {
      const { mailer } = parts
      if (mailer === null) {
        await requireUser(parts.database.read, params.id)
        const detail = 'Set SERVICE_SMTP_URL, or make a reset link instead.'
        throw new Refusal('mail_not_configured', detail)
      }
      const { link, user } = await change(parts, params.id, async (writer, user) => {
        await noteLink(writer, user, { caller, comment: 'A reset link was mailed' })
        return { link: await resetLink(writer, parts, { userId: user.id, email: user.email }), user }
      })
      const { email: to, name } = user
      mailer.send(resetPasswordMessage({ to, name, link, validForMs: RESET_MS }))
      return toast('Password reset sent.', `A mail with a link is on its way to ${to}.`)
    },
  })
}

function makeReset(parts: IdentityParts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/{id}/generate_reset_link',
    operation: 'generateResetLink',
    tag: TAG,
    summary: 'Create a link that resets the password, to give to the user',
    access: siteAdminBySession,
    input: z.object({ params: idParams, body: proofBody }),
    answer: z.object({ toast: toastSchema, reset_url: z.string() }),
    handle: async ({ grant: { caller }, input: { params, body }, session }) => {
      const reset_url = await changeProven(parts, local, {
        id: params.id,
        claim: { caller, session, password: body?.user?.current_password },
        proofFor: (user) => proofToOpen(user, caller),
        work: async (writer, user) => {
          await noteLink(writer, user, { caller, comment: 'A reset link was made' })
          return resetLink(writer, parts, { userId: user.id, email: null })
        },
      })
      return { ...toast('Reset link made.', 'Give it to the user. It works once.'), reset_url }
    },
  })
}

function choosePassword(parts: IdentityParts, local: LocalSignIn): Endpoint {
  const failure = 'Could not set the password.'
  return endpoint({
    method: 'post',
    path: '/users/{id}/set_password',
    operation: 'setPassword',
    tag: TAG,
    summary: 'Set the password of a user',
    access: siteAdminBySession,
    failure,
    input: z.object({
      params: idParams,
      body: z.object({
        user: z.object({ password: passwordValue, current_password: ownPassword }),
      }),
    }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params, body }, session }) => {
      const about = aboutOf(await findUser(parts.database.read, params.id))
      const passwordHash = await hashNewPassword(parts, { ...body.user, about }, failure)
      const claim = { caller, session, password: body.user.current_password }
      const newPassword = { passwordHash, actor: actorOf(caller), keepSession: null }
      const mail = await changeProven(parts, local, {
        id: params.id,
        claim,
        proofFor: (user) => proofToOpen(user, caller),
        work: async (writer, user) => {
          const revoked = await setPassword(writer, user, newPassword)
          return { to: user.email, name: user.name, by: 'administrator', revoked } as const
        },
      })
      parts.mailer?.send(passwordChangedMessage(mail))
      return toast('Password set.', 'Give it to the user. Sessions and tokens of the account have ended.')
    },
  })
}

function unlinkOther(parts: IdentityParts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/{id}/unlink_identity',
    operation: 'unlinkIdentityOf',
    tag: TAG,
    summary: 'Unlink an identity at a provider from an account; the sessions of the account end',
    refusals: ['incorrect_password', 'not_found'],
    access: siteAdminBySession,
    failure: UNLINK_FAILURE,
    input: z.object({
      params: idParams,
      body: z.object({
        ...identityChoice,
        user: z.object({ current_password: ownPassword }).optional(),
      }),
    }),
    answer: withUser.extend({ provider: unlinkedFrom }),
    handle: async ({ grant: { caller }, input: { params, body }, session }) => {
      if (params.id === caller.id) {
        const message = 'Unlink your own identity on your account page, or ask another administrator'
        throw refuseValues(UNLINK_FAILURE, [{ field: null, message }])
      }
      const actor = actorOf(caller)
      const mail = await changeProven(parts, local, {
        id: params.id,
        claim: { caller, session, password: body.user?.current_password },
        proofFor: (user) => proofToOpen(user, caller),
        work: async (writer, user) => {
          await endSessions(writer, user.id, null)
          return unlinkIdentity(writer, user, { choice: body, methods: signInMethodsOf(parts), actor })
        },
      })
      parts.mailer?.send(identityUnlinkedMessage({ ...mail, by: 'administrator' }))
      const confirmation = toast('Identity unlinked.', 'It can no longer be used to sign in to this account.')
      return { ...confirmation, provider: mail.provider, user: await show(parts, params.id) }
    },
  })
}

function noteLink(
  writer: Writer,
  user: User,
  { caller, comment }: { readonly caller: Caller; readonly comment: string },
): Promise<void> {
  const subject = subjectOf(user)
  return writeAudit(writer, actorOf(caller), { action: 'custom', subject, comment })
}
