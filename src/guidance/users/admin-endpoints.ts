import { z } from 'zod'
import { siteAdmin, siteAdminBySession } from '../access.ts'
import { checkNewPassword, hashPassword } from '../accounts/passwords.ts'
import { actorOf, type Actor } from '../caller.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { idParams, NO_INPUT } from '../input.ts'
import { LINK_MS } from '../links/links.ts'
import { accountCreatedMessage } from '../mail/messages.ts'
import type { Parts } from '../parts.ts'
import { confirmation, refuseValues, toast, toastSchema } from '../toast.ts'
import { change, resetLink, show } from './administer.ts'
import { findAdministeredUsers } from './reader.ts'
import {
  adminFlag,
  administeredUser,
  emailValue,
  nameValue,
  passwordValue,
  slackValue,
} from './schemas.ts'
import { lockUser, unlockUser } from './way-in.ts'
import { deleteUser, insertUser, updateUser, type NewUser } from './writer.ts'

const TAG = 'User administration'

const RESET_MS = LINK_MS.reset_password

/** What site administrators do with accounts. Whatever gives a way in needs a session. */
export function userAdministrationEndpoints(parts: Parts): readonly Endpoint[] {
  return [list(parts), create(parts), update(parts), remove(parts), lock(parts), unlock(parts)]
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
