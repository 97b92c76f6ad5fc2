import type { Caller } from '../../../../http/caller.ts'
import { refuseValues } from '../../../../http/toast.ts'
import { Pauses } from '../../../../platform/concurrency/turns.ts'
import type { Writer } from '../../../database/transaction.ts'
import { checkDecision, decide, NOT_TRIAGED, requireOpenTo, type ReplyId } from '../actions/decide.ts'
import type { Decision } from '../actions/inputs.ts'
import { refuseState } from '../actions/phase.ts'
import { lockReviews, type ReviewRecord } from '../records/record.ts'

interface ClusterDecision {
  readonly caller: Caller
  readonly componentId: number
  readonly decision: Decision
  /** The comment that gets the decision; null means the oldest one. */
  readonly keptId: number | null
}

/**
 * Decides on similar comments, on all or none: one gets the decision and the reply, the others become its duplicates.
 * 422 if one of them is not open. Returns the comment that got the decision, and the reply.
 */
export async function decideCluster(
  writer: Writer,
  ids: readonly number[],
  { caller, componentId, decision, keptId }: ClusterDecision,
): Promise<{ readonly keptId: number; readonly reply: ReplyId }> {
  const reviews = await lockReviews(writer, componentId, ids)
  for (const review of reviews) requireUndecided(review)
  const keptReview = reviews.toSorted(byAge).find(({ id }) => keptId === null || id === keptId)
  if (keptReview === undefined)
    throw refuseValues(NOT_TRIAGED, [{ field: 'kept_review_id', message: 'Kept review must be one of the comments' }])
  await checkDecision(writer, decision.triage_status === 'duplicate' ? reviews : [keptReview], decision)
  const reply = await decide(writer, keptReview, { caller, decision })
  const duplicateDecision = { ...duplicateOf(keptReview, decision), response_comment: null }
  const pauses = new Pauses()
  for (const review of reviews) {
    if (review.id !== keptReview.id) await decide(writer, review, { caller, decision: duplicateDecision })
    await pauses.rest()
  }
  return { keptId: keptReview.id, reply }
}

/** If the first comment is a duplicate, the others refer to the same comment: a duplicate must not have duplicates. */
function duplicateOf(original: ReviewRecord, decision: Decision): Decision {
  const canonical = decision.triage_status === 'duplicate' ? decision.duplicate_of_review_id : original.id
  return { triage_status: 'duplicate', duplicate_of_review_id: canonical, addressed_by_rule_id: null }
}

/** Prevents that a decision made meanwhile is overwritten. */
function requireUndecided(review: ReviewRecord): void {
  requireOpenTo(review)
  const { triage_status: status, adjudicated_at, id } = review
  if (adjudicated_at !== null || (status !== 'pending' && status !== 'needs_clarification'))
    throw refuseState(NOT_TRIAGED, `Comment ${id} has been decided already. Remove it from the selection.`)
}

function byAge(review: ReviewRecord, other: ReviewRecord): number {
  if (review.created_at === other.created_at) return review.id - other.id
  return review.created_at < other.created_at ? -1 : 1
}
