import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { projectRole } from '../../parts/project-access.ts'
import { componentRole } from '../access/component-access.ts'
import { commentGroup, findGroups } from './records/groups.ts'
import {
  componentQuery,
  conditionsOf,
  filterQuery,
  idFilter,
  inComponent,
  inProject,
  pageQuery,
} from './records/listing.ts'

const TAG = 'Comments'

const { rule_id, commentable_type } = componentQuery
const aboutWhat = { rule_id, commentable_type }

const answer = z.object({
  rows: z.array(commentGroup),
  pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
})

/** Counts comments by rule, because people triage them rule by rule. */
export function commentGroupEndpoints({ database }: Parts): readonly Endpoint[] {
  return [ofComponent(database), ofProject(database)]
}

function ofComponent(database: Database): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/comments/by_rule',
    operation: 'countComponentComments',
    tag: TAG,
    summary: 'The rules of a component that have comments, with the number of comments by status',
    access: componentRole(database, 'read'),
    input: z.object({
      params: idParams,
      query: z.object({ ...filterQuery, ...aboutWhat, ...pageQuery }),
    }),
    answer,
    handle: async ({ grant, input: { query } }) => {
      const { page, per_page, triage_status: status } = query
      const conditions = [inComponent(grant.componentId), ...conditionsOf(query)]
      const { rows, total } = await findGroups(database.read, { conditions, status, page, perPage: per_page })
      return { rows: [...rows], pagination: { page, per_page, total } }
    },
  })
}

function ofProject(database: Database): Endpoint {
  return endpoint({
    method: 'get',
    path: '/projects/{id}/comments/by_rule',
    operation: 'countProjectComments',
    tag: TAG,
    summary: 'The rules of a project that have comments, with the number of comments by status',
    access: projectRole(database, 'viewer'),
    input: z.object({
      params: idParams,
      query: z.object({ ...filterQuery, component_id: idFilter, ...pageQuery }),
    }),
    answer,
    handle: async ({ grant: { projectId }, input: { query } }) => {
      const { page, per_page, triage_status: status, component_id } = query
      const conditions = [
        inProject(projectId),
        ...(component_id === null ? [] : [inComponent(component_id)]),
        ...conditionsOf(query),
      ]
      const { rows, total } = await findGroups(database.read, { conditions, status, page, perPage: per_page })
      return { rows: [...rows], pagination: { page, per_page, total } }
    },
  })
}
