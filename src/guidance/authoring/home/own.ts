import type { Reader } from '../../database/transaction.ts'
import type { Home } from './schemas.ts'

const RECENT_MS = 14 * 86_400_000
/** Limit of the list: only the newest entries are news. */
const MAX_ENTRIES = 20

/** Projects of which somebody is a member. */
export async function countProjects(reader: Reader, userId: number): Promise<number> {
  const { count } = await reader
    .selectFrom('memberships')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Projects that somebody asked to be let into, and waits. */
export async function findOwnRequests(reader: Reader, userId: number): Promise<Home['own_access_requests']> {
  const rows = await reader
    .selectFrom('project_access_requests as request')
    .innerJoin('projects', 'projects.id', 'request.project_id')
    .select(['request.id', 'projects.id as project_id', 'projects.name'])
    .where('request.user_id', '=', userId)
    .orderBy('request.id')
    .execute()
  return rows.map(({ id, project_id, name }) => ({ id, project: { id: project_id, name } }))
}

/** Projects that somebody became a member of lately, the newest first. */
export async function findRecentMemberships(reader: Reader, userId: number): Promise<Home['recent_memberships']> {
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
