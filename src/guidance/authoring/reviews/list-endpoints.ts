import { z } from 'zod'
import { signedIn } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, notFound } from '../../../http/input.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { projectRole } from '../../parts/project-access.ts'
import { componentRole } from '../access/component-access.ts'
import { reviewRole } from './actions/access.ts'
import { componentCommentRow, findComponentRows } from './records/component-rows.ts'
import { triageCounts } from './records/counts.ts'
import {
  componentQuery,
  conditionsOf,
  filterQuery,
  findPage,
  idFilter,
  inComponent,
  inProject,
  pageQuery,
  readableBy,
  userQuery,
} from './records/listing.ts'
import { commentRow, findCommentRows, statusCounts } from './records/rows.ts'
import { findUserRows, userCommentRow } from './records/user-rows.ts'

const TAG = 'Comments'

const pagination = z.object({ page: z.int(), per_page: z.int(), total: z.int() })

const componentPagination = pagination.extend({
  total_comments: z.int().meta({ description: 'Number of all top-level comments, without the filters' }),
})

/** Lists of top-level comments, newest first. */
export function commentListEndpoints({ database }: Parts): readonly Endpoint[] {
  return [ofComponent(database), ofProject(database), ofUser(database), showComment(database)]
}

function ofComponent(database: Database): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/comments',
    operation: 'listComponentComments',
    tag: TAG,
    summary: 'A page of the comments on a component and its rules; by default, pending ones',
    access: componentRole(database, 'read'),
    input: z.object({
      params: idParams,
      query: z.object({ ...filterQuery, ...componentQuery, ...pageQuery }),
    }),
    answer: z.object({
      rows: z.array(componentCommentRow),
      pagination: componentPagination,
      status_counts: statusCounts,
    }),
    handle: async ({ grant, input: { query } }) => {
      const { read } = database
      const { componentId } = grant
      const { page, per_page, triage_status: status } = query
      const conditions = [inComponent(componentId), ...conditionsOf(query)]
      const commentPage = await findPage(read, { conditions, status, page, perPage: per_page })
      return {
        rows: await findComponentRows(read, grant, {
          ids: commentPage.ids,
          content: query.include_rule_content === 'true',
        }),
        pagination: {
          page,
          per_page,
          total: commentPage.total,
          total_comments: (await triageCounts(read, { componentId })).total,
        },
        status_counts: { ...commentPage.status_counts },
      }
    },
  })
}

function ofProject(database: Database): Endpoint {
  return endpoint({
    method: 'get',
    path: '/projects/{id}/comments',
    operation: 'listProjectComments',
    tag: TAG,
    summary: 'A page of the comments in a project; by default, pending ones',
    access: projectRole(database, 'viewer'),
    input: z.object({
      params: idParams,
      query: z.object({ ...filterQuery, component_id: idFilter, ...pageQuery }),
    }),
    answer: z.object({
      rows: z.array(commentRow),
      pagination,
      status_counts: statusCounts,
    }),
    handle: async ({ grant: { caller, projectId }, input: { query } }) => {
      const { page, per_page, triage_status: status, component_id } = query
      const conditions = [
        inProject(projectId),
        ...(component_id === null ? [] : [inComponent(component_id)]),
        ...conditionsOf(query),
      ]
      const listing = { conditions, status, page, perPage: per_page }
      const { ids, total, status_counts } = await findPage(database.read, listing)
      return {
        rows: [...(await findCommentRows(database.read, caller, ids))],
        pagination: { page, per_page, total },
        status_counts: { ...status_counts },
      }
    },
  })
}

function ofUser({ read }: Database): Endpoint {
  return endpoint({
    method: 'get',
    path: '/users/{id}/comments',
    operation: 'listUserComments',
    tag: TAG,
    summary: 'A page of the comments of a person that the caller may read',
    access: signedIn,
    input: z.object({ params: idParams, query: z.object({ ...userQuery, ...pageQuery }) }),
    answer: z.object({ rows: z.array(userCommentRow), pagination, status_counts: statusCounts }),
    handle: async ({ grant: { caller }, input: { params, query } }) => {
      // Answers for an unknown user as for one whose comments are hidden, so that nobody can probe for accounts.
      const { page, per_page, triage_status: status, project_id } = query
      const conditions = [...readableBy(caller, params.id), ...(project_id === null ? [] : [inProject(project_id)])]
      const listing = { conditions, status, page, perPage: per_page }
      const { ids, total, status_counts } = await findPage(read, listing)
      return {
        rows: await findUserRows(read, caller, ids),
        pagination: { page, per_page, total },
        status_counts: { ...status_counts },
      }
    },
  })
}

function showComment(database: Database): Endpoint {
  return endpoint({
    method: 'get',
    path: '/reviews/{id}',
    operation: 'getReview',
    tag: TAG,
    summary: 'One comment, as in the list of its component, with its rule',
    access: reviewRole(database, 'read'),
    input: z.object({ params: idParams }),
    answer: z.object({ review: componentCommentRow }),
    handle: async ({ grant }) => {
      const [review] = await findComponentRows(database.read, grant, {
        ids: [grant.reviewId],
        content: true,
      })
      if (review === undefined) throw notFound()
      return { review }
    },
  })
}
