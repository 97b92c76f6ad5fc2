import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { toast, toastSchema } from '../../../http/toast.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole } from '../access/component-access.ts'
import { NOT_TRIAGED } from './actions/decide.ts'
import { clusterDecision } from './actions/inputs.ts'
import { decideCluster } from './clusters/decide-cluster.ts'
import { clusterPage, findClusterPage } from './clusters/find.ts'
import { filterQuery, pageQuery } from './records/listing.ts'
import { findReviews } from './records/reader.ts'
import { requireReview } from './records/record.ts'
import { reviewSchema } from './records/schemas.ts'

const TAG = 'Comments'

/** Groups similar comments of a component, and decides on them together. */
export function commentClusterEndpoints({ database }: Parts): readonly Endpoint[] {
  return [list(database), decideOn(database)]
}

function list(database: Database): Endpoint {
  return endpoint({
    method: 'get',
    path: '/components/{id}/comment-clusters',
    operation: 'listCommentClusters',
    tag: TAG,
    summary: 'Comments that seem to say the same; by default, pending ones',
    access: componentRole(database, 'read'),
    input: z.object({
      params: idParams,
      query: z.object({ triage_status: filterQuery.triage_status, ...pageQuery }),
    }),
    answer: clusterPage,
    handle: ({ grant: { componentId }, input: { query } }) => {
      const { triage_status: status, page, per_page: perPage } = query
      return findClusterPage(database.read, { componentId, status, page, perPage })
    },
  })
}

function decideOn(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/components/{id}/comment-clusters',
    operation: 'triageCommentCluster',
    tag: TAG,
    summary: 'Decide once on comments that say the same: one is kept, the others become its duplicates; all or none',
    access: componentRole(database, 'author'),
    failure: NOT_TRIAGED,
    input: z.object({ params: idParams, body: clusterDecision }),
    answer: z.object({
      toast: toastSchema,
      kept: reviewSchema,
      duplicates: z.array(reviewSchema),
      response_review: reviewSchema.nullable(),
    }),
    handle: async ({ grant: { caller, componentId }, input: { body } }) => {
      const { review_ids, kept_review_id = null, ...decision } = body
      const ids = [...new Set(review_ids)]
      return database.transact(async (writer) => {
        const choice = { caller, componentId, decision, keptId: kept_review_id }
        const { keptId, reply } = await decideCluster(writer, ids, choice)
        const otherIds = ids.filter((id) => id !== keptId)
        return {
          ...toast(`Decided on ${ids.length} comments.`, `The decision and the reply are at comment ${keptId}.`),
          kept: await requireReview(writer, caller, keptId),
          duplicates: [...(await findReviews(writer, caller, { ids: otherIds }))],
          response_review: reply === null ? null : await requireReview(writer, caller, reply),
        }
      })
    },
  })
}
