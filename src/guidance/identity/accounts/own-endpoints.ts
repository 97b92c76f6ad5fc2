import { z } from 'zod'
import { bySession } from '../../../http/access.ts'
import { actorOf, type Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { NO_INPUT } from '../../../http/input.ts'
import { notAuthenticated } from '../../../http/refusals.ts'
import { confirmation, SAVED_MESSAGE, toast } from '../../../http/toast.ts'
import type { Writer } from '../../database/transaction.ts'
import { setPassword } from '../credentials/credentials.ts'
import { UNLINK_FAILURE, unlinkIdentity } from '../credentials/unlink.ts'
import { mailLink } from '../links/mailed-links.ts'
import { confirmAddressMessage, identityUnlinkedMessage, passwordChangedMessage } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import { hashNewPassword } from '../passwords/passwords.ts'
import { proveIdentity } from '../sign-in/proof.ts'
import type { LocalSignIn } from '../sign-in/sign-in.ts'
import { markUnconfirmed } from '../users/address.ts'
import { findAdministeredUsers, requireOwn, type User } from '../users/reader.ts'
import { holdOwn } from '../users/record.ts'
import {
  currentPassword,
  administeredUser,
  emailValue,
  identityChoice,
  nameValue,
  passwordValue,
  slackValue,
  unlinkedFrom,
} from '../users/schemas.ts'
import { signInMethodsOf } from '../users/sign-in-methods.ts'
import { deleteUser, updateUser, type UserChanges } from '../users/writer.ts'

const TAG = 'Accounts'
const FAILURE_MESSAGE = 'Could not update the account.'

/** People manage their own account with these endpoints; tokens are refused. */
export function ownAccountEndpoints(parts: IdentityParts, local: LocalSignIn): readonly Endpoint[] {
  return [showOwn(parts), updateOwn(parts, local), deleteOwn(parts, local), unlinkOwn(parts, local)]
}

function showOwn(parts: IdentityParts): Endpoint {
  const { database } = parts
  return endpoint({
    method: 'get',
    path: '/users/edit',
    operation: 'getOwnAccount',
    tag: TAG,
    summary: 'The caller’s account, with its identities at providers',
    access: bySession,
    input: NO_INPUT,
    answer: administeredUser.extend({ accepts_memberships: z.boolean() }),
    handle: async ({ grant: { caller } }) => {
      const [user] = await findAdministeredUsers(database.read, signInMethodsOf(parts), caller.id)
      if (user === undefined) throw notAuthenticated()
      const { accepts_memberships } = await requireOwn(database.read, caller)
      return { ...user, accepts_memberships: accepts_memberships === 1 }
    },
  })
}

const ownChanges = z.object({
  name: nameValue.optional(),
  email: emailValue.optional(),
  slack_user_id: slackValue.optional(),
  accepts_memberships: z.boolean('Accepts memberships must be true or false').optional().meta({
    description: 'Whether others may add the account to their projects without an access request',
  }),
  password: passwordValue.optional(),
  password_confirmation: passwordValue.optional(),
  current_password: currentPassword.optional(),
  revoke_tokens: z
    .boolean('Revoke tokens must be true or false')
    .default(true)
    .meta({ description: 'Whether a new password also revokes the personal access tokens' }),
})

function updateOwn(parts: IdentityParts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: ['put', 'patch'],
    path: '/users',
    operation: 'updateOwnAccount',
    tag: TAG,
    summary: 'Change one’s own account; address and password need the current password',
    refusals: ['incorrect_password'],
    access: bySession,
    failure: FAILURE_MESSAGE,
    input: z.object({ body: z.object({ user: ownChanges }) }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input: { body }, session }) => {
      const accountChange = await readAccountChange(parts, body.user, caller)
      if (accountChange.email !== null || accountChange.passwordHash !== null)
        await proveIdentity(parts, local, { caller, session, password: body.user.current_password })
      const keepSession = session.recordId
      const { user, revoked } = await parts.database.transact((writer) =>
        changeAccount(writer, parts, { accountChange, caller, keepSession }),
      )
      const { email: to, name } = user
      if (accountChange.passwordHash !== null)
        parts.mailer?.send(passwordChangedMessage({ to, name, by: 'owner', revoked }))
      if (accountChange.email !== null) await mailChange(parts, user, accountChange.email)
      const mustConfirm = accountChange.email !== null && parts.mailer !== null
      const message = mustConfirm ? 'The new address has to be confirmed first.' : SAVED_MESSAGE
      return toast('Account updated.', message)
    },
  })
}

/** The changes that a request asks for; null leaves a value as it is. */
interface AccountChange {
  readonly changes: Pick<UserChanges, 'name' | 'slackUserId' | 'acceptsMemberships'>
  readonly email: string | null
  readonly passwordHash: string | null
  /** Whether a new password leaves the tokens valid. */
  readonly keepTokens: boolean
}

