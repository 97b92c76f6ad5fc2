import { type Access, callerAccess, type CallerGrant } from '../../../http/access.ts'
import type { Caller } from '../../../http/caller.ts'
import { notFound, pathId } from '../../../http/input.ts'
import { permissionDenied } from '../../../http/refusals.ts'
import type { Database } from '../../database/database.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Role } from '../../database/schema/memberships.ts'
import type { Reader } from '../../database/transaction.ts'
import { findProjectAdmins, hasRole, nameOfRole, ROLES } from '../../parts/project-access.ts'
import { LAST_STAGING_ID } from '../../parts/staging.ts'

export interface ComponentGrant extends CallerGrant {
  readonly componentId: number
  readonly projectId: number
  /** The higher of the roles in the project and the component; null may only read a released component. */
  readonly role: Role | null
  readonly released: boolean
  readonly documentType: BenchmarkKind
}

export interface RuleGrant extends ComponentGrant {
  readonly ruleId: number
}

/** `read` admits everybody to a released component, and viewers to others. */
export type AccessLevel = Role | 'read'

interface AccessOptions {
  /** Whether to refuse once the component is released, except to site administrators (docs/contract.md, Roles). */
  readonly unreleased?: boolean
  /** The name of the path parameter with the component's id. */
  readonly param?: string
}

/** Requires at least this role in the component whose id is in the path. */
export function componentRole(
  database: Database,
  least: AccessLevel,
  { unreleased = false, param = 'id' }: AccessOptions = {},
): Access<ComponentGrant> {
  return callerAccess(ruleFor(least, unreleased), (caller, request) =>
    requireComponentRole(database.read, caller, { componentId: pathId(request, param), least, unreleased }),
  )
}

/** Requires at least this role in the component of the rule whose id is in the path. */
export function ruleRole(
  database: Database,
  least: AccessLevel,
  { unreleased = false, param = 'id' }: AccessOptions = {},
): Access<RuleGrant> {
  return callerAccess(ruleFor(least, unreleased), (caller, request) =>
    requireRuleRole(database.read, caller, { ruleId: pathId(request, param), least, unreleased }),
  )
}

interface RequiredAccess {
  readonly least: AccessLevel
  readonly unreleased?: boolean
}

/** Like `componentRole`, for rules whose component is not in the path. Removed rules are 404. */
export async function requireRuleRole(
  reader: Reader,
  caller: Caller,
  { ruleId, ...required }: RequiredAccess & { readonly ruleId: number },
): Promise<RuleGrant> {
  const rule = await reader
    .selectFrom('rules')
    .select('component_id')
    .where('id', '=', ruleId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => notFound())
  const componentId = rule.component_id
  return { ...(await requireComponentRole(reader, caller, { componentId, ...required })), ruleId }
}

/**
 * The caller's grant in a component. Callers who must not know of it get the same 404 as for one that does not exist;
 * others without the role get 403 (docs/contract.md, Concealment, Roles).
 */
export async function requireComponentRole(
  reader: Reader,
  caller: Caller,
  { componentId, least, unreleased = false }: RequiredAccess & { readonly componentId: number },
): Promise<ComponentGrant> {
  const accessRow = await findAccessRow(reader, caller, componentId)
  if (accessRow === undefined) throw notFound()
  const released = accessRow.released === 1
  const role = caller.admin ? 'admin' : higherRole(accessRow.project_role, accessRow.component_role)
  if (role === null && !released && accessRow.visibility === 'hidden') throw notFound()
  const reason = denialReason(role, { least, unreleased: unreleased && !caller.admin }, released)
  if (reason !== null) throw await denialError(reader, { ...accessRow, role }, reason)
  const { project_id: projectId, document_type: documentType } = accessRow
  return { caller, componentId, role, released, projectId, documentType }
}

/** The reason why the role is not enough; null if it is enough. */
function denialReason(role: Role | null, { least, unreleased }: RequiredAccess, released: boolean): string | null {
  if (least === 'read' && released) return null
  const requiredRole = least === 'read' ? 'viewer' : least
  if (role !== null && hasRole(role, requiredRole)) return unreleased === true && released ? RELEASED : null
  return `You are not authorized to perform ${nameOfRole(requiredRole)} actions on this component.`
}

const RELEASED = 'The component is released; only a site administrator may change it.'

/** Names the project administrators, except to strangers, who must learn nothing about a hidden project. */
async function denialError(
  reader: Reader,
  { role, visibility, project_id }: ComponentAccessRow & { readonly role: Role | null },
  detail: string,
): Promise<Error> {
  const isStranger = role === null && visibility === 'hidden'
  return permissionDenied(detail, isStranger ? [] : await findProjectAdmins(reader, project_id))
}

type ComponentAccessRow = NonNullable<Awaited<ReturnType<typeof findAccessRow>>>

function findAccessRow(reader: Reader, caller: Caller, componentId: number) {
  return reader
    .selectFrom('components')
    .innerJoin('projects', 'projects.id', 'components.project_id')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.project_id', '=', 'components.project_id').on('memberships.user_id', '=', caller.id),
    )
    .leftJoin('component_memberships as own', (join) =>
      join.onRef('own.component_id', '=', 'components.id').on('own.user_id', '=', caller.id),
    )
    .select(['components.project_id', 'components.released', 'components.document_type'])
    .select(['projects.visibility', 'memberships.role as project_role'])
    .select('own.role as component_role')
    .where('components.id', '=', componentId)
    .where('components.project_id', '>', LAST_STAGING_ID)
    .executeTakeFirst()
}

/** The rule in words, as in docs/authorisation.md. */
export function ruleFor(least: AccessLevel, unreleased: boolean): string {
  const audience = least === 'read' ? 'component viewer; anybody once it is released' : `component ${least}`
  return unreleased ? `${audience}, until it is released; site admin` : audience
}

export function higherRole(a: Role | null, b: Role | null): Role | null {
  return ROLES.findLast((role) => role === a || role === b) ?? null
}
