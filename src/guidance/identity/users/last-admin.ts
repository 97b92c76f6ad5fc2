import type { Writer } from '../../database/transaction.ts'
import { refuseUser } from './record.ts'

/**
 * Refuses unless somebody else is left who can sign in as a site administrator. Locks until the transaction ends,
 * so that two requests cannot each remove the other's administrator.
 */
export async function keepSiteAdmin(writer: Writer, userId: number, title: string): Promise<void> {
  await writer.lock('users', 0)
  const other = await writer
    .selectFrom('users')
    .select('id')
    .where('admin', '=', 1)
    .where('id', '<>', userId)
    .where((is) => is.or([is('locked_by', 'is', null), is('locked_by', '<>', 'administrator')]))
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) throw refuseUser(title, 'This is the last site administrator')
}

export async function findAdminsBeside(
  writer: Writer,
  userId: number,
  projectIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (projectIds.length === 0) return new Set()
  const rows = await writer
    .selectFrom('memberships')
    .select('project_id')
    .distinct()
    .where('project_id', 'in', projectIds)
    .where('role', '=', 'admin')
    .where('user_id', '<>', userId)
    .execute()
  return new Set(rows.map(({ project_id }) => project_id))
}
