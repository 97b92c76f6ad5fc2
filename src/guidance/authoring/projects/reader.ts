import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { append } from '../../../platform/append.ts'
import { contains } from '../../database/like.ts'
import { manyRows } from '../../database/many-rows.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import { mayListProject } from '../../parts/readable.ts'
import { findMemberships, type Membership } from '../memberships/reader.ts'
import { commentFigures, countComments } from './comment-counts.ts'
import type { ProjectCard, ProjectSummary } from './schemas.ts'

interface ProjectListing {
  readonly q: string
  readonly sort: 'name' | 'created_at' | 'updated_at'
  readonly order: 'asc' | 'desc'
  readonly page: number
  readonly perPage: number
}

/** Finds projects that the caller is a member of or may discover. Site administrators get all projects. */
export async function findProjectPage(
  reader: Reader,
  caller: Caller,
  { q, sort, order, page, perPage }: ProjectListing,
): Promise<{ readonly rows: ProjectSummary[]; readonly total: number }> {
  const matching = reader
    .selectFrom('projects')
    .where(mayListProject(caller))
    .where((is) => matches(is, q))
  const { total } = await matching.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  // Counts and look-ups run only for the rows of the page.
  const column = sort === 'name' ? 'projects.name_key' : (`projects.${sort}` as const)
  const onPage = matching
    .select('projects.id')
    .orderBy(column, order)
    .orderBy('projects.id', order)
    .limit(perPage)
    .offset((page - 1) * perPage)
  const rows = await reader
    .selectFrom('projects')
    .innerJoin(onPage.as('page'), 'page.id', 'projects.id')
    .select(SUMMARY)
    .select(extras)
    .orderBy(column, order)
    .orderBy('projects.id', order)
    .execute()
  return { rows, total }
}

/** Shapes all of these projects, with members, comments and the caller's relation to each. */
export async function findProjectCards(reader: Reader, caller: Caller): Promise<ProjectCard[]> {
  const rows = await reader
    .selectFrom('projects')
    .select(SUMMARY)
    .select(extras)
    .where(mayListProject(caller))
    .orderBy('name_key')
    .orderBy('projects.id')
    .withPlugin(manyRows)
    .execute()
  const members = await findMemberships(reader, () => mayListProject(caller))
  const requests = await reader
    .selectFrom('project_access_requests')
    .select(['id', 'project_id'])
    .where('user_id', '=', caller.id)
    .execute()
  const comments = await countComments(reader, caller)
  const requested = new Map(requests.map(({ id, project_id }) => [project_id, id]))
  const byProject = new Map<number, Membership[]>()
  for (const member of members) append(byProject, member.membership_id, member)
  return rows.map((row) => {
    const memberships = byProject.get(row.id) ?? []
    const membership = memberships.find(({ user_id }) => user_id === caller.id)
    const isMember = membership !== undefined || caller.admin
    return {
      ...row,
      ...commentFigures(row.id, comments.get(row.id) ?? [], isMember),
      // Only members see the other members.
      memberships: isMember ? memberships : [],
      admin: membership?.role === 'admin',
      is_member: membership !== undefined,
      access_request_id: requested.get(row.id) ?? null,
    }
  })
}

export interface Project extends ProjectSummary {
  readonly metadata: Readonly<Record<string, string>>
  readonly lock_version: number
}

const metadataColumn = z.record(z.string(), z.string())

export async function requireProject(reader: Reader, id: number): Promise<Project> {
  const project = await reader
    .selectFrom('projects')
    .select(SUMMARY)
    .select(['projects.metadata', 'projects.lock_version'])
    .select(extras)
    .where('projects.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
  return { ...project, metadata: metadataColumn.parse(JSON.parse(project.metadata)) }
}

const SUMMARY = [
  'projects.id',
  'projects.name',
  'projects.description',
  'projects.visibility',
  'projects.created_at',
  'projects.updated_at',
] as const

/** Counts and look-ups that are part of the one query, however long the list is. */
const extras = [
  sql<number>`(select count(*) from memberships where project_id = projects.id)`.as('memberships_count'),
  firstAdmin('name').as('admin_name'),
  firstAdmin('email').as('admin_email'),
]

function firstAdmin(column: 'name' | 'email'): ReturnType<typeof sql<string | null>> {
  return sql<string | null>`(
    select ${sql.ref(`users.${column}`)} from memberships join users on users.id = memberships.user_id
    where project_id = projects.id and role = 'admin' order by memberships.id limit 1)`
}

function matches(is: ExpressionBuilder<Schema, 'projects'>, q: string): Expression<SqlBool> {
  if (q === '') return sql<SqlBool>`1 = 1`
  return is.or([contains(is.ref('projects.name_key'), q), contains(is.ref('projects.description_key'), q)])
}
