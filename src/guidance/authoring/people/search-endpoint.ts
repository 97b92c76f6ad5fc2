import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { type Access, callerAccess } from '../../../http/access.ts'
import { actorOf, type Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { clampedInteger, describeForgiving, id, notFound, searchText } from '../../../http/input.ts'
import { Refusal } from '../../../platform/errors.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import type { Database } from '../../database/database.ts'
import { contains } from '../../database/like.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import { subjectOf } from '../../identity/users/record.ts'
import { userRef } from '../../identity/users/schemas.ts'
import type { Parts } from '../../parts/parts.ts'
import { isKnownTo, mayAddOnlyKnown, noteFound } from '../memberships/known-people.ts'
import { type MembershipTarget, requireTargetRole, type TargetGrant } from '../memberships/targets.ts'

const HOUR_MS = 3_600_000

/** The number of counts to keep, by caller and purpose. A dropped count starts again at one. */
const MAX_TALLIES = 10_000

const MIN_LENGTH = 2

const limit = clampedInteger({ min: 1, max: 25, default: 10, invalid: 1 })

const searchQuery = z.object({
  q: searchText.optional(),
  membership_type: z.enum(['Project', 'Component']),
  membership_id: id,
  scope: z
    .string()
    .optional()
    .meta({ enum: ['members'], ...describeForgiving('Other values are ignored') }),
  limit,
})

/** `GET /api/users/search` (docs/contract.md, People search). */
export function userSearchEndpoint(parts: Parts): Endpoint {
  const { database, settings, limits } = parts
  const tally = new SearchTally()
  return endpoint({
    method: 'get',
    path: '/api/users/search',
    operation: 'searchUsers',
    tag: 'Memberships',
    summary: 'People to add to a project or a component, or its members',
    refusals: ['not_found', 'parameter_missing'],
    access: searchAccess(database),
    limited: 'byCaller',
    input: z.object({ query: searchQuery }),
    answer: z.object({ users: z.array(userRef) }),
    handle: async ({ grant: { caller, target, members }, input: { query } }) => {
      const text = query.q?.trim() ?? ''
      if (Array.from(text).length < MIN_LENGTH) return { users: [] }
      await limits.userSearches.count(String(caller.id))
      const finder = !members && mayAddOnlyKnown(settings, caller) ? caller.id : null
      const users = await findUsers(database.read, { text, target, members, finder, limit: query.limit })
      const knownUser = finder === null ? undefined : users.find(({ email }) => text.toLowerCase() === email)
      const times = members ? null : tally.count(`${caller.id} ${keyOf(target)}`)
      if (knownUser !== undefined || times !== null)
        await database.transact(async (writer) => {
          if (knownUser !== undefined) await noteFound(writer, caller.id, knownUser.id)
          if (times !== null) await noteSearch(writer, caller, { target, times })
        })
      return { users }
    },
  })
}

function keyOf({ projectId, componentId }: MembershipTarget): string {
  return componentId === null ? `project ${projectId}` : `component ${componentId}`
}

function noteSearch(
  writer: Writer,
  caller: Caller,
  { target, times }: { readonly target: MembershipTarget; readonly times: number },
): Promise<void> {
  const frequency = times === 1 ? '' : `, for the ${times}th time within an hour`
  return writeAudit(writer, actorOf(caller), {
    action: 'custom',
    subject: subjectOf(caller),
    comment: `Searched for people to add to ${keyOf(target)}${frequency}`,
  })
}

interface SearchGrant extends TargetGrant {
  readonly members: boolean
}

/** Members may search among members. Only administrators may search for people to add. */
function searchAccess(database: Database): Access<SearchGrant> {
  return callerAccess('project or component admin; any member with scope=members', async (caller, request) => {
    const { membership_type, membership_id, scope } = request.query
    requireParameter('membership_type', membership_type)
    if (membership_type !== 'Project' && membership_type !== 'Component') throw notFound()
    requireParameter('membership_id', membership_id)
    const parsed = id.safeParse(membership_id)
    if (!parsed.success) throw notFound()
    const members = scope === 'members'
    const least = members ? 'viewer' : 'admin'
    const required = { type: membership_type, id: parsed.data, least } as const
    return { ...(await requireTargetRole(database.read, caller, required)), members }
  })
}

function requireParameter(parameter: string, value: unknown): void {
  if (value === undefined || value === '')
    throw new Refusal('parameter_missing', `${parameter} is missing.`, { parameter })
}

interface PeopleSearch {
  readonly text: string
  readonly target: MembershipTarget
  readonly members: boolean
  /** If set, the search finds only people whom this person knows or whose complete address is given. */
  readonly finder: number | null
  readonly limit: number
}

async function findUsers(
  reader: Reader,
  { text, target, members, finder, limit }: PeopleSearch,
): Promise<z.infer<typeof userRef>[]> {
  let users = reader
    .selectFrom('users')
    .select(['users.id', 'users.name', 'users.email'])
    .where((is) => contains(is.ref('users.search_key'), text))
    .where((is) => (members ? isMember(is, target) : is.not(isTaken(is, target))))
  if (finder !== null)
    users = users.where((is) => is.or([isKnownTo(is, finder), is('users.email', '=', text.toLowerCase())]))
  return users.orderBy('users.search_key').orderBy('users.id').limit(limit).execute()
}

type UserExpressionBuilder = ExpressionBuilder<Schema, 'users'>

/** Whether somebody is a member of the project, which includes its components, or of the component. */
function isMember(is: UserExpressionBuilder, { projectId, componentId }: MembershipTarget): Expression<SqlBool> {
  const ofProject = is.exists(
    is
      .selectFrom('memberships')
      .select('memberships.id')
      .whereRef('memberships.user_id', '=', 'users.id')
      .where('memberships.project_id', '=', projectId),
  )
  return componentId === null ? ofProject : is.or([ofProject, isDirectMember(is, componentId)])
}

/** Whether somebody is a member, or already has every right in the component through their role in the project. */
function isTaken(is: UserExpressionBuilder, target: MembershipTarget): Expression<SqlBool> {
  const { projectId, componentId } = target
  if (componentId === null) return isMember(is, target)
  const admin = is.exists(
    is
      .selectFrom('memberships')
      .select('memberships.id')
      .whereRef('memberships.user_id', '=', 'users.id')
      .where('memberships.project_id', '=', projectId)
      .where('memberships.role', '=', 'admin'),
  )
  return is.or([admin, isDirectMember(is, componentId)])
}

function isDirectMember(is: UserExpressionBuilder, componentId: number): Expression<SqlBool> {
  return is.exists(
    is
      .selectFrom('component_memberships')
      .select('component_memberships.id')
      .whereRef('component_memberships.user_id', '=', 'users.id')
      .where('component_memberships.component_id', '=', componentId),
  )
}

/**
 * Counts searches, so that the audit trail shows heavy use without growing with it: it records the first search of an
 * hour, the tenth, the hundredth and so on. Each process counts for itself.
 */
export class SearchTally {
  readonly #counts = new LRUCache<string, { readonly count: number }>({
    max: MAX_TALLIES,
    ttl: HOUR_MS,
    noUpdateTTL: true,
  })

  /** Returns the number to write to the audit trail, or null. */
  count(key: string): number | null {
    const count = (this.#counts.get(key)?.count ?? 0) + 1
    this.#counts.set(key, { count })
    return /^10*$/.test(String(count)) ? count : null
  }
}
