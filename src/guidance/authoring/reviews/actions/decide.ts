import { actorOf, type Caller } from '../../../../http/caller.ts'
import { refuseValues, type FieldError } from '../../../../http/toast.ts'
import type { TriageStatus } from '../../../database/schema/reviews.ts'
import type { Writer } from '../../../database/transaction.ts'
import { changeReview, type ReviewChanges, type ReviewRecord } from '../records/record.ts'
import type { Decision } from './inputs.ts'
import { refuseState, requireUnfrozen } from './phase.ts'
import { insertReview } from './post.ts'

export const NOT_TRIAGED = 'Could not triage comment.'

/** Statuses that close a comment at once (docs/contract.md, Triage). */
const CLOSING_STATUSES: readonly TriageStatus[] = ['duplicate', 'informational', 'withdrawn', 'addressed_by']

/** Refuses replies and actions: only top-level comments have a triage. */
export function requireTopLevel({ action, responding_to_review_id }: ReviewRecord): void {
  if (action !== 'comment' || responding_to_review_id !== null)
    throw refuseState('Cannot modify review.', 'Only a top-level comment can be triaged.')
}

/** Refuses replies and actions, and all comments once they are final. */
export function requireOpenTo(review: ReviewRecord): void {
  requireUnfrozen(review)
  requireTopLevel(review)
}

/** Finds the faults of a decision, and of the rule or comment that it names. */
export async function checkDecision(
  writer: Writer,
  reviews: readonly ReviewRecord[],
  decision: Decision,
): Promise<void> {
  const errors: FieldError[] = []
  if (decision.triage_status === 'non_concur' && decision.response_comment == null)
    errors.push({ field: 'response_comment', message: "Response can't be blank" })
  if (decision.triage_status === 'duplicate')
    errors.push(...(await checkCanonical(writer, reviews, decision.duplicate_of_review_id)))
  if (decision.triage_status === 'addressed_by')
    errors.push(...(await checkAddressing(writer, reviews, decision.addressed_by_rule_id)))
  if (errors.length > 0) throw refuseValues(NOT_TRIAGED, errors)
}

async function checkCanonical(
  writer: Writer,
  reviews: readonly ReviewRecord[],
  id: number | null | undefined,
): Promise<readonly FieldError[]> {
  const refuse = (message: string): readonly FieldError[] => [{ field: 'duplicate_of_review_id', message }]
  if (id == null) return refuse("Duplicate of can't be blank")
  if (reviews.some((review) => review.id === id)) return refuse('Duplicate of must be another comment')
  const canonical = await writer
    .selectFrom('reviews')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .select(['reviews.triage_status', 'reviews.component_id'])
    .where('reviews.id', '=', id)
    .where('reviews.action', '=', 'comment')
    .where('reviews.responding_to_review_id', 'is', null)
    .where('rules.deleted_at', 'is', null)
    .executeTakeFirst()
  if (canonical === undefined || canonical.component_id !== reviews[0]?.component_id)
    return refuse('Duplicate of must be a comment of the same component')
  return canonical.triage_status === 'duplicate' ? refuse('Duplicate of must not be a duplicate itself') : []
}

async function checkAddressing(
  writer: Writer,
  reviews: readonly ReviewRecord[],
  id: number | null | undefined,
): Promise<readonly FieldError[]> {
  const refuse = (message: string): readonly FieldError[] => [{ field: 'addressed_by_rule_id', message }]
  if (id == null) return refuse("Addressed by can't be blank")
  const rule = await writer
    .selectFrom('rules')
    .select('component_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return rule?.component_id === reviews[0]?.component_id
    ? []
    : refuse('Addressed by must be a rule of the same component')
}

/** The id of the reply that explains a decision; null without one. */
export type ReplyId = number | null

interface DecisionMaking {
  readonly caller: Caller
  readonly decision: Decision
  /** Other changes of the comment. */
  readonly further?: ReviewChanges
}

/** Decides on one comment (docs/contract.md, Triage). The decision must have been checked. */
export async function decide(
  writer: Writer,
  review: ReviewRecord,
  { caller, decision, further = {} }: DecisionMaking,
): Promise<ReplyId> {
  requireOpenTo(review)
  const { triage_status: status } = decision
  const settles = CLOSING_STATUSES.includes(status)
  if (review.adjudicated_at !== null && !settles) throw refuseState(NOT_TRIAGED, 'This comment is already closed.')
  const changes: ReviewChanges = {
    ...triagedBy(caller, status),
    duplicate_of_review_id: status === 'duplicate' ? (decision.duplicate_of_review_id ?? null) : null,
    addressed_by_rule_id: status === 'addressed_by' ? (decision.addressed_by_rule_id ?? null) : null,
    ...(settles && (status === 'withdrawn' ? settledByAuthor(review) : settledBy(caller))),
    ...further,
  }
  await changeReview(writer, review, { caller, changes })
  return answerWith(writer, review, { caller, text: decision.response_comment })
}

/** Closes a comment that has a decision. Does nothing if it is closed. */
export async function adjudicate(
  writer: Writer,
  review: ReviewRecord,
  { caller, text }: DecisionReply,
): Promise<ReplyId> {
  requireOpenTo(review)
  if (review.adjudicated_at !== null) return null
  if (review.triage_status === null || review.triage_status === 'pending')
    throw refuseState('Could not adjudicate comment.', 'This comment has not been triaged yet.')
  await changeReview(writer, review, { caller, changes: settledBy(caller) })
  return answerWith(writer, review, { caller, text })
}

interface DecisionReply {
  readonly caller: Caller
  readonly text: string | null | undefined
}

async function answerWith(writer: Writer, review: ReviewRecord, { caller, text }: DecisionReply): Promise<ReplyId> {
  if (text == null) return null
  return insertReview(writer, {
    caller,
    componentId: review.component_id,
    ruleId: review.rule_id,
    comment: text,
    action: 'comment',
    section: review.section,
    repliesTo: review.id,
    originalRuleId: null,
    pending: false,
  })
}

export function triagedBy(caller: Caller, triage_status: TriageStatus): ReviewChanges {
  const { id: triage_set_by_id, name: triage_set_by_name } = actorOf(caller)
  return { triage_status, triage_set_by_id, triage_set_by_name, triage_set_at: currentTime() }
}

export function settledBy({ id, name }: { readonly id: number | null; readonly name: string }): ReviewChanges {
  return { adjudicated_by_id: id, adjudicated_by_name: name, adjudicated_at: currentTime() }
}

/** Withdrawal closes a comment on behalf of its author. */
export function settledByAuthor({ user_id: id, author_name: name }: ReviewRecord): ReviewChanges {
  return settledBy({ id, name })
}

export const UNDECIDED: ReviewChanges = {
  adjudicated_by_id: null,
  adjudicated_by_name: null,
  adjudicated_at: null,
}

function currentTime(): string {
  return new Date().toISOString()
}
