import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams } from '../../../http/input.ts'
import { refuseValues, toast, toastSchema, type Toast } from '../../../http/toast.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole, ruleRole, type RuleGrant } from '../access/component-access.ts'
import { takeAction, takeActions } from './actions/actions.ts'
import { bulkReview, MAX_ACTION_COMMENT, newComponentComment, newReview, type NewReview } from './actions/inputs.ts'
import { postComment, type PostedReview } from './actions/post.ts'
import { reviewSchema, type Review } from './records/schemas.ts'

const answer = z.object({ toast: toastSchema, review: reviewSchema })

/** Comments, and the actions of a rule's review. */
export function postEndpoints(parts: Parts): readonly Endpoint[] {
  return [onRule(parts), onRules(parts), onComponent(parts)]
}

function onRule({ database, limits }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/rules/{id}/reviews',
    operation: 'createReview',
    tag: 'Comments',
    summary: 'Comment on a rule, or take an action of its review',
    access: ruleRole(database, 'viewer'),
    failure: 'Could not add review.',
    limited: 'byCaller',
    input: z.object({ params: idParams, body: z.object({ review: newReview }) }),
    answer,
    handle: async ({ grant, input: { body } }) => {
      const { action, comment } = body.review
      if (action === 'comment') {
        await limits.comments.count(String(grant.caller.id))
        return announce(await commentOn(database, grant, body.review))
      }
      if (comment.length > MAX_ACTION_COMMENT)
        throw refuseValues('Could not add review.', [
          {
            field: 'comment',
            message: `Comment is too long (maximum is ${MAX_ACTION_COMMENT} characters)`,
          },
        ])
      const review = await database.transact((writer) => takeAction(writer, grant, { action, comment }))
      return announce({ review, redirected: null })
    },
  })
}

function onRules({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/rules/bulk_review',
    operation: 'reviewRules',
    tag: 'Comments',
    summary: 'Request, revoke or decide the reviews of many rules: all or none',
    access: {
      ...componentRole(database, 'author'),
      rule: 'component author, reviewer with approve and request_changes',
    },
    failure: 'Could not add review.',
    input: z.object({ params: idParams, body: bulkReview }),
    answer: z.object({ toast: toastSchema, changed: z.int() }),
    handle: async ({ grant: { caller, componentId }, input: { body } }) => {
      const ruleIds = [...new Set(body.rule_ids)]
      const { action, comment } = body
      await database.transact((writer) => takeActions(writer, { caller, componentId, ruleIds }, { action, comment }))
      return { ...toast('Reviews updated.', `${ruleIds.length} rules: ${OUTCOMES[action]}`), changed: ruleIds.length }
    },
  })
}

function commentOn(
  database: Database,
  { caller, componentId, ruleId }: RuleGrant,
  { comment, section = null, suggestion = null, responding_to_review_id: repliesTo = null }: NewReview,
): Promise<PostedReview> {
  const posting = { caller, componentId, ruleId, comment, section, suggestion, repliesTo }
  return database.transact((writer) => postComment(writer, posting))
}

function onComponent({ database, limits }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/reviews',
    operation: 'createComponentComment',
    tag: 'Comments',
    summary: 'Comment on a component as a whole',
    access: componentRole(database, 'viewer'),
    failure: 'Could not add comment.',
    limited: 'byCaller',
    input: z.object({ params: idParams, body: z.object({ review: newComponentComment }) }),
    answer,
    handle: async ({ grant: { caller, componentId }, input: { body } }) => {
      await limits.comments.count(String(caller.id))
      const { comment, responding_to_review_id: repliesTo = null } = body.review
      const posting = { caller, componentId, ruleId: null, comment, section: null, suggestion: null, repliesTo }
      return announce(await database.transact((writer) => postComment(writer, posting)))
    },
  })
}

/** The messages of toasts after each action. */
const OUTCOMES: Readonly<Record<Review['action'], string>> = {
  comment: 'Everybody who may read this can see it.',
  request_review: 'The rule is waiting for a review.',
  revoke_review_request: 'The rule is no longer waiting for a review.',
  request_changes: 'The rule goes back to its authors.',
  approve: 'The rule is approved and locked.',
  lock_control: 'The rule is locked.',
  unlock_control: 'The rule is unlocked.',
}

function announce({ review, redirected }: PostedReview): {
  readonly toast: Toast
  readonly review: Review
} {
  const message =
    redirected === null ? OUTCOMES[review.action] : `It was posted on ${redirected}, which satisfies this rule.`
  return { ...toast('Comment posted.', message), review }
}
