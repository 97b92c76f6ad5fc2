import { type Access, callerAccess, type CallerGrant } from '../../../http/access.ts'
import type { Caller } from '../../../http/caller.ts'
import { notFound, pathId } from '../../../http/input.ts'
import type { Database } from '../../database/database.ts'
import type { Role } from '../../database/schema/memberships.ts'
import type { Reader } from '../../database/transaction.ts'
import { requireProjectRole } from '../../parts/project-access.ts'
import { requireComponentRole } from '../access/component-access.ts'

/** Ids of component memberships begin here; those of project memberships stay below. */
const FIRST_COMPONENT_MEMBERSHIP = 1_000_000_001

/** The project or component of a membership. */
export interface MembershipTarget {
  readonly projectId: number
  /** Null means the project itself. */
  readonly componentId: number | null
}

export interface TargetGrant extends CallerGrant {
  readonly target: MembershipTarget
}

interface RequiredRole {
  readonly type: 'Project' | 'Component'
  readonly id: number
  readonly least: Role
}

/** The caller's grant in the target, with at least this role; refuses like `componentRole`. */
export async function requireTargetRole(
  reader: Reader,
  caller: Caller,
  { type, id: targetId, least }: RequiredRole,
): Promise<TargetGrant> {
  if (type === 'Project') {
    const { projectId } = await requireProjectRole(reader, caller, { projectId: targetId, least })
    return { caller, target: { projectId, componentId: null } }
  }
  const grant = await requireComponentRole(reader, caller, { componentId: targetId, least })
  return { caller, target: { projectId: grant.projectId, componentId: grant.componentId } }
}

/** Admits administrators of the target of the membership whose id is in the path. */
export function membershipAdmin(database: Database): Access<TargetGrant> {
  return callerAccess('project or component admin', async (caller, request) => {
    const named = await findTarget(database.read, pathId(request))
    return requireTargetRole(database.read, caller, { ...named, least: 'admin' })
  })
}

async function findTarget(reader: Reader, membershipId: number): Promise<Pick<RequiredRole, 'type' | 'id'>> {
  if (membershipId < FIRST_COMPONENT_MEMBERSHIP) {
    const membership = await reader
      .selectFrom('memberships')
      .select('project_id')
      .where('id', '=', membershipId)
      .executeTakeFirstOrThrow(() => notFound())
    return { type: 'Project', id: membership.project_id }
  }
  const membership = await reader
    .selectFrom('component_memberships')
    .select('component_id')
    .where('id', '=', membershipId)
    .executeTakeFirstOrThrow(() => notFound())
  return { type: 'Component', id: membership.component_id }
}
