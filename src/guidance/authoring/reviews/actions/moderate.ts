import { actorOf, type Caller } from '../../../../http/caller.ts'
import { notFound } from '../../../../http/input.ts'
import { refuseValues } from '../../../../http/toast.ts'
import { writeAudit } from '../../../activity/audits/writer.ts'
import { recordEvents } from '../../../activity/events/record.ts'
import type { Writer } from '../../../database/transaction.ts'
import { mayReadComponent } from '../../../parts/readable.ts'
import {
  auditedOf,
  changeReview,
  reviewEvent,
  lockReviews,
  placeOf,
  reviewSubject,
  type ReviewRecord,
} from '../records/record.ts'
import { requireTopLevel, settledBy, triagedBy, UNDECIDED } from './decide.ts'
import { refuseState, requireUnfrozen } from './phase.ts'

/** The moderator and the reason, for the audit trail. */
interface Moderation {
  readonly caller: Caller
  readonly reason: string
}

/** Moves a comment to another section. Returns whether the section has changed. */
export async function moveToSection(
  writer: Writer,
  review: ReviewRecord,
  { caller, reason, section }: Moderation & { readonly section: string | null },
): Promise<boolean> {
  requireUnfrozen(review)
  requireTopLevel(review)
  if (review.section === section) return false
  await changeReview(writer, review, { caller, reason, changes: { section } })
  return true
}

/** Withdraws a comment for its author, in any phase. */
export async function withdrawForAuthor(
  writer: Writer,
  review: ReviewRecord,
  { caller, reason }: Moderation,
): Promise<void> {
  requireTopLevel(review)
  const changes = {
    ...triagedBy(caller, 'withdrawn'),
    ...settledBy(caller),
    duplicate_of_review_id: null,
    addressed_by_rule_id: null,
  }
  await changeReview(writer, review, { caller, reason, changes })
}

/** Makes a closed comment pending again, in any phase. */
export async function restore(writer: Writer, review: ReviewRecord, { caller, reason }: Moderation): Promise<void> {
  requireTopLevel(review)
  if (review.adjudicated_at === null) throw refuseState('Could not restore comment.', 'This comment is not closed.')
  const changes = {
    ...UNDECIDED,
    triage_status: 'pending' as const,
    triage_set_by_id: null,
    triage_set_by_name: null,
    triage_set_at: null,
    duplicate_of_review_id: null,
    addressed_by_rule_id: null,
  }
  await changeReview(writer, review, { caller, reason, changes })
}

export const NOT_MOVED = 'Could not move comment.'

/** Moves a comment with its replies to another rule of the component, in any phase. */
export async function moveToRule(
  writer: Writer,
  review: ReviewRecord,
  { caller, reason, ruleId }: Moderation & { readonly ruleId: number },
): Promise<void> {
  requireTopLevel(review)
  const componentId = await requireVisibleRule(writer, caller, ruleId)
  const message =
    componentId === review.component_id
      ? 'The comment is on this rule already'
      : 'The rule belongs to another component'
  if (componentId !== review.component_id || ruleId === review.rule_id)
    throw refuseValues(NOT_MOVED, [{ field: 'rule_id', message }])
  const comment = `[Moved from ${placeOf(review)}]\n${review.comment}`
  const changes = { comment, original_rule_id: review.original_rule_id ?? review.rule_id, rule_id: ruleId }
  await changeReview(writer, review, { caller, reason, changes })
  await writer
    .updateTable('reviews')
    .set((is) => ({
      rule_id: ruleId,
      lock_version: is('lock_version', '+', 1),
      updated_at: new Date().toISOString(),
    }))
    .where('responding_to_review_id', '=', review.id)
    .execute()
}

/** Finds the component of a live rule that the caller may know of. 404 for other rules. */
async function requireVisibleRule(writer: Writer, caller: Caller, ruleId: number): Promise<number> {
  const rule = await writer
    .selectFrom('rules')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select('rules.component_id')
    .where('rules.id', '=', ruleId)
    .where('rules.deleted_at', 'is', null)
    .where(mayReadComponent(caller))
    .executeTakeFirstOrThrow(() => notFound())
  return rule.component_id
}

/** Removes a comment with its replies; the component's audit trail keeps its content. */
export async function destroy(writer: Writer, review: ReviewRecord, { caller, reason }: Moderation): Promise<void> {
  if (review.action !== 'comment') throw refuseState('Could not remove comment.', 'Only comments can be removed.')
  const { componentId, projectId, name } = reviewSubject(review)
  const { length } = await writer
    .selectFrom('reviews')
    .select('id')
    .where('responding_to_review_id', '=', review.id)
    .execute()
  await writer.deleteFrom('reviews').where('id', '=', review.id).execute()
  const { author_name, created_at } = review
  const before = {
    ...auditedOf(review),
    review_id: review.id,
    author_name,
    created_at,
    replies: length,
  }
  await writeAudit(writer, actorOf(caller), {
    action: 'custom',
    comment: reason,
    before,
    subject: {
      type: 'Component',
      id: review.component_id,
      name,
      ...(projectId !== undefined && { projectId }),
      ...(componentId !== undefined && { componentId }),
    },
  })
  await recordEvents(writer, actorOf(caller), [reviewEvent('comment.deleted', review)])
}

interface DuplicateMerge {
  readonly caller: Caller
  readonly componentId: number
  readonly survivorId: number
  /** The comments that become duplicates. */
  readonly ids: readonly number[]
}

export const NOT_MERGED = 'Could not merge comments.'

/** Marks comments by one person as duplicates of one of them, which then names the places of the others. */
export async function merge(writer: Writer, { caller, componentId, survivorId, ids }: DuplicateMerge): Promise<void> {
  const reviews = await lockReviews(writer, componentId, [survivorId, ...ids])
  for (const review of reviews) {
    requireUnfrozen(review)
    requireTopLevel(review)
  }
  const survivor = reviews.find(({ id }) => id === survivorId)
  const otherReviews = reviews.filter(({ id }) => id !== survivorId)
  if (survivor === undefined || otherReviews.length === 0)
    throw refuseState(NOT_MERGED, 'Select at least two comments to merge.')
  if (survivor.triage_status === 'duplicate')
    throw refuseState(NOT_MERGED, 'The remaining comment must not be a duplicate itself.')
  if (otherReviews.some((other) => authorOf(other) !== authorOf(survivor)))
    throw refuseState(NOT_MERGED, 'The comments must all be by the same person.')
  const locations = [...new Set(otherReviews.map(placeOf))].join(', ')
  const comment = `[Merged: originally posted on ${locations}]\n${survivor.comment}`
  await changeReview(writer, survivor, { caller, changes: { comment } })
  for (const other of otherReviews) {
    const changes = {
      ...triagedBy(caller, 'duplicate'),
      ...settledBy(caller),
      duplicate_of_review_id: survivorId,
      addressed_by_rule_id: null,
    }
    await changeReview(writer, other, { caller, changes })
  }
}

/** Identifies the author: by account, or without one by name and address. */
function authorOf({ user_id, author_name, author_email }: ReviewRecord): string {
  return user_id === null ? JSON.stringify([author_name, author_email]) : String(user_id)
}
