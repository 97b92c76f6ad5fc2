import { z } from 'zod'
import { Refusal } from '../../platform/errors.ts'
import { siteAdmin, siteAdminBySession } from '../access.ts'
import { makeAccountLink, mailLink } from '../accounts/links.ts'
import { checkNewPassword, hashPassword } from '../accounts/passwords.ts'
import { writeAudit } from '../audits/writer.ts'
import { actorOf } from '../caller.ts'
import type { Writer } from '../database/database.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { idParams, NO_INPUT, notFound } from '../input.ts'
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
} from './writer.ts'

const TAG = 'User administration'

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
      const { id } = await parts.database.transact((writer) => insertUser(writer, account, by))
      const answer = { ...toast('User created.', ''), user: await show(parts, id) }
      if (password !== undefined) return answer
      const user = { id, name }
      if (parts.mailer === null) return { ...answer, reset_url: await resetUrl(parts, id) }
      const purpose = 'reset_password'
      await mailLink(parts, { purpose, user, to: email, compose: accountCreatedMessage })
      return answer
    },
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
        throw refuseValues('Could not lock user.', [
          { field: null, message: 'You cannot lock your own account' },
        ])
      await change(parts, params.id, (writer, user) =>
        lockUser(writer, user, { by: 'administrator', actor: actorOf(caller) }),
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
    handle: async ({ input: { params } }) => {
      const user = await requireUser(parts.database.read, params.id)
      if (parts.mailer === null)
        throw new Refusal(
          'mail_not_configured',
          'Set SERVICE_SMTP_URL, or make a reset link instead.',
        )
      const { email: to } = user
      await mailLink(parts, { purpose: 'reset_password', user, to, compose: resetPasswordMessage })
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
      await change(parts, params.id, (writer, user) =>
        writeAudit(writer, actorOf(caller), {
          action: 'custom',
          subject: subjectOf(user),
          comment: 'A reset link was made',
        }),
      )
      return { ...toast('Reset link made.', ''), reset_url: await resetUrl(parts, params.id) }
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
async function change(
  { database }: Parts,
  id: number,
  work: (writer: Writer, user: User) => Promise<void>,
): Promise<void> {
  await database.transact(async (writer) => {
    await writer.lock('user', id)
    await work(writer, await requireUser(writer, id))
  })
}

async function show({ database }: Parts, id: number): Promise<AdministeredUser> {
  const [user] = await findAdministeredUsers(database.read, id)
  if (user === undefined) throw notFound()
  return user
}

function resetUrl(parts: Parts, userId: number): Promise<string> {
  return parts.database.transact((writer) =>
    makeAccountLink(writer, parts, { purpose: 'reset_password', userId, email: null }),
  )
}
