import { Refusal } from '../../platform/errors.ts'
import { writeAudit } from '../audits/writer.ts'
import { SYSTEM, type Actor } from '../caller.ts'
import type { Database, Writer } from '../database/database.ts'
import type { ExternalIdentity } from '../identity-providers/identity.ts'
import { refuseTokens } from '../refusals.ts'
import { findUserByEmail, requireUser, type User } from '../users/reader.ts'
import { subjectOf } from '../users/record.ts'
import { insertUser } from '../users/writer.ts'
import { noteSignIn } from './sign-in.ts'
import { takeOver } from './take-over.ts'

/**
 * The account of somebody whom a provider has vouched for: the one linked before, or the one with
 * the same verified address, or a new one.
 */
export async function signInExternally(
  database: Database,
  identity: ExternalIdentity,
): Promise<User> {
  return database.transact(async (writer) => {
    const user = (await findLinked(writer, identity)) ?? (await link(writer, identity))
    if (user.locked_by === 'administrator')
      throw refuseTokens('account_locked', 'An administrator has locked the account.')
    return noteSignIn(writer, user)
  })
}

async function findLinked(
  writer: Writer,
  { provider, uid }: ExternalIdentity,
): Promise<User | null> {
  const linked = await writer
    .selectFrom('identities')
    .select('user_id')
    .where('provider', '=', provider)
    .where('uid', '=', uid)
    .executeTakeFirst()
  return linked === undefined ? null : requireUser(writer, linked.user_id)
}

async function link(writer: Writer, identity: ExternalIdentity): Promise<User> {
  const { provider, uid, email, emailVerified, name } = identity
  if (!emailVerified)
    throw new Refusal(
      'identity_provider_refused',
      'The provider has not verified the e-mail address, so no account can be linked or made.',
    )
  const actor: Actor = { ...SYSTEM, via: provider }
  // Of two first sign-ins at once, the second finds what the first has made.
  await writer.lock('users', 0)
  const linked = await findLinked(writer, identity)
  if (linked !== null) return linked
  const known = await findUserByEmail(writer, email)
  const user = known ?? (await create(writer, { name, email }, actor))
  if (known !== null && known.confirmed_at === null) await takeOver(writer, known, actor)
  await writer
    .insertInto('identities')
    .values({ user_id: user.id, provider, uid, email, created_at: new Date().toISOString() })
    .execute()
  const after = { identity: provider }
  await writeAudit(writer, actor, { action: 'update', subject: subjectOf(user), after })
  return user
}

async function create(
  writer: Writer,
  person: { readonly name: string; readonly email: string },
  actor: Actor,
): Promise<User> {
  const account = { ...person, passwordHash: null, admin: false, confirmed: true }
  return insertUser(writer, account, { actor, title: 'Could not sign in.' })
}
