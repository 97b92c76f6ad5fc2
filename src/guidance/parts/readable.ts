import { expressionBuilder, sql, type Expression, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { Caller } from '../../http/caller.ts'
import type { Schema } from '../database/schema/schema.ts'
import type { Reader } from '../database/transaction.ts'
import { LAST_STAGING_ID } from './staging.ts'

/**
 * Decides who may read which component and know of which project (docs/contract.md, Concealment). Every list, search,
 * event and look-up takes its condition from this file. The conditions differ in three ways, each with a name:
 *
 * - `mayReadComponent`, `mayReadEvent`: members of the project or the component, and everybody once it is released.
 * - `isMemberOfComponent`: members of the project or the component, also once it is released.
 * - `mayReadUsage`: members of the project, and everybody once it is released; direct members do not count.
 *
 * `mayListProject` leaves hidden projects to their members. Members of a single component learn of the project where
 * it is named to them, and get 403 instead of 404 there (`project-access.ts`).
 */
const on = expressionBuilder<Schema>()

type ReadingCaller = Pick<Caller, 'id' | 'admin'>

/** The columns of a query that name the project and the component of a row. */
interface Columns {
  readonly project: 'components.project_id' | 'events.project_id'
  readonly component: 'components.id' | 'events.component_id'
}

const OF_COMPONENTS: Columns = { project: 'components.project_id', component: 'components.id' }
const OF_EVENTS: Columns = { project: 'events.project_id', component: 'events.component_id' }

/** For queries of `components`. A site administrator reads all but those of unfinished imports. */
export function mayReadComponent(caller: ReadingCaller): Expression<SqlBool> {
  if (caller.admin) return isPublished()
  return on.or([isReleased(), isMember(caller, OF_COMPONENTS)])
}

/** For queries of `events`. */
export function mayReadEvent(caller: ReadingCaller): Expression<SqlBool> {
  if (caller.admin) return allRows()
  const released = on.selectFrom('components').select('components.id').where('released', '=', 1)
  return on.or([isMember(caller, OF_EVENTS), on(sql.ref<number>(OF_EVENTS.component), 'in', released)])
}

/** For queries of `components`: whether the caller may see its people and proposals. */
export function isMemberOfComponent(caller: ReadingCaller): Expression<SqlBool> {
  return caller.admin ? allRows() : isMember(caller, OF_COMPONENTS)
}

/** For queries of `components`: whether a use of an SRG is counted for the caller. */
export function mayReadUsage(caller: ReadingCaller): Expression<SqlBool> {
  if (caller.admin) return isPublished()
  const project = sql.ref<number>(OF_COMPONENTS.project)
  return on.or([isReleased(), on(project, 'in', memberProjects(caller))])
}

/** For queries of `projects`: discoverable ones, and those where the caller is a member. */
export function mayListProject(caller: ReadingCaller): Expression<SqlBool> {
  const id = sql.ref<number>('projects.id')
  if (caller.admin) return on(id, '>', LAST_STAGING_ID)
  const isDiscoverable = on(sql.ref<string>('projects.visibility'), '=', 'discoverable')
  return on.or([isDiscoverable, on(id, 'in', memberProjects(caller))])
}

/** Ids of the projects where the caller is a member of the project or of a component. */
export function projectsKnownTo(caller: Pick<Caller, 'id'>): SelectQueryBuilder<Schema, never, { project_id: number }> {
  const ofComponents = on
    .selectFrom('component_memberships as own')
    .innerJoin('components as theirs', 'theirs.id', 'own.component_id')
    .select('theirs.project_id')
    .where('own.user_id', '=', caller.id)
  return memberProjects(caller).union(ofComponents)
}

/** An event in a project, and perhaps in one of its components. */
interface Subject {
  readonly project_id: number
  readonly component_id: number | null
}

/**
 * The condition of `mayReadEvent` for several callers at once, by the current memberships and releases, with three queries
 * for any number of callers.
 */
export async function findReadRights(
  reader: Reader,
  callers: readonly ReadingCaller[],
  subjects: readonly Subject[],
): Promise<(caller: ReadingCaller, subject: Subject) => boolean> {
  const users = [...new Set(callers.flatMap(({ id, admin }) => (admin ? [] : [id])))]
  if (users.length === 0 || subjects.length === 0) return ({ admin }) => admin
  const projects = [...new Set(subjects.map(({ project_id }) => project_id))]
  const components = [...new Set(subjects.flatMap(({ component_id }) => component_id ?? []))]
  const ofProjects = await reader
    .selectFrom('memberships')
    .select(['user_id', 'project_id'])
    .where('user_id', 'in', users)
    .where('project_id', 'in', projects)
    .execute()
  const ofComponents = await reader
    .selectFrom('component_memberships')
    .select(['user_id', 'component_id'])
    .where('user_id', 'in', users)
    .where('component_id', 'in', components)
    .execute()
  const released = await reader
    .selectFrom('components')
    .select('id')
    .where('released', '=', 1)
    .where('id', 'in', components)
    .execute()
  const memberships = new Set([
    ...ofProjects.map(({ user_id, project_id }) => `${user_id} project ${project_id}`),
    ...ofComponents.map(({ user_id, component_id }) => `${user_id} component ${component_id}`),
  ])
  const releasedIds = new Set(released.map(({ id }) => id))
  return ({ id, admin }, { project_id, component_id }) =>
    admin ||
    memberships.has(`${id} project ${project_id}`) ||
    (component_id !== null && (releasedIds.has(component_id) || memberships.has(`${id} component ${component_id}`)))
}

function isMember(caller: ReadingCaller, { project, component }: Columns): Expression<SqlBool> {
  return on.or([
    on(sql.ref<number>(project), 'in', memberProjects(caller)),
    on(sql.ref<number>(component), 'in', memberComponents(caller)),
  ])
}

function memberProjects({ id }: Pick<Caller, 'id'>) {
  return on.selectFrom('memberships').select('memberships.project_id').where('memberships.user_id', '=', id)
}

function memberComponents({ id }: Pick<Caller, 'id'>) {
  return on
    .selectFrom('component_memberships')
    .select('component_memberships.component_id')
    .where('component_memberships.user_id', '=', id)
}

function isReleased(): Expression<SqlBool> {
  return on(sql.ref<number>('components.released'), '=', 1)
}

/** Components of imports that are not finished are left out. */
function isPublished(): Expression<SqlBool> {
  return on(sql.ref<number>(OF_COMPONENTS.project), '>', LAST_STAGING_ID)
}

function allRows(): Expression<SqlBool> {
  return sql<SqlBool>`1 = 1`
}
