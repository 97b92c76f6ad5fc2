import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { SAVED_MESSAGE, toast, toastSchema } from '../../../http/toast.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { requireSharedRole, reviewRole, reviewsRole } from './actions/access.ts'
import { changeAlone, changeAndAnswer } from './actions/change.ts'
import { adjudicate, checkDecision, decide, NOT_TRIAGED } from './actions/decide.ts'
import { adjudication, bulkDecision, editedComment, triageBody } from './actions/inputs.ts'
import { refuseState } from './actions/phase.ts'
import { decideTogether, reopen, reword, withdraw } from './actions/triage.ts'
import { findReviews } from './records/reader.ts'
import { reviewSchema } from './records/schemas.ts'

const TAG = 'Comments'

const reviewAnswer = z.object({ toast: toastSchema, review: reviewSchema })

const replyAnswer = reviewAnswer.extend({ response_review: reviewSchema.nullable() })

/** Decisions on comments, and changes by their authors (docs/contract.md, Triage). */
export function triageEndpoints({ database }: Parts): readonly Endpoint[] {
  return [edit(database), triage(database), close(database), open(database), withdrawOwn(database), bulk(database)]
}

function edit(database: Database): Endpoint {
  return endpoint({
    method: 'put',
    path: '/reviews/{id}',
    operation: 'updateReview',
    tag: TAG,
    summary: 'Edit one’s own comment before it is triaged',
    access: reviewRole(database, 'viewer', { authorOnly: true }),
    failure: 'Could not update comment.',
    input: z.object({ params: idParams, body: z.object({ review: editedComment }) }),
    answer: reviewAnswer,
    handle: ({ grant, input: { body } }) => {
      const { comment, suggested_text: suggested, lock_version: expectedVersion } = body.review
      const { caller } = grant
      const confirmation = toast('Comment updated.', SAVED_MESSAGE)
      return changeAlone(database, { grant, expectedVersion, ...confirmation }, (writer, review) =>
        reword(writer, review, { caller, comment, suggested }),
      )
    },
  })
}

function triage(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/reviews/{id}/triage',
    operation: 'triageReview',
    tag: TAG,
    summary: 'Triage a comment, with or without a reply',
    access: reviewRole(database, 'author'),
    failure: NOT_TRIAGED,
    input: z.object({ params: idParams, body: triageBody }),
    answer: replyAnswer,
    handle: ({ grant, input: { body } }) => {
      const { lock_version: expectedVersion, ...decision } = body
      const { caller } = grant
      const confirmation = toast('Comment triaged.', describeDecision(decision))
      return changeAndAnswer(database, { grant, expectedVersion, ...confirmation }, async (writer, review) => {
        await checkDecision(writer, [review], decision)
        return decide(writer, review, { caller, decision })
      })
    },
  })
}

function describeDecision({ triage_status }: { readonly triage_status: string }): string {
  return `Decided as ${triage_status.replaceAll('_', ' ')}.`
}

function close(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/reviews/{id}/adjudicate',
    operation: 'adjudicateReview',
    tag: TAG,
    summary: 'Close (adjudicate) a comment that has been triaged; no effect on a closed one',
    access: reviewRole(database, 'author'),
    failure: 'Could not adjudicate comment.',
    input: z.object({ params: idParams, body: adjudication }),
    answer: replyAnswer,
    handle: ({ grant, input: { body } }) => {
      const { resolution_comment: text, lock_version: expectedVersion } = body
      const { caller } = grant
      const confirmation = toast('Comment adjudicated.', 'It is closed now.')
      return changeAndAnswer(database, { grant, expectedVersion, ...confirmation }, (writer, review) =>
        adjudicate(writer, review, { caller, text }),
      )
    },
  })
}

function open(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/reviews/{id}/reopen',
    operation: 'reopenReview',
    tag: TAG,
    summary: 'Reopen a closed comment; its triage status stays',
    refusals: ['validation_failed'],
    access: reviewRole(database, 'author'),
    input: z.object({ params: idParams }),
    answer: reviewAnswer,
    handle: ({ grant }) => {
      const confirmation = toast('Comment reopened.', 'It can be triaged again.')
      return changeAlone(database, { grant, ...confirmation }, (writer, review) => reopen(writer, review, grant.caller))
    },
  })
}

function withdrawOwn(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/reviews/{id}/withdraw',
    operation: 'withdrawReview',
    tag: TAG,
    summary: 'Withdraw one’s own comment before it is triaged',
    refusals: ['validation_failed'],
    access: reviewRole(database, 'viewer', { authorOnly: true }),
    input: z.object({ params: idParams }),
    answer: reviewAnswer,
    handle: ({ grant }) => {
      const confirmation = toast('Comment withdrawn.', 'It is closed now.')
      return changeAlone(database, { grant, ...confirmation }, (writer, review) =>
        withdraw(writer, review, grant.caller),
      )
    },
  })
}

function bulk(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/reviews/bulk_triage',
    operation: 'triageReviews',
    tag: TAG,
    summary: 'Triage several comments of one component with the same decision: all or none',
    refusals: ['not_found'],
    access: reviewsRole('author'),
    failure: NOT_TRIAGED,
    input: z.object({ body: bulkDecision }),
    answer: z.object({
      toast: toastSchema,
      reviews: z.array(reviewSchema),
      response_reviews: z.array(reviewSchema),
    }),
    handle: async ({ grant: { caller }, input: { body } }) => {
      const { review_ids, ...decision } = body
      const ids = [...new Set(review_ids)]
      const shared = await requireSharedRole(database.read, caller, { ids, least: 'author' })
      if (shared === null) throw refuseState(NOT_TRIAGED, 'The comments must all belong to the same component.')
      const { componentId } = shared
      return database.transact(async (writer) => {
        const replies = await decideTogether(writer, ids, { caller, componentId, decision })
        return {
          ...toast(`Triaged ${ids.length} comments.`, describeDecision(decision)),
          reviews: [...(await findReviews(writer, caller, { ids }))],
          response_reviews: [...(await findReviews(writer, caller, { ids: replies }))],
        }
      })
    },
  })
}
