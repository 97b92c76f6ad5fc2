import { type Access, callerAccess, type CallerGrant } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { notFound, pathId } from '../../http/input.ts'
import { permissionDenied, type Admin } from '../../http/refusals.ts'
import type { Database } from '../database/database.ts'
import type { Role } from '../database/schema/memberships.ts'
import type { Visibility } from '../database/schema/projects.ts'
import type { Reader } from '../database/transaction.ts'
import { projectsKnownTo } from './readable.ts'

/** In ascending order: each role includes those before it. */
export const ROLES = ['viewer', 'author', 'reviewer', 'admin'] as const satisfies readonly Role[]

export interface ProjectGrant extends CallerGrant {
  readonly projectId: number
  /** The caller's effective permission. */
  readonly role: Role
}

/** Requires at least this role in the project whose id is in the path. */
export function projectRole(database: Database, least: Role): Access<ProjectGrant> {
  return callerAccess(`project ${least}`, (caller, request) =>
    requireProjectRole(database.read, caller, { projectId: pathId(request), least }),
  )
}

/**
 * The caller's grant in a project. Callers who must not know of the project get the same 404 as for one that does not
 * exist; others without the role get 403 (docs/contract.md, Concealment). Members of one of its components may know of
 * it.
 */
export async function requireProjectRole(
  reader: Reader,
  caller: Caller,
  { projectId, least }: { readonly projectId: number; readonly least: Role },
): Promise<ProjectGrant> {
  const { role } = await requireKnownProject(reader, caller, projectId)
  if (role === null || !hasRole(role, least)) throw await denialError(reader, projectId, least)
  return { caller, projectId, role }
}

export interface KnownProjectGrant extends CallerGrant {
  readonly projectId: number
}

/** Requires a project that the caller may discover or is a member of: those may ask for access. */
export function discoverableProject(database: Database): Access<KnownProjectGrant> {
  return callerAccess('callers who may discover the project', async (caller, request) => {
    const projectId = pathId(request)
    const { role, visibility } = await requireKnownProject(database.read, caller, projectId)
    if (role === null && visibility === 'hidden') throw await denialError(database.read, projectId, 'viewer')
    return { caller, projectId }
  })
}

interface KnownProject {
  readonly visibility: Visibility
  readonly role: Role | null
}

/** 404 unless the caller may know of the project: by its visibility, by a role in it or in one of its components. */
async function requireKnownProject(reader: Reader, caller: Caller, projectId: number): Promise<KnownProject> {
  const project = await reader
    .selectFrom('projects')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.project_id', '=', 'projects.id').on('memberships.user_id', '=', caller.id),
    )
    .select(['projects.visibility', 'memberships.role'])
    .select((is) => is('projects.id', 'in', projectsKnownTo(caller)).as('is_known'))
    .where('projects.id', '=', projectId)
    .executeTakeFirstOrThrow(() => notFound())
  const role = caller.admin ? 'admin' : project.role
  // The databases return booleans as different types.
  const mayKnow = role !== null || project.visibility === 'discoverable' || Boolean(project.is_known)
  if (!mayKnow) throw notFound()
  return { visibility: project.visibility, role }
}

async function denialError(reader: Reader, projectId: number, least: Role): Promise<Error> {
  return permissionDenied(
    `You are not authorized to perform ${nameOfRole(least)} actions on this project.`,
    await findProjectAdmins(reader, projectId),
  )
}

export function hasRole(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least)
}

export async function findProjectAdmins(reader: Reader, projectId: number): Promise<readonly Admin[]> {
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
