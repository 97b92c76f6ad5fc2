import { z } from 'zod'
import { siteAdmin, siteAdminBySession } from '../../../http/access.ts'
import { actorOf, type Actor, type Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, NO_INPUT } from '../../../http/input.ts'
import { confirmation, refuseValues, SAVED_MESSAGE, toast } from '../../../http/toast.ts'
import { lockUser, unlockUser } from '../credentials/credentials.ts'
import { LINK_MS } from '../links/links.ts'
import { accountCreatedMessage } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import { hashNewPassword } from '../passwords/passwords.ts'
import { forgetWrongCodes } from '../second-factor/factors.ts'
import { proveRecently } from '../sign-in/proof.ts'
import type { LocalSignIn } from '../sign-in/sign-in.ts'
import { findAdministeredUsers, type User } from '../users/reader.ts'
import {
  adminFlag,
  administeredUser,
  emailValue,
  nameValue,
  ownPassword,
  passwordValue,
  proofBody,
  secondFactorFlag,
  slackValue,
} from '../users/schemas.ts'
import { signInMethodsOf } from '../users/sign-in-methods.ts'
import { deleteUser, insertUser, updateUser, type NewUser, type UserChanges } from '../users/writer.ts'
import { change, changeProven, proofToOpen, resetLink, show, withUser } from './administer.ts'

const TAG = 'User administration'

const RESET_MS = LINK_MS.reset_password

/** Site administrators manage accounts with these endpoints. Tokens are refused where a change could give access. */
export function userAdministrationEndpoints(parts: IdentityParts, local: LocalSignIn): readonly Endpoint[] {
  return [list(parts), create(parts, local), update(parts, local), remove(parts, local), lock(parts), unlock(parts)]
}

function list(parts: IdentityParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/users',
    operation: 'listUsers',
    tag: TAG,
    summary: 'All accounts',
    access: siteAdmin,
    input: NO_INPUT,
    answer: z.array(administeredUser),
    handle: () => findAdministeredUsers(parts.database.read, signInMethodsOf(parts)),
  })
}

const newUser = z.object({
  name: nameValue,
  email: emailValue,
  admin: adminFlag.default(false),
  slack_user_id: slackValue.default(null),
  password: passwordValue.optional(),
  current_password: ownPassword,
})

function create(parts: IdentityParts, local: LocalSignIn): Endpoint {
  const failure = 'Could not create user.'
  return endpoint({
    method: 'post',
    path: '/users/admin_create',
    operation: 'createUser',
    tag: TAG,
    summary: 'Create an account; without a password, a link to choose one is mailed or returned',
    access: siteAdminBySession,
    failure,
    input: z.object({
      body: z.object({ user: newUser }),
    }),
    answer: withUser.extend({ reset_url: z.string().optional() }),
    handle: async ({ grant: { caller }, input, session }) => {
      const { name, email, admin, slack_user_id: slackUserId, password } = input.body.user
      const passwordHash =
        password === undefined ? null : await hashNewPassword(parts, { password, about: [name, email] }, failure)
      // An administrator can access all accounts, so creating another one needs a proof of identity.
      const claim = { caller, session, password: input.body.user.current_password }
      if (admin) await proveRecently(parts, local, claim)
      const account = { name, email, admin, slackUserId, passwordHash, confirmed: true }
      const { id, link } = await addUser(parts, account, { actor: actorOf(caller), title: failure })
      const user = await show(parts, id)
      if (link === null) return { ...toast('User created.', 'They can sign in now.'), user }
      if (parts.mailer === null)
        return { ...toast('User created.', 'Give the link to the user.'), user, reset_url: link }
      parts.mailer.send(accountCreatedMessage({ to: email, name, link, validForMs: RESET_MS }))
      return { ...toast('User created.', `A mail with a link is on its way to ${email}.`), user }
    },
  })
}

