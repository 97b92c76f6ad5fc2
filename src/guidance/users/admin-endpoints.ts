import { z } from 'zod'
import { Refusal } from '../../platform/errors.ts'
import { siteAdmin, siteAdminBySession } from '../access.ts'
import { makeAccountLink } from '../accounts/links.ts'
import { checkNewPassword, hashPassword } from '../accounts/passwords.ts'
import { writeAudit } from '../audits/writer.ts'
import { actorOf, type Actor, type Caller } from '../caller.ts'
import type { Writer } from '../database/database.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { idParams, NO_INPUT, notFound } from '../input.ts'
import { LINK_MS } from '../links/links.ts'
import { accountCreatedMessage, resetPasswordMessage } from '../mail/messages.ts'
import type { Parts } from '../parts.ts'
import { confirmation, refuseValues, toast, toastSchema } from '../toast.ts'
import { findAdministeredUsers, requireUser, type User } from './reader.ts'
import {
  adminFlag,
  administeredUser,
  emailValue,
  nameValue,
  passwordValue,
  slackValue,
  type AdministeredUser,
} from './schemas.ts'
import {
  deleteUser,
  insertUser,
  lockUser,
  setPassword,
  subjectOf,
  unlockUser,
  updateUser,
  type NewUser,
} from './writer.ts'

const TAG = 'User administration'
const RESET_MS = LINK_MS.reset_password

/** What site administrators do with accounts. Whatever gives a way in needs a session. */
export function userAdministrationEndpoints(parts: Parts): readonly Endpoint[] {
  return [
    list(parts),
    create(parts),
    update(parts),
    remove(parts),
    lock(parts),
    unlock(parts),
    sendReset(parts),
    makeReset(parts),
    choosePassword(parts),
  ]
}

function list({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/users',
    operation: 'listUsers',
    tag: TAG,
    summary: 'Everybody with an account',
    access: siteAdmin,
    input: NO_INPUT,
    answer: z.array(administeredUser),
    handle: () => findAdministeredUsers(database.read),
  })
}

const withUser = z.object({ toast: toastSchema, user: administeredUser })

function create(parts: Parts): Endpoint {
  const failure = 'Could not create user.'
  return endpoint({
    method: 'post',
    path: '/users/admin_create',
    operation: 'createUser',
    tag: TAG,
    summary: 'Make an account; without a password, a link to choose one is mailed or answered',
    access: siteAdminBySession,
    failure,
    input: z.object({
      body: z.object({
        user: z.object({
          name: nameValue,
          email: emailValue,
          admin: adminFlag.default(false),
          slack_user_id: slackValue.default(null),
          password: passwordValue.optional(),
        }),
      }),
    }),
    answer: withUser.extend({ reset_url: z.string().optional() }),
    handle: async ({ grant: { caller }, input }) => {
      const { name, email, admin, slack_user_id: slackUserId, password } = input.body.user
      if (password !== undefined) checkNewPassword({ password }, parts.settings.password, failure)
      const passwordHash = password === undefined ? null : await hashPassword(password)
      const account = { name, email, admin, slackUserId, passwordHash, confirmed: true }
      const by = { actor: actorOf(caller), title: failure }
      const { id, link } = await addUser(parts, account, by)
      const answer = { ...toast('User created.', ''), user: await show(parts, id) }
      if (link === null) return answer
      if (parts.mailer === null) return { ...answer, reset_url: link }
      parts.mailer.send(accountCreatedMessage({ to: email, name, link, validForMs: RESET_MS }))
      return answer
    },
  })
}

/** An account without a password comes with a link to choose one. */
async function addUser(
  parts: Parts,
  account: NewUser,
  by: { readonly actor: Actor; readonly title: string },
): Promise<{ readonly id: number; readonly link: string | null }> {
  return parts.database.transact(async (writer) => {
    const { id } = await insertUser(writer, account, by)
    if (account.passwordHash !== null) return { id, link: null }
    const email = parts.mailer === null ? null : account.email
    return { id, link: await resetLink(writer, parts, { userId: id, email }) }
  })
}

