import type { Selectable } from 'kysely'
import type { Actor } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit, type AuditSubject } from '../../activity/audits/writer.ts'
import { isDuplicate, isOrphan } from '../../database/faults.ts'
import type { MembershipsTable, Role } from '../../database/schema/memberships.ts'
import type { Writer } from '../../database/transaction.ts'
import { dropWeakerMemberships } from './component-writer.ts'

/** Adds a member, and removes their access request. */
export async function insertMembership(
  writer: Writer,
  { userId, projectId, role }: { readonly userId: number; readonly projectId: number; readonly role: Role },
  actor: Actor,
): Promise<void> {
  await writer.lock('project', projectId)
  const now = new Date().toISOString()
  const user = await writer.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst()
  if (user === undefined) throw refuse('user_id', 'User must exist')
  try {
    const { id } = await writer
      .insertInto('memberships')
      .values({ user_id: userId, project_id: projectId, role, created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    const subject = subjectOf({ id, project_id: projectId }, user.name)
    await writeAudit(writer, actor, { action: 'create', subject, after: { role } })
  } catch (error) {
    if (isDuplicate(error)) throw refuse('user_id', 'User is already a member of this project')
    if (isOrphan(error)) throw notFound()
    throw error
  }
  await dropWeakerMemberships(writer, { userId, projectId, role }, actor)
  await writer
    .deleteFrom('project_access_requests')
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .execute()
}

/** Changes a role; null removes the member. A project always keeps one administrator. */
export async function changeMembership(
  writer: Writer,
  { id, projectId, role }: { id: number; projectId: number; role: Role | null },
  actor: Actor,
): Promise<void> {
  await writer.lock('project', projectId)
  const membership = await writer
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .selectAll('memberships')
    .select('users.name')
    .where('memberships.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
  if (membership.role === 'admin' && role !== 'admin') await requireOtherAdmin(writer, membership)
  const subject = subjectOf(membership, membership.name)
  const before = { role: membership.role }
  if (role === null) {
    await writer.deleteFrom('memberships').where('id', '=', id).execute()
    await writeAudit(writer, actor, { action: 'destroy', subject, before })
    return
  }
  const updated_at = new Date().toISOString()
  await writer.updateTable('memberships').set({ role, updated_at }).where('id', '=', id).execute()
  await writeAudit(writer, actor, { action: 'update', subject, before, after: { role } })
  await dropWeakerMemberships(writer, { userId: membership.user_id, projectId, role }, actor)
}

async function requireOtherAdmin(writer: Writer, { id, project_id }: Selectable<MembershipsTable>): Promise<void> {
  const other = await writer
    .selectFrom('memberships')
    .select('id')
    .where('project_id', '=', project_id)
    .where('role', '=', 'admin')
    .where('id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) return
  const { name } = await writer
    .selectFrom('projects')
    .select('name')
    .where('id', '=', project_id)
    .executeTakeFirstOrThrow()
  throw refuse('role', `The project ${name} would have no administrator`)
}

function refuse(field: string, message: string): Error {
  return refuseValues('Could not change membership.', [{ field, message }])
}

function subjectOf(
  { id, project_id }: { readonly id: number; readonly project_id: number },
  name: string,
): AuditSubject {
  return { type: 'Membership', id, name, projectId: project_id }
}
