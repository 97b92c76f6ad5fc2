import type { Actor } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import type { Writer } from '../../database/transaction.ts'
import type { UnlinkedRecipient } from '../mail/messages.ts'
import type { User } from '../users/reader.ts'
import { subjectOf } from '../users/record.ts'
import { isOnlySignInMethod, type SignInMethods } from '../users/sign-in-methods.ts'

export const UNLINK_FAILURE = 'Could not unlink the identity.'

type Provider = UnlinkedRecipient['provider']

/** An identity by its number, its provider, or both. */
interface IdentityChoice {
  readonly identity_id?: number | undefined
  readonly provider?: Provider | undefined
}

/** Unlinks an identity from a locked account, and returns whom to notify. Refuses if it is the only way to sign in. */
export async function unlinkIdentity(
  writer: Writer,
  user: User,
  {
    choice,
    methods,
    actor,
  }: { readonly choice: IdentityChoice; readonly methods: SignInMethods; readonly actor: Actor },
): Promise<Omit<UnlinkedRecipient, 'by'>> {
  const identities = await writer
    .selectFrom('identities')
    .select(['id', 'provider'])
    .where('user_id', '=', user.id)
    .execute()
  const chosen = choose(identities, choice)
  const identityId = chosen.id
  const hasPassword = user.password_hash !== null
  if (isOnlySignInMethod(methods, { hasPassword, identities }, identityId)) throw refuseOnly(methods)
  await writer.deleteFrom('identities').where('id', '=', identityId).execute()
  await writeAudit(writer, actor, {
    action: 'update',
    subject: subjectOf(user),
    before: { identity: chosen.provider },
  })
  return { to: user.email, name: user.name, provider: chosen.provider }
}

function choose<T extends { readonly id: number; readonly provider: Provider }>(
  identities: readonly T[],
  { identity_id, provider }: IdentityChoice,
): T {
  if (identity_id === undefined && provider === undefined)
    throw refuse('identity_id', 'Say which identity: identity_id or provider')
  const [chosen, another] = identities.filter(
    (identity) =>
      (identity_id === undefined || identity.id === identity_id) &&
      (provider === undefined || identity.provider === provider),
  )
  if (chosen === undefined) throw notFound()
  if (another !== undefined)
    throw refuse('provider', 'The account has several identities of this provider: say identity_id')
  return chosen
}

function refuse(field: string | null, message: string): Error {
  return refuseValues(UNLINK_FAILURE, [{ field, message }])
}

function refuseOnly({ localLogin }: SignInMethods): Error {
  const message = localLogin
    ? 'Set a password first. Otherwise nobody can sign in to the account'
    : 'Nobody could sign in to the account: passwords are disabled here, and it has no other identity'
  return refuse(null, message)
}