function update(parts: Parts): Endpoint {
  const failure = 'Could not update user.'
  return endpoint({
    method: ['put', 'patch'],
    path: '/users/{id}',
    operation: 'updateUser',
    tag: TAG,
    summary: 'Change an account',
    access: siteAdminBySession,
    failure,
    input: z.object({
      params: idParams,
      body: z.object({
        user: z.object({
          name: nameValue.optional(),
          email: emailValue.optional(),
          admin: adminFlag.optional(),
          slack_user_id: slackValue.optional(),
        }),
      }),
    }),
    answer: withUser,
    handle: async ({ grant: { caller }, input: { params, body } }) => {
      const { slack_user_id: slackUserId, ...others } = body.user
      const changes = { ...others, slackUserId }
      await change(parts, params.id, (writer, user) =>
        updateUser(writer, user, { changes, actor: actorOf(caller), title: failure }),
      )
      return { ...toast('User updated.', ''), user: await show(parts, params.id) }
    },
  })
}

function remove(parts: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/users/{id}',
    operation: 'deleteUser',
    tag: TAG,
    summary: 'Delete an account',
    access: siteAdminBySession,
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params } }) => {
      const by = { actor: actorOf(caller), title: 'Could not remove user.' }
      await change(parts, params.id, (writer, user) => deleteUser(writer, user, by))
      return toast('User removed.', '')
    },
  })
}

function lock(parts: Parts): Endpoint {
  const failure = 'Could not lock user.'
  return endpoint({
    method: 'post',
    path: '/users/{id}/lock',
    operation: 'lockUser',
    tag: TAG,
    summary: 'Lock an account: its sessions end, its tokens stop working',
    access: siteAdminBySession,
    input: z.object({ params: idParams }),
    answer: withUser,
    handle: async ({ grant: { caller }, input: { params } }) => {
      if (params.id === caller.id)
        throw refuseValues(failure, [{ field: null, message: 'You cannot lock your own account' }])
      await change(parts, params.id, (writer, user) =>
        lockUser(writer, user, { by: 'administrator', actor: actorOf(caller), title: failure }),
      )
      return { ...toast('User locked.', ''), user: await show(parts, params.id) }
    },
  })
}

function unlock(parts: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/{id}/unlock',
    operation: 'unlockUser',
    tag: TAG,
    summary: 'Unlock an account',
    access: siteAdminBySession,
    input: z.object({ params: idParams }),
    answer: withUser,
    handle: async ({ grant: { caller }, input: { params } }) => {
      await change(parts, params.id, (writer, user) => unlockUser(writer, user, actorOf(caller)))
      return { ...toast('User unlocked.', ''), user: await show(parts, params.id) }
    },
  })
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

/** Changes one account, alone. */
function change<T>(
  { database }: Parts,
  id: number,
  work: (writer: Writer, user: User) => Promise<T>,
): Promise<T> {
  return database.transact(async (writer) => {
    await writer.lock('user', id)
    return work(writer, await requireUser(writer, id))
  })
}

async function show({ database }: Parts, id: number): Promise<AdministeredUser> {
  const [user] = await findAdministeredUsers(database.read, id)
  if (user === undefined) throw notFound()
  return user
}

function noteLink(
  writer: Writer,
  user: User,
  { caller, comment }: { readonly caller: Caller; readonly comment: string },
): Promise<void> {
  const subject = subjectOf(user)
  return writeAudit(writer, actorOf(caller), { action: 'custom', subject, comment })
}

/** Whoever uses a link that was mailed has shown that the address is theirs. */
function resetLink(
  writer: Writer,
  parts: Parts,
  to: { readonly userId: number; readonly email: string | null },
): Promise<string> {
  return makeAccountLink(writer, parts, { purpose: 'reset_password', ...to })
}