async function readAccountChange(
  parts: IdentityParts,
  body: z.infer<typeof ownChanges>,
  caller: Caller,
): Promise<AccountChange> {
  const { name, email, slack_user_id, password, password_confirmation, revoke_tokens } = body
  const about = [caller.name, caller.email, name ?? '', email ?? '']
  const passwordHash =
    password === undefined
      ? null
      : await hashNewPassword(parts, { password, password_confirmation, about }, FAILURE_MESSAGE)
  return {
    changes: { name, slackUserId: slack_user_id, acceptsMemberships: body.accepts_memberships },
    email: email === undefined || email === caller.email ? null : email,
    passwordHash,
    keepTokens: !revoke_tokens,
  }
}

async function changeAccount(
  writer: Writer,
  parts: IdentityParts,
  { accountChange, caller, keepSession }: { accountChange: AccountChange; caller: Caller; keepSession: number | null },
): Promise<{ readonly user: User; readonly revoked: number | null }> {
  const user = await holdOwn(writer, caller)
  const context = { actor: actorOf(caller), title: FAILURE_MESSAGE }
  const { changes, email, passwordHash, keepTokens } = accountChange
  if (Object.values(changes).some((change) => change !== undefined))
    await updateUser(writer, user, { ...context, changes })
  // A new password cancels a pending change of address, but not the one in this request.
  const revoked =
    passwordHash === null
      ? null
      : await setPassword(writer, user, { ...context, passwordHash, keepSession, keepTokens })
  if (email !== null) await changeAddress(writer, parts, { user, newEmail: email, caller })
  return { user, revoked: keepTokens ? null : revoked }
}

/** If mail is set up, the address changes when the link sent to the new address is opened. */
async function changeAddress(
  writer: Writer,
  { mailer }: IdentityParts,
  { user, newEmail, caller }: { readonly user: User; readonly newEmail: string; readonly caller: Caller },
): Promise<void> {
  if (mailer !== null) {
    await markUnconfirmed(writer, user.id, { unconfirmed_email: newEmail })
    return
  }
  await updateUser(writer, user, {
    changes: { email: newEmail },
    actor: actorOf(caller),
    title: FAILURE_MESSAGE,
  })
  await markUnconfirmed(writer, user.id, { confirmed_at: null })
}

async function mailChange(parts: IdentityParts, user: User, newEmail: string): Promise<void> {
  if (parts.mailer === null) return
  await mailLink(parts, {
    purpose: 'confirm_email',
    user,
    to: newEmail,
    compose: confirmAddressMessage,
  })
}

function deleteOwn(parts: IdentityParts, local: LocalSignIn): Endpoint {
  const failure = 'Could not delete the account.'
  return endpoint({
    method: 'delete',
    path: '/users',
    operation: 'deleteOwnAccount',
    tag: TAG,
    summary: 'Delete the own account',
    refusals: ['incorrect_password'],
    access: bySession,
    failure,
    input: z.object({
      body: z.object({ user: z.object({ current_password: currentPassword.optional() }) }),
    }),
    answer: confirmation,
    handle: async ({ grant: { caller }, input, session }) => {
      const { current_password: password } = input.body.user
      await proveIdentity(parts, local, { caller, session, password })
      await parts.database.transact(async (writer) => {
        const user = await holdOwn(writer, caller)
        await deleteUser(writer, user, { actor: actorOf(caller), title: failure })
      })
      await session.end()
      return toast('Account deleted.', 'The account and all data that was only yours were removed.')
    },
  })
}

function unlinkOwn(parts: IdentityParts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/unlink_identity',
    operation: 'unlinkIdentity',
    tag: TAG,
    summary: 'Unlink an identity at a provider from one’s own account',
    refusals: ['incorrect_password', 'not_found'],
    access: bySession,
    failure: UNLINK_FAILURE,
    input: z.object({
      body: z.object({
        ...identityChoice,
        current_password: currentPassword.optional(),
      }),
    }),
    answer: confirmation.extend({ provider: unlinkedFrom }),
    handle: async ({ grant: { caller }, input, session }) => {
      const { current_password: password, ...choice } = input.body
      await proveIdentity(parts, local, { caller, session, password })
      const request = { choice, methods: signInMethodsOf(parts), actor: actorOf(caller) }
      const mail = await parts.database.transact(async (writer) =>
        unlinkIdentity(writer, await holdOwn(writer, caller), request),
      )
      parts.mailer?.send(identityUnlinkedMessage({ ...mail, by: 'owner' }))
      const confirmation = toast('Identity unlinked.', 'It can no longer be used to sign in here.')
      return { ...confirmation, provider: mail.provider }
    },
  })
}
