import { signedIn } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { NO_INPUT } from '../../../http/input.ts'
import { findComponentHistory } from '../../activity/audits/reader.ts'
import type { Reader } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { findAccessRequests } from '../access-requests/reader.ts'
import { countComments, readableBy } from '../reviews/records/listing.ts'
import { findOwnComponents, findRequestedChanges } from './own-components.ts'
import { findComponents, findPendingWork } from './pending-work.ts'
import { home, type Home } from './schemas.ts'

const MAX_COMPONENTS = 3

const MAX_CHANGES = 8

const RECENT_MS = 14 * 86_400_000

/** The number of entries in each list. Only the newest entries are news. */
const MAX_ENTRIES = 20
const MAX_NEW_GUIDANCE = 5

/** `GET /api/home`: everything on the page that people see first. */
export function homeEndpoint({ database, settings }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/home',
    operation: 'getHome',
    tag: 'Figures',
    summary: 'Tasks of the caller in all their projects',
    access: signedIn,
    input: NO_INPUT,
    answer: home,
    handle: async ({ grant: { caller } }) => {
      const { read } = database
      const ownComponents = { userId: caller.id, components: await findComponents(read, caller.id) }
      const componentRows = await findOwnComponents(read, ownComponents)
      return {
        project_count: await countProjects(read, caller.id),
        comment_count: await countComments(read, readableBy(caller, caller.id)),
        may_create_projects: settings.projectCreation || caller.admin,
        components: await findPendingWork(read, ownComponents),
        own_components: componentRows,
        requested_changes: await findRequestedChanges(read, ownComponents),
        recent: await findRecentChanges(read, componentRows),
        access_requests: await findAccessRequests(read, caller.admin ? null : { adminId: caller.id }),
        own_access_requests: await findOwnRequests(read, caller.id),
        recent_memberships: await findRecentMemberships(read, caller.id),
        new_guidance: await findNewGuidance(read),
      }
    },
  })
}

/** Counts the projects of which somebody is a member. */
async function countProjects(reader: Reader, userId: number): Promise<number> {
  const { count } = await reader
    .selectFrom('memberships')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Finds somebody's pending access requests. */
async function findOwnRequests(reader: Reader, userId: number): Promise<Home['own_access_requests']> {
  const rows = await reader
    .selectFrom('project_access_requests as request')
    .innerJoin('projects', 'projects.id', 'request.project_id')
    .select(['request.id', 'projects.id as project_id', 'projects.name'])
    .where('request.user_id', '=', userId)
    .orderBy('request.id')
    .execute()
  return rows.map(({ id, project_id, name }) => ({ id, project: { id: project_id, name } }))
}

/** The STIGs and SRGs with the newest dates; everybody who is signed in may read them. */
async function findNewGuidance(reader: Reader): Promise<Home['new_guidance']> {
  const rows = await reader
    .selectFrom('benchmarks')
    .select(['benchmark_id', 'version', 'title', 'release_date as date'])
    .where('release_date', 'is not', null)
    .orderBy('release_date', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_NEW_GUIDANCE)
    .execute()
  return rows.map(({ date, ...row }) => ({ ...row, date: date ?? '' }))
}

/** The projects that somebody joined lately, newest first. */
async function findRecentMemberships(reader: Reader, userId: number): Promise<Home['recent_memberships']> {
  const rows = await reader
    .selectFrom('memberships')
    .innerJoin('projects', 'projects.id', 'memberships.project_id')
    .select(['projects.id', 'projects.name', 'memberships.role', 'memberships.created_at'])
    .where('memberships.user_id', '=', userId)
    .where('memberships.created_at', '>', new Date(Date.now() - RECENT_MS).toISOString())
    .orderBy('memberships.created_at', 'desc')
    .limit(MAX_ENTRIES)
    .execute()
  return rows.map(({ id, name, ...row }) => ({ ...row, project: { id, name } }))
}

/** The newest changes in the first of these components. */
async function findRecentChanges(reader: Reader, components: Home['own_components']): Promise<Home['recent']> {
  const histories = components.slice(0, MAX_COMPONENTS).map(async ({ id: component_id }) => {
    const changes = await findComponentHistory(reader, component_id, MAX_CHANGES)
    return changes.map((change) => ({ ...change, component_id }))
  })
  const changes = (await Promise.all(histories)).flat()
  return changes.toSorted((a, b) => b.id - a.id).slice(0, MAX_CHANGES)
}
