import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { z } from 'zod'
import { Refusal } from '../../platform/errors.ts'
import { callerOf, type Access } from '../access.ts'
import type { Database, Reader } from '../database/database.ts'
import type { Schema } from '../database/schema/schema.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { clampedInteger, id, notFound, searchText } from '../input.ts'
import { contains } from '../like.ts'
import { requireTargetRole, type Target, type TargetGrant } from '../memberships/targets.ts'
import type { Parts } from '../parts.ts'
import { userRef } from './schemas.ts'

const MIN_LENGTH = 2

const limit = clampedInteger({ min: 1, max: 25, absent: 10, odd: 1 })

/** `GET /api/users/search` (specification, endpoint rule 6; contract §5). */
export function userSearchEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/users/search',
    operation: 'searchUsers',
    tag: 'Memberships',
    summary: 'People to add to a project or a component, or its members',
    access: searchAccess(database),
    input: z.object({
      query: z.object({
        q: searchText.optional(),
        membership_type: z.string().optional().meta({ description: 'Project or Component' }),
        membership_id: z.string().optional(),
        scope: z.string().optional().meta({ description: '"members", or nothing' }),
        limit,
      }),
    }),
    answer: z.object({ users: z.array(userRef) }),
    handle: async ({ grant: { target, members }, input: { query } }) => {
      const text = query.q?.trim() ?? ''
      if (Array.from(text).length < MIN_LENGTH) return { users: [] }
      const search = { text, target, members, limit: query.limit }
      return { users: await findUsers(database.read, search) }
    },
  })
}

interface SearchGrant extends TargetGrant {
  readonly members: boolean
}

/** Members may look among members; who is to be added is for administrators. */
function searchAccess(database: Database): Access<SearchGrant> {
  return {
    rule: 'project or component admin; any member with scope=members',
    authentication: 'any',
    grant: async (request) => {
      const caller = callerOf(request)
      const { membership_type, membership_id, scope } = request.query
      if (membership_type !== 'Project' && membership_type !== 'Component') throw notFound()
      if (membership_id === undefined || membership_id === '')
        throw new Refusal('parameter_missing', 'membership_id is missing.', {
          parameter: 'membership_id',
        })
      const named = id.safeParse(membership_id)
      if (!named.success) throw notFound()
      const members = scope === 'members'
      const least = members ? 'viewer' : 'admin'
      const needed = { type: membership_type, id: named.data, least } as const
      return { ...(await requireTargetRole(database.read, caller, needed)), members }
    },
  }
}

interface Search {
  readonly text: string
  readonly target: Target
  readonly members: boolean
  readonly limit: number
}

type Found = z.infer<typeof userRef>

async function findUsers(
  reader: Reader,
  { text, target, members, limit: most }: Search,
): Promise<Found[]> {
  return reader
    .selectFrom('users')
    .select(['users.id', 'users.name', 'users.email'])
    .where((is) => contains(is.ref('users.search_key'), text))
    .where((is) => (members ? isMember(is, target) : is.not(isTaken(is, target))))
    .orderBy('users.search_key')
    .orderBy('users.id')
    .limit(most)
    .execute()
}

type OnUsers = ExpressionBuilder<Schema, 'users'>

/** Of the project, which its components inherit, or of the component alone. */
function isMember(is: OnUsers, { projectId, componentId }: Target): Expression<SqlBool> {
  const ofProject = is.exists(
    is
      .selectFrom('memberships')
      .select('memberships.id')
      .whereRef('memberships.user_id', '=', 'users.id')
      .where('memberships.project_id', '=', projectId),
  )
  return componentId === null ? ofProject : is.or([ofProject, isDirectMember(is, componentId)])
}

/** Nobody to add: a member, or for a component somebody who can do everything in it already. */
function isTaken(is: OnUsers, target: Target): Expression<SqlBool> {
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

function isDirectMember(is: OnUsers, componentId: number): Expression<SqlBool> {
  return is.exists(
    is
      .selectFrom('component_memberships')
      .select('component_memberships.id')
      .whereRef('component_memberships.user_id', '=', 'users.id')
      .where('component_memberships.component_id', '=', componentId),
  )
}
