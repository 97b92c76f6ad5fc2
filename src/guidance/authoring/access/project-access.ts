import type { Caller } from '../../../http/caller.ts'
import type { RawRequest } from '../../../http/endpoint.ts'
import { id, notFound } from '../../../http/input.ts'
import { notAuthenticated, permissionDenied, type Admin } from '../../../http/refusals.ts'
import type { Database, Reader } from '../../database/database.ts'
import type { Role } from '../../database/schema/memberships.ts'
import type { Visibility } from '../../database/schema/projects.ts'

/**
 * Who may call an operation. `docs/authorisation.md` lists the rule of each; a test calls each as
 * everybody and compares.
 */
export interface Access<Grant> {
  /** As it stands in the table. */
  readonly rule: string
  /**
   * `none`: whoever it is; `any`: a session or a token; `session`: a session; `optional`: a session, a
   * token, or nobody.
   */
  readonly authentication: 'none' | 'any' | 'session' | 'optional'
  /** What the caller may work with, or a refusal. */
  grant(request: RawRequest): Promise<Grant>
}

/** Ordered: each may do what those before it may. */
export const ROLES = ['viewer', 'author', 'reviewer', 'admin'] as const satisfies readonly Role[]

export interface CallerGrant {
  readonly caller: Caller
}

export interface ProjectGrant extends CallerGrant {
  readonly projectId: number
  /** The caller's effective permission. */
  readonly role: Role
}

export const everyone: Access<null> = {
  rule: 'everyone',
  authentication: 'none',
  grant: () => Promise.resolve(null),
}

/** Everybody, and whoever is known gets what they may read beside what is open. */
export const anyone: Access<Caller | null> = {
  rule: 'everyone; of what is authored, what they may read',
  authentication: 'optional',
  grant: ({ caller }) => Promise.resolve(caller),
}

export const signedIn: Access<CallerGrant> = {
  rule: 'signed in',
  authentication: 'any',
  grant: (request) => Promise.resolve({ caller: callerOf(request) }),
}

export const bySession: Access<CallerGrant> = {
  rule: 'signed in, by session',
  authentication: 'session',
  grant: (request) => Promise.resolve({ caller: callerOf(request) }),
}

export const siteAdmin: Access<CallerGrant> = {
  rule: 'site admin',
  authentication: 'any',
  grant: (request) => Promise.resolve(siteAdminGrant(request)),
}

export const siteAdminBySession: Access<CallerGrant> = {
  rule: 'site admin, by session',
  authentication: 'session',
  grant: (request) => Promise.resolve(siteAdminGrant(request)),
}

/** At least this role in the project whose id is in the path. */
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

interface Needed {
  readonly projectId: number
  readonly least: Role
}

/**
 * The caller's grant in a project. Someone who cannot know of the project gets the same 404 as for
 * one that does not exist; someone who can, but lacks the role, 403 (contract §6). Members of one of
 * its components know of it.
 */
export async function requireProjectRole(
  reader: Reader,
  caller: Caller,
  { projectId, least }: Needed,
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

/** Databases tell what is true in several ways. */
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

function siteAdminGrant(request: RawRequest): CallerGrant {
  const caller = callerOf(request)
  if (!caller.admin) throw permissionDenied('Only a site administrator may do this.')
  return { caller }
}

export function callerOf({ caller }: RawRequest): Caller {
  if (caller === null) throw notAuthenticated()
  return caller
}

export function nameOfRole(role: Role): string {
  return role === 'admin' ? 'administrator' : role
}
