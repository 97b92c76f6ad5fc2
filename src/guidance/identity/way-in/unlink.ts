import type { Actor } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import type { Writer } from '../../database/transaction.ts'
import type { UnlinkedRecipient } from '../mail/messages.ts'
import type { User } from '../users/reader.ts'
import { subjectOf } from '../users/record.ts'
import { isOnlyWayIn, type WaysIn } from '../users/ways-in.ts'

export const UNLINK_FAILURE = 'Could not unlink the identity.'

interface Unlinking {
  readonly identityId: number
  readonly ways: WaysIn
  readonly actor: Actor
}

/**
 * Takes an identity at a provider from an account that is held, and returns whom to tell. Refused where it is the only
 * way in.
 */
export async function unlinkIdentity(
  writer: Writer,
  user: User,
  { identityId, ways, actor }: Unlinking,
): Promise<Omit<UnlinkedRecipient, 'by'>> {
  const identities = await writer
    .selectFrom('identities')
    .select(['id', 'provider'])
    .where('user_id', '=', user.id)
    .execute()
  const meant = identities.find(({ id }) => id === identityId)
  if (meant === undefined) throw notFound()
  const hasPassword = user.password_hash !== null
  if (isOnlyWayIn(ways, { hasPassword, identities }, identityId)) throw refuseOnly(ways)
  await writer.deleteFrom('identities').where('id', '=', identityId).execute()
  await writeAudit(writer, actor, {
    action: 'update',
    subject: subjectOf(user),
    before: { identity: meant.provider },
  })
  return { to: user.email, name: user.name, provider: meant.provider }
}

function refuseOnly({ localLogin }: WaysIn): Error {
  const message = localLogin
    ? 'Set a password first, or nobody can sign in any more'
    : 'Nobody could sign in any more: passwords are switched off here, and there is no other identity'
  return refuseValues(UNLINK_FAILURE, [{ field: null, message }])
}
