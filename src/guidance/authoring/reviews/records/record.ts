import type { Selectable } from 'kysely'
import { actorOf, type Caller } from '../../../../http/caller.ts'
import { notFound } from '../../../../http/input.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { EventKind } from '../../../../tables/event-kinds.ts'
import { writeAudit, type AuditSubject } from '../../../activity/audits/writer.ts'
import { recordEvents, type NewEvent } from '../../../activity/events/record.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { ClosedReason, CommentPhase } from '../../../database/schema/components.ts'
import type { ReviewsTable } from '../../../database/schema/reviews.ts'
import type { Writer } from '../../../database/transaction.ts'
import { findReviews, ON_COMPONENT } from './reader.ts'
import type { Review } from './schemas.ts'
import { searchKey } from './search.ts'

/** A review, with the fields of its component that a change needs. */
export interface ReviewRecord extends Selectable<ReviewsTable> {
  readonly project_id: number
  readonly comment_phase: CommentPhase
  readonly closed_reason: ClosedReason | null
  readonly prefix: string
  /** The number of its rule. */
  readonly number: number | null
}

interface ComponentCaller {
  readonly caller: Caller
  readonly componentId: number
}

/** Locks the component and reads some of its reviews, ordered by id. 404 if one of them no longer exists. */
export async function lockReviews(
  writer: Writer,
  componentId: number,
  ids: readonly number[],
): Promise<readonly ReviewRecord[]> {
  await writer.lock('component', componentId)
  const reviews = await writer
    .selectFrom('reviews')
    .innerJoin('components', 'components.id', 'reviews.component_id')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .selectAll('reviews')
    .select(['components.project_id', 'components.comment_phase', 'components.closed_reason'])
    .select(['components.prefix', 'rules.number'])
    .where('reviews.id', 'in', ids)
    .where('reviews.component_id', '=', componentId)
    .where('rules.deleted_at', 'is', null)
    .orderBy('reviews.id')
    .execute()
  if (reviews.length < new Set(ids).size) throw notFound()
  return reviews
}

/** Locks one review. Refuses if the caller has seen another version. */
export async function lockReview(
  writer: Writer,
  { caller, componentId, reviewId }: ComponentCaller & { readonly reviewId: number },
  expectedVersion?: number,
): Promise<ReviewRecord> {
  const [review] = await lockReviews(writer, componentId, [reviewId])
  if (review === undefined) throw notFound()
  if (expectedVersion === undefined || expectedVersion === review.lock_version) return review
  throw new Refusal(
    'edit_conflict',
    'Somebody else has changed the comment since you opened it. Look at the current version, then decide again.',
    { current: await requireReview(writer, caller, reviewId) },
  )
}

/** Shapes an existing review for an answer. */
export async function requireReview(writer: Writer, caller: Caller, id: number): Promise<Review> {
  const [review] = await findReviews(writer, caller, { ids: [id] })
  if (review === undefined) throw notFound()
  return review
}

export type ReviewChanges = Partial<Omit<Selectable<ReviewsTable>, 'id' | 'lock_version' | 'updated_at'>>

/** Changes a review, with an audit entry and an event. */
export async function changeReview(
  writer: Writer,
  before: ReviewRecord,
  {
    caller,
    changes,
    reason,
  }: {
    readonly caller: Caller
    readonly changes: ReviewChanges
    readonly reason?: string
  },
): Promise<void> {
  const after = { ...before, ...changes }
  await writer
    .updateTable('reviews')
    .set({
      ...changes,
      search_key: searchKey(after.author_name, after.comment),
      lock_version: before.lock_version + 1,
      updated_at: new Date().toISOString(),
    })
    .where('id', '=', before.id)
    .execute()
  await writeAudit(writer, actorOf(caller), {
    action: 'update',
    subject: reviewSubject(before),
    comment: reason ?? null,
    before: auditedOf(before),
    after: auditedOf(after),
  })
  const events = kindsOf(before, after).map((kind) => reviewEvent(kind, after))
  await recordEvents(writer, actorOf(caller), events)
}

/** The fields of a review that the audit trail records. */
export function auditedOf(review: ReviewRecord): Readonly<Record<string, string | number | null>> {
  const { comment, section, rule_id, triage_status, adjudicated_at } = review
  const { duplicate_of_review_id, addressed_by_rule_id, suggested_text, accepted_text } = review
  return {
    comment,
    section,
    rule_id,
    triage_status,
    adjudicated_at,
    duplicate_of_review_id,
    addressed_by_rule_id,
    ...(suggested_text !== null && { suggested_text }),
    accepted_text,
  }
}

type DecisionState = Pick<ReviewRecord, 'triage_status' | 'adjudicated_at'>

function kindsOf(before: DecisionState, after: DecisionState): readonly EventKind[] {
  const kinds: EventKind[] = []
  if (before.triage_status !== after.triage_status) kinds.push('comment.triaged')
  if (before.adjudicated_at === null && after.adjudicated_at !== null) kinds.push('comment.adjudicated')
  return kinds.length === 0 ? ['comment.updated'] : kinds
}

/** An event about a comment, without its texts. */
export function reviewEvent(kind: EventKind, review: ReviewRecord): NewEvent {
  const { id, rule_id, section, responding_to_review_id, triage_status } = review
  return {
    kind,
    projectId: review.project_id,
    componentId: review.component_id,
    data: {
      review_id: id,
      rule_id,
      section,
      responding_to_review_id,
      triage_status,
      adjudicated: review.adjudicated_at !== null,
    },
  }
}

/** Names a review in the audit trail, after its subject. */
export function reviewSubject(review: ReviewRecord): AuditSubject {
  const { id, component_id: componentId, project_id: projectId } = review
  return { type: 'Review', id, name: placeOf(review), projectId, componentId }
}

/** The name of the rule, or "(component)" for the component as a whole. */
export function placeOf({ prefix, number }: Pick<ReviewRecord, 'prefix' | 'number'>): string {
  return number === null ? ON_COMPONENT : displayedName(prefix, number)
}
