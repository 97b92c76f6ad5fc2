import type { Actor } from '../../../http/caller.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { isDuplicate } from '../../database/faults.ts'
import type { Writer } from '../../database/transaction.ts'
import { dropLinks } from '../links/links.ts'
import type { User } from './reader.ts'
import { holdUser, searchKey, subjectOf } from './record.ts'

/** Sets the address of the account to a confirmed one. */
export async function confirmAddress(
  writer: Writer,
  { id }: Pick<User, 'id'>,
  { email, actor }: { readonly email: string; readonly actor: Actor },
): Promise<void> {
  const user = await holdUser(writer, id)
  if (user.confirmed_at !== null && user.email === email) return
  const now = new Date().toISOString()
  try {
    await writer
      .updateTable('users')
      .set({
        email,
        search_key: searchKey(user.name, email),
        unconfirmed_email: user.unconfirmed_email === email ? null : user.unconfirmed_email,
        confirmed_at: now,
        updated_at: now,
      })
      .where('id', '=', user.id)
      .execute()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw refuseValues('Could not confirm the address.', [{ field: 'email', message: 'Email has already been taken' }])
  }
  if (user.email !== email) await dropMailedLinks(writer, user.id)
  await writeAudit(writer, actor, {
    action: 'update',
    subject: subjectOf(user),
    before: { email: user.email, confirmed: user.confirmed_at !== null },
    after: { email, confirmed: true },
  })
}

/** Marks an address as unconfirmed. */
export async function markUnconfirmed(
  writer: Writer,
  userId: number,
  change: { readonly unconfirmed_email: string } | { readonly confirmed_at: null },
): Promise<void> {
  await writer.updateTable('users').set(change).where('id', '=', userId).execute()
}

/** Makes links that were mailed to the old address useless. */
export async function dropMailedLinks(writer: Writer, userId: number): Promise<void> {
  for (const purpose of ['reset_password', 'confirm_email', 'unlock'] as const)
    await dropLinks(writer, { purpose, userId })
}
