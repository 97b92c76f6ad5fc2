import type { Writer } from '../../database/transaction.ts'
import { findUsableAdmins, isOnlyOne } from './only-admin.ts'
import { refuseUser } from './record.ts'

/**
 * Refuses unless another site administrator can sign in. Locks until the transaction ends, so that two requests cannot
 * remove each other's administrator.
 */
export async function requireOtherSiteAdmin(writer: Writer, userId: number, title: string): Promise<void> {
  await writer.lock('users', 0)
  const admins = await findUsableAdmins(writer)
  if (isOnlyOne(admins, userId)) throw refuseUser(title, 'This is the last site administrator')
}
