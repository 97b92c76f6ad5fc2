import { SYSTEM, type Actor } from '../../../http/caller.ts'
import { refuseTokens } from '../../../http/refusals.ts'
import { Refusal } from '../../../platform/errors.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import type { Database } from '../../database/database.ts'
import type { Writer } from '../../database/transaction.ts'
import type { ExternalIdentity } from '../identity-providers/identity.ts'
import { identityLinkedMessage } from '../mail/messages.ts'
import type { IdentityParts } from '../parts.ts'
import { clearFactors } from '../second-factor/factors.ts'
import { findUserByEmail, findUserByIdentity, type User } from '../users/reader.ts'
import { subjectOf } from '../users/record.ts'
import { insertUser } from '../users/writer.ts'
import { noteSignIn } from './sign-in.ts'
import { takeOver } from './take-over.ts'

/**
 * Returns the account of a person identified by a provider: the linked one, else the one with the same verified
 * address, else a new one. A site administrator's account is linked only if its owner has requested it (`linking`):
 * otherwise anybody who controls addresses at a provider could become one. The owner of a newly linked account is
 * notified.
 */
export async function signInExternally(
  { database, log, mailer }: Pick<IdentityParts, 'database' | 'log' | 'mailer'>,
  identity: ExternalIdentity,
  linking: number | null,
): Promise<User> {
  try {
    const { user, isNewlyLinked } = await signIn(database, identity, linking)
    const { email: to, name } = user
    if (isNewlyLinked) mailer?.send(identityLinkedMessage({ to, name, provider: identity.provider }))
    return user
  } catch (error) {
    if (error instanceof Refusal && error.code === 'identity_not_linked') {
      const { provider, uid, email } = identity
      log.warn({ provider, uid, email }, "An identity was not linked with an administrator's account")
    }
    throw error
  }
}

interface SignInResult {
  readonly user: User
  /** Whether an existing account was linked by this sign-in. */
  readonly isNewlyLinked: boolean
}

function signIn(database: Database, identity: ExternalIdentity, linking: number | null): Promise<SignInResult> {
  return database.transact(async (writer) => {
    const linkedUser = await findUserByIdentity(writer, identity)
    const { user, isNewlyLinked } =
      linkedUser === null ? await link(writer, identity, linking) : { user: linkedUser, isNewlyLinked: false }
    if (user.locked_by === 'administrator')
      throw refuseTokens('account_locked', 'An administrator has locked the account.')
    const { provider, uid } = identity
    const { last_sign_in_at } = await noteSignIn(writer, user)
    await writer
      .updateTable('identities')
      .set({ last_sign_in_at })
      .where('provider', '=', provider)
      .where('uid', '=', uid)
      .execute()
    return { user: { ...user, last_sign_in_at }, isNewlyLinked }
  })
}

async function link(writer: Writer, identity: ExternalIdentity, linking: number | null): Promise<SignInResult> {
  const { provider, email, emailVerified, name } = identity
  if (!emailVerified)
    throw new Refusal(
      'identity_provider_refused',
      'The provider has not verified the e-mail address, so no account can be linked or made.',
    )
  const actor: Actor = { ...SYSTEM, via: provider }
  // Because of the lock, of two simultaneous first sign-ins the second finds the account made by the first.
  await writer.lock('users', 0)
  const linked = await findUserByIdentity(writer, identity)
  if (linked !== null) return { user: linked, isNewlyLinked: false }
  const existingUser = await findUserByEmail(writer, email)
  if (existingUser?.admin === 1 && existingUser.id !== linking) throw notLinked()
  const user = existingUser ?? (await create(writer, { name, email }, actor))
  if (existingUser?.confirmed_at === null) {
    await takeOver(writer, existingUser, actor)
    await clearFactors(writer, existingUser.id)
  }
  await insertIdentity(writer, user, { identity, actor })
  return { user, isNewlyLinked: existingUser !== null }
}

export async function insertIdentity(
  writer: Writer,
  user: Pick<User, 'id' | 'name'>,
  {
    identity: { provider, uid, email },
    actor,
  }: {
    readonly identity: Pick<ExternalIdentity, 'provider' | 'uid' | 'email'>
    readonly actor: Actor
  },
): Promise<void> {
  await writer
    .insertInto('identities')
    .values({ user_id: user.id, provider, uid, email, created_at: new Date().toISOString() })
    .execute()
  const after = { identity: provider }
  await writeAudit(writer, actor, { action: 'update', subject: subjectOf(user), after })
}

function notLinked(): Refusal {
  return new Refusal(
    'identity_not_linked',
    'The account with this address is not linked by the address alone. Sign in with its password, ' +
      'ask on the account page to link the provider, and sign in through it within five minutes. ' +
      'An operator can link it, too: npm run admin -- link.',
  )
}

async function create(
  writer: Writer,
  person: { readonly name: string; readonly email: string },
  actor: Actor,
): Promise<User> {
  const account = { ...person, passwordHash: null, admin: false, confirmed: true }
  return insertUser(writer, account, { actor, title: 'Could not sign in.' })
}
