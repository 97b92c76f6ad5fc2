import type { Actor } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit, type AuditSubject } from '../../activity/audits/writer.ts'
import { isDuplicate, isOrphan } from '../../database/faults.ts'
import type { Role } from '../../database/schema/memberships.ts'
import type { Writer } from '../../database/transaction.ts'
import { hasRole, ROLES } from '../../parts/project-access.ts'

interface ComponentLocation {
  readonly projectId: number
  readonly componentId: number
}

interface NewMembership extends ComponentLocation {
  readonly userId: number
  readonly role: Role
}

/** Adds a member of one component, whose role there must be higher than in the project (docs/contract.md, Roles). */
export async function insertComponentMembership(
  writer: Writer,
  { userId, role, ...location }: NewMembership,
  actor: Actor,
): Promise<void> {
  const { projectId, componentId } = location
  await writer.lock('project', projectId)
  const user = await writer.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst()
  if (user === undefined) throw refuse('user_id', 'User must exist')
  await requireAboveProjectRole(writer, { userId, projectId, role })
  const now = new Date().toISOString()
  try {
    const { id } = await writer
      .insertInto('component_memberships')
      .values({
        user_id: userId,
        component_id: componentId,
        role,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(writer, actor, { action: 'create', subject: subjectOf(id, user.name, location), after: { role } })
  } catch (error) {
    if (isDuplicate(error)) throw refuse('user_id', 'User is already a member of this component')
    if (isOrphan(error)) throw notFound()
    throw error
  }
}

interface RoleChange extends ComponentLocation {
  readonly id: number
  /** Null removes the member. */
  readonly role: Role | null
}

/** Changes the role of a member of a component, or removes them. */
export async function changeComponentMembership(
  writer: Writer,
  { id, role, ...location }: RoleChange,
  actor: Actor,
): Promise<void> {
  const { projectId } = location
  await writer.lock('project', projectId)
  const membership = await writer
    .selectFrom('component_memberships')
    .innerJoin('users', 'users.id', 'component_memberships.user_id')
    .selectAll('component_memberships')
    .select('users.name')
    .where('component_memberships.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
  const subject = subjectOf(id, membership.name, location)
  const before = { role: membership.role }
  if (role === null) {
    await writer.deleteFrom('component_memberships').where('id', '=', id).execute()
    await writeAudit(writer, actor, { action: 'destroy', subject, before })
    return
  }
  await requireAboveProjectRole(writer, { userId: membership.user_id, projectId, role })
  const updated_at = new Date().toISOString()
  await writer.updateTable('component_memberships').set({ role, updated_at }).where('id', '=', id).execute()
  await writeAudit(writer, actor, { action: 'update', subject, before, after: { role } })
}

interface ProjectMembership {
  readonly userId: number
  readonly projectId: number
  readonly role: Role
}

/** Refuses a membership that gives no more than the role in the project, because it would only mislead. */
async function requireAboveProjectRole(writer: Writer, { userId, projectId, role }: ProjectMembership): Promise<void> {
  const projectMembership = await writer
    .selectFrom('memberships')
    .select('role')
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (projectMembership === undefined || !hasRole(projectMembership.role, role)) return
  throw refuse('role', `Role must be higher than the one in the project (${projectMembership.role})`)
}

/**
 * Removes somebody's component memberships that give no more than this role in the project (docs/contract.md, Roles).
 * The project must be locked.
 */
export async function dropWeakerMemberships(
  writer: Writer,
  { userId, projectId, role }: ProjectMembership,
  actor: Actor,
): Promise<void> {
  const weaker = await writer
    .selectFrom('component_memberships')
    .innerJoin('components', 'components.id', 'component_memberships.component_id')
    .innerJoin('users', 'users.id', 'component_memberships.user_id')
    .select(['component_memberships.id', 'component_memberships.component_id'])
    .select(['component_memberships.role', 'users.name'])
    .where('component_memberships.user_id', '=', userId)
    .where('components.project_id', '=', projectId)
    .where(
      'component_memberships.role',
      'in',
      ROLES.filter((candidate) => hasRole(role, candidate)),
    )
    .orderBy('component_memberships.id')
    .execute()
  if (weaker.length === 0) return
  const ids = weaker.map(({ id }) => id)
  await writer.deleteFrom('component_memberships').where('id', 'in', ids).execute()
  for (const membership of weaker) {
    const subject = subjectOf(membership.id, membership.name, { projectId, componentId: membership.component_id })
    await writeAudit(writer, actor, { action: 'destroy', subject, before: { role: membership.role } })
  }
}

function refuse(field: string, message: string): Error {
  return refuseValues('Could not change membership.', [{ field, message }])
}

function subjectOf(id: number, name: string, location: ComponentLocation): AuditSubject {
  return { type: 'Membership', id, name, ...location }
}
