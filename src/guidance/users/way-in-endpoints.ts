import { z } from 'zod'
import { Refusal } from '../../platform/errors.ts'
import { siteAdminBySession } from '../access.ts'
import { checkNewPassword, hashPassword } from '../accounts/passwords.ts'
import { writeAudit } from '../audits/writer.ts'
import { actorOf, type Caller } from '../caller.ts'
import type { Writer } from '../database/database.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { idParams } from '../input.ts'
import { LINK_MS } from '../links/links.ts'
import { resetPasswordMessage } from '../mail/messages.ts'
import type { Parts } from '../parts.ts'
import { confirmation, toast, toastSchema } from '../toast.ts'
import { change, resetLink } from './administer.ts'
import { requireUser, type User } from './reader.ts'
import { subjectOf } from './record.ts'
import { passwordValue } from './schemas.ts'
import { setPassword } from './way-in.ts'

const TAG = 'User administration'
const RESET_MS = LINK_MS.reset_password

/** How site administrators let people in who cannot help themselves. */
export function wayInEndpoints(parts: Parts): readonly Endpoint[] {
  return [sendReset(parts), makeReset(parts), choosePassword(parts)]
}

function sendReset(parts: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/{id}/send_password_reset',
    operation: 'sendPasswordReset',
    tag: TAG,
    summary: 'Mail somebody a link that resets the password',
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
      const { link, user } = await change(parts, params.id, async (writer, found) => {
        await noteLink(writer, found, { caller, comment: 'A reset link was mailed' })
        const made = { userId: found.id, email: found.email }
        return { link: await resetLink(writer, parts, made), user: found }
      })
      const { email: to, name } = user
      mailer.send(resetPasswordMessage({ to, name, link, validForMs: RESET_MS }))
      return toast('Password reset sent.', '')
    },
  })
}

function makeReset(parts: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/{id}/generate_reset_link',
    operation: 'generateResetLink',
    tag: TAG,
    summary: 'Make a link that resets the password, to be handed over',
    access: siteAdminBySession,
    input: z.object({ params: idParams }),
    answer: z.object({ toast: toastSchema, reset_url: z.string() }),
    handle: async ({ grant: { caller }, input: { params } }) => {
      const reset_url = await change(parts, params.id, async (writer, user) => {
        await noteLink(writer, user, { caller, comment: 'A reset link was made' })
        return resetLink(writer, parts, { userId: user.id, email: null })
      })
      return { ...toast('Reset link made.', ''), reset_url }
    },
  })
}

function choosePassword(parts: Parts): Endpoint {
  const failure = 'Could not set the password.'
  return endpoint({
    method: 'post',
    path: '/users/{id}/set_password',
    operation: 'setPassword',
    tag: TAG,
    summary: 'Set the password of somebody',
    access: siteAdminBySession,
    failure,
    input: z.object({
      params: idParams,
      body: z.object({ user: z.object({ password: passwordValue }) }),
    }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params, body } }) => {
      checkNewPassword(body.user, parts.settings.password, failure)
      const passwordHash = await hashPassword(body.user.password)
      await change(parts, params.id, (writer, user) =>
        setPassword(writer, user, { passwordHash, actor: actorOf(caller), keepSession: null }),
      )
      return toast('Password set.', '')
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
