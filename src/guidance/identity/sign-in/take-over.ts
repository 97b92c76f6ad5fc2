import type { Actor } from '../../../http/caller.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import type { Writer } from '../../database/transaction.ts'
import { endSessions } from '../credentials/credentials.ts'
import { dropLinks } from '../links/links.ts'
import type { User } from '../users/reader.ts'
import { subjectOf } from '../users/record.ts'

/**
 * Transfers an account with an unconfirmed address to the proven owner of the address: removes all access of the person
 * who registered it, and a pending change of address. A second factor stays, because no mailed link may bypass it.
 */
export async function takeOver(writer: Writer, user: User, actor: Actor): Promise<void> {
  const now = new Date().toISOString()
  await writer
    .updateTable('users')
    .set({ password_hash: null, confirmed_at: now, unconfirmed_email: null, updated_at: now })
    .where('id', '=', user.id)
    .execute()
  await writer.deleteFrom('personal_access_tokens').where('user_id', '=', user.id).execute()
  await writer.deleteFrom('identities').where('user_id', '=', user.id).execute()
  await writer.deleteFrom('consents').where('user_id', '=', user.id).execute()
  for (const purpose of ['reset_password', 'confirm_email', 'unlock'] as const)
    await dropLinks(writer, { purpose, userId: user.id })
  await endSessions(writer, user.id, null)
  const comment = 'The address was confirmed; all earlier ways to sign in were removed'
  await writeAudit(writer, actor, { action: 'custom', subject: subjectOf(user), comment })
}
