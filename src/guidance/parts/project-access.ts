import { callerOf, type Access, type CallerGrant } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { id, notFound } from '../../http/input.ts'
import { permissionDenied, type Admin } from '../../http/refusals.ts'
import type { Database } from '../database/database.ts'
import type { Role } from '../database/schema/memberships.ts'
import type { Visibility } from '../database/schema/projects.ts'
import type { Reader } from '../database/transaction.ts'

/** In ascending order: each role includes those before it. */
export const ROLES = ['viewer', 'author', 'reviewer', 'admin'] as const satisfies readonly Role[]

export interface ProjectGrant extends CallerGrant {
  readonly projectId: number
  /** The caller's effective permission. */
  readonly role: Role
}

/** Requires at least this role in the project whose id is in the path. */
export function projectRole(database: Database, least: Role): Access<ProjectGrant> {
  return {
    rule: `project ${least}`,
    authentication: 'any',
    grant: async (request) => {
      const projectId = id.safeParse(request.params['id'])
      if (!projectId.success) throw notFound()
      return requireProjectRole(database.read, callerOf(request), {
        projectId: projectId.data,
        least,
      })
    },
  }
}

interface RequiredRole {
  readonly projectId: number
  readonly least: Role
}

/**
 * The caller's grant in a project. Callers who must not know of the project get the same 404 as for one that does
 * not exist; others without the role get 403 (contract §6). Members of one of its components may know of it.
 */
export async function requireProjectRole(
  reader: Reader,
  caller: Caller,
  { projectId, least }: RequiredRole,
): Promise<ProjectGrant> {
  const found = await reader
    .selectFrom('projects')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.project_id', '=', 'projects.id')
        .on('memberships.user_id', '=', caller.id),
    )
    .select(['projects.visibility', 'memberships.role'])
    .select((is) =>
      is
        .exists(
          is
            .selectFrom('component_memberships')
            .innerJoin('components', 'components.id', 'component_memberships.component_id')
            .select('component_memberships.id')
            .where('components.project_id', '=', projectId)
            .where('component_memberships.user_id', '=', caller.id),
        )
        .as('in_component'),
    )
    .where('projects.id', '=', projectId)
    .executeTakeFirst()
  const role = caller.admin ? 'admin' : (found?.role ?? null)
  if (found === undefined || (role === null && !mayDiscover(found))) throw notFound()
  if (role === null || !hasRole(role, least))
    throw permissionDenied(
      `You are not authorized to perform ${nameOfRole(least)} actions on this project.`,
      await findProjectAdmins(reader, projectId),
    )
  return { caller, projectId, role }
}

/** The databases return booleans as different types. */
function mayDiscover({
  visibility,
  in_component,
}: {
  readonly visibility: Visibility
  readonly in_component: unknown
}): boolean {
  return visibility === 'discoverable' || Boolean(in_component)
}

export function hasRole(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}

export async function findProjectAdmins(
  reader: Reader,
  projectId: number,
): Promise<readonly Admin[]> {
  return reader
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.name', 'users.email'])
    .where('memberships.project_id', '=', projectId)
    .where('memberships.role', '=', 'admin')
    .orderBy('memberships.id')
    .execute()
}

export function nameOfRole(role: Role): string {
  return role === 'admin' ? 'administrator' : role
}
