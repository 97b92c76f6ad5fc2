import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { toast, toastSchema } from '../../../http/toast.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { requireSharedRole, reviewRole, reviewsRole } from './actions/access.ts'
import { changeAlone, changeComment } from './actions/change.ts'
import { merging, moving, reasoned, sectioning } from './actions/inputs.ts'
import {
  destroy,
  merge,
  moveToRule,
  moveToSection,
  NOT_MERGED,
  NOT_MOVED,
  restore,
  withdrawForAuthor,
} from './actions/moderate.ts'
import { refuseState } from './actions/phase.ts'
import { findReviews } from './records/reader.ts'
import { lockReview, requireReview } from './records/record.ts'
import { reviewSchema } from './records/schemas.ts'

const TAG = 'Comments'

const reviewAnswer = z.object({ toast: toastSchema, review: reviewSchema })

/** Moving, restoring, merging and removing comments (docs/contract.md, Triage). */
export function moderationEndpoints({ database }: Parts): readonly Endpoint[] {
  return [
    section(database),
    combine(database),
    adminWithdraw(database),
    adminRestore(database),
    move(database),
    adminDestroy(database),
  ]
}

function section(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/reviews/{id}/section',
    operation: 'changeReviewSection',
    tag: TAG,
    summary: 'Change the section of a comment',
    access: reviewRole(database, 'author'),
    failure: 'Could not change the section.',
    input: z.object({ params: idParams, body: sectioning }),
    answer: reviewAnswer.extend({
      idempotent: z.literal(true).optional().meta({ description: 'Present if nothing changed' }),
    }),
    handle: async ({ grant, input: { body } }) => {
      const change = { section: body.section, reason: body.audit_comment, caller: grant.caller }
      const { review, result } = await changeComment(database, { grant }, (writer, before) =>
        moveToSection(writer, before, change),
      )
      return result
        ? { ...toast('Section changed.', sectionInWords(body.section)), review }
        : {
            ...toast('Section unchanged.', 'The comment already had this section.'),
            review,
            idempotent: true as const,
          }
    },
  })
}

function sectionInWords(section: string | null): string {
  return section === null ? 'It is now a general comment.' : `It is now about ${section.replaceAll('_', ' ')}.`
}

function combine(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/reviews/merge',
    operation: 'mergeReviews',
    tag: TAG,
    summary: 'Merge comments of one person: one stays, the others become its duplicates',
    refusals: ['not_found'],
    access: reviewsRole('admin'),
    failure: NOT_MERGED,
    input: z.object({ body: merging }),
    answer: z.object({
      toast: toastSchema,
      survivor: reviewSchema,
      duplicates: z.array(reviewSchema),
    }),
    handle: async ({ grant: { caller }, input: { body } }) => {
      const { survivor_id: survivorId } = body
      const ids = [...new Set(body.review_ids)].filter((id) => id !== survivorId)
      const shared = await requireSharedRole(database.read, caller, { ids: [survivorId, ...ids], least: 'admin' })
      if (shared === null) throw refuseState(NOT_MERGED, 'The comments must all belong to the same component.')
      const { componentId } = shared
      return database.transact(async (writer) => {
        await merge(writer, { caller, componentId, survivorId, ids })
        return {
          ...toast('Comments merged.', `${ids.length} are now duplicates of the remaining one.`),
          survivor: await requireReview(writer, caller, survivorId),
          duplicates: [...(await findReviews(writer, caller, { ids }))],
        }
      })
    },
  })
}

function adminWithdraw(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/reviews/{id}/admin_withdraw',
    operation: 'withdrawReviewAsAdministrator',
    tag: TAG,
    summary: 'Withdraw a comment on behalf of its author, in any phase',
    access: reviewRole(database, 'admin'),
    failure: 'Could not withdraw comment.',
    input: z.object({ params: idParams, body: reasoned }),
    answer: reviewAnswer,
    handle: ({ grant, input: { body } }) => {
      const { caller } = grant
      const confirmation = toast('Comment withdrawn.', 'It is closed now.')
      return changeAlone(database, { grant, ...confirmation }, (writer, review) =>
        withdrawForAuthor(writer, review, { caller, reason: body.audit_comment }),
      )
    },
  })
}

function adminRestore(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/reviews/{id}/admin_restore',
    operation: 'restoreReview',
    tag: TAG,
    summary: 'Reset a closed comment to pending, in any phase',
    access: reviewRole(database, 'admin'),
    failure: 'Could not restore comment.',
    input: z.object({ params: idParams, body: reasoned }),
    answer: reviewAnswer,
    handle: ({ grant, input: { body } }) => {
      const { caller } = grant
      const confirmation = toast('Comment restored.', 'It is pending again.')
      return changeAlone(database, { grant, ...confirmation }, (writer, review) =>
        restore(writer, review, { caller, reason: body.audit_comment }),
      )
    },
  })
}

function move(database: Database): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/reviews/{id}/move_to_rule',
    operation: 'moveReview',
    tag: TAG,
    summary: 'Move a comment with its replies to another rule of the component',
    access: reviewRole(database, 'admin'),
    failure: NOT_MOVED,
    input: z.object({ params: idParams, body: moving }),
    answer: reviewAnswer,
    handle: ({ grant, input: { body } }) => {
      const change = { ruleId: body.rule_id, reason: body.audit_comment, caller: grant.caller }
      const confirmation = toast('Comment moved.', 'Its replies moved with it.')
      return changeAlone(database, { grant, ...confirmation }, (writer, review) => moveToRule(writer, review, change))
    },
  })
}

function adminDestroy(database: Database): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/reviews/{id}/admin_destroy',
    operation: 'destroyReview',
    tag: TAG,
    summary: 'Remove a comment with its replies; the audit trail keeps a record',
    access: reviewRole(database, 'admin'),
    failure: 'Could not remove comment.',
    input: z.object({ params: idParams, body: reasoned }),
    answer: z.object({ toast: toastSchema, review: z.null(), destroyed_id: z.int() }),
    handle: async ({ grant, input: { body } }) => {
      const { caller, reviewId } = grant
      await database.transact(async (writer) =>
        destroy(writer, await lockReview(writer, grant), { caller, reason: body.audit_comment }),
      )
      const confirmation = toast('Comment removed.', 'Its replies were removed too.')
      return { ...confirmation, review: null, destroyed_id: reviewId }
    },
  })
}