/** Adds a link to choose a password, if the account has none. */
async function addUser(
  parts: IdentityParts,
  account: NewUser,
  context: { readonly actor: Actor; readonly title: string },
): Promise<{ readonly id: number; readonly link: string | null }> {
  return parts.database.transact(async (writer) => {
    const { id } = await insertUser(writer, account, context)
    if (account.passwordHash !== null) return { id, link: null }
    const email = parts.mailer === null ? null : account.email
    return { id, link: await resetLink(writer, parts, { userId: id, email }) }
  })
}

function update(parts: IdentityParts, local: LocalSignIn): Endpoint {
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
          second_factor_required: secondFactorFlag.optional(),
          current_password: ownPassword,
        }),
      }),
    }),
    answer: withUser,
    handle: async ({ grant: { caller }, input: { params, body }, session }) => {
      const { name, email, admin, current_password: password } = body.user
      const { slack_user_id: slackUserId, second_factor_required: secondFactorRequired } = body.user
      const changes = { name, email, admin, slackUserId, secondFactorRequired }
      await changeProven(parts, local, {
        id: params.id,
        claim: { caller, session, password },
        proofFor: (user) => proofToChange(user, changes, caller),
        work: (writer, user) => updateUser(writer, user, { changes, actor: actorOf(caller), title: failure }),
      })
      return { ...toast('User updated.', SAVED_MESSAGE), user: await show(parts, params.id) }
    },
  })
}

function proofToChange(
  user: User,
  { email, admin }: Pick<UserChanges, 'email' | 'admin'>,
  caller: Caller,
): ReturnType<typeof proofToOpen> {
  const proofForEmail = email === undefined || email === user.email ? 'none' : proofToOpen(user, caller)
  // Losing the role needs a proof too: without the role, the session of any administrator could open the account.
  const changesRole = admin !== undefined && admin !== (user.admin === 1)
  return proofForEmail === 'none' && changesRole ? 'recent' : proofForEmail
}

function remove(parts: IdentityParts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/users/{id}',
    operation: 'deleteUser',
    tag: TAG,
    summary: 'Delete an account',
    refusals: ['validation_failed'],
    access: siteAdminBySession,
    input: z.object({ params: idParams, body: proofBody }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { params, body }, session }) => {
      const context = { actor: actorOf(caller), title: 'Could not remove user.' }
      await changeProven(parts, local, {
        id: params.id,
        claim: { caller, session, password: body?.user?.current_password },
        proofFor: (user) => (user.id === caller.id ? 'recent' : 'none'),
        work: (writer, user) => deleteUser(writer, user, context),
      })
      return toast('User removed.', 'The account was removed.')
    },
  })
}

function lock(parts: IdentityParts): Endpoint {
  const failure = 'Could not lock user.'
  return endpoint({
    method: 'post',
    path: '/users/{id}/lock',
    operation: 'lockUser',
    tag: TAG,
    summary: 'Lock an account: its sessions end, its tokens stop working',
    refusals: ['validation_failed'],
    access: siteAdminBySession,
    input: z.object({ params: idParams }),
    answer: withUser,
    handle: async ({ grant: { caller }, input: { params } }) => {
      if (params.id === caller.id)
        throw refuseValues(failure, [{ field: null, message: 'You cannot lock your own account' }])
      await change(parts, params.id, (writer, user) =>
        lockUser(writer, user, { by: 'administrator', actor: actorOf(caller), title: failure }),
      )
      const confirmation = toast('User locked.', 'Its sessions have ended, and its tokens do not work.')
      return { ...confirmation, user: await show(parts, params.id) }
    },
  })
}

function unlock(parts: IdentityParts): Endpoint {
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
      await change(parts, params.id, async (writer, user) => {
        await unlockUser(writer, user, actorOf(caller))
        await forgetWrongCodes(writer, user.id)
      })
      const confirmation = toast('User unlocked.', 'They can sign in again.')
      return { ...confirmation, user: await show(parts, params.id) }
    },
  })
}
