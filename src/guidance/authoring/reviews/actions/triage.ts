import type { Caller } from '../../../../http/caller.ts'
import { permissionDenied } from '../../../../http/refusals.ts'
import { refuseValues } from '../../../../http/toast.ts'
import type { Writer } from '../../../database/transaction.ts'
import { changeReview, lockReviews, type ReviewRecord } from '../records/record.ts'
import { faultsOfText } from '../suggestions/suggested-field.ts'
import { checkDecision, decide, requireOpenTo, settledByAuthor, triagedBy, UNDECIDED } from './decide.ts'
import type { Decision } from './inputs.ts'
import { refuseState } from './phase.ts'

const NOT_UPDATED = 'Could not update comment.'

/** Decides on several comments of a component, on all or none; returns the ids of the replies. */
export async function decideTogether(
  writer: Writer,
  ids: readonly number[],
  {
    caller,
    componentId,
    decision,
  }: {
    readonly caller: Caller
    readonly componentId: number
    readonly decision: Decision
  },
): Promise<readonly number[]> {
  const reviews = await lockReviews(writer, componentId, ids)
  for (const review of reviews) requireOpenTo(review)
  await checkDecision(writer, reviews, decision)
  const replies: number[] = []
  for (const review of reviews) {
    const reply = await decide(writer, review, { caller, decision })
    if (reply !== null) replies.push(reply)
  }
  return replies
}

/** Reopens a closed comment. Its decision stays. */
export async function reopen(writer: Writer, review: ReviewRecord, caller: Caller): Promise<void> {
  requireOpenTo(review)
  const title = 'Could not reopen comment.'
  if (review.adjudicated_at === null) throw refuseState(title, 'This comment is not closed.')
  if (review.triage_status === 'withdrawn') throw refuseState(title, 'This comment was withdrawn.')
  await changeReview(writer, review, { caller, changes: UNDECIDED })
}

/** Withdraws the caller's own comment before it is decided. */
export async function withdraw(writer: Writer, review: ReviewRecord, caller: Caller): Promise<void> {
  requireOwn(review, caller)
  requireOpenTo(review)
  const open = review.triage_status === 'pending' || review.triage_status === 'needs_clarification'
  if (!open || review.adjudicated_at !== null)
    throw refuseState('Could not withdraw comment.', 'This comment has already been triaged.')
  await changeReview(writer, review, {
    caller,
    changes: { ...triagedBy(caller, 'withdrawn'), ...settledByAuthor(review) },
  })
}

/** Changes the text and the suggestion of the caller's own comment before it is decided. */
export async function reword(
  writer: Writer,
  review: ReviewRecord,
  {
    caller,
    comment,
    suggested,
  }: { readonly caller: Caller; readonly comment: string; readonly suggested?: string | undefined },
): Promise<void> {
  requireOwn(review, caller)
  requireOpenTo(review)
  if (review.triage_status !== 'pending') throw refuseState(NOT_UPDATED, 'This comment has already been triaged.')
  if (suggested !== undefined) checkSuggested(review, suggested)
  const changes = { comment, ...(suggested !== undefined && { suggested_text: suggested }) }
  await changeReview(writer, review, { caller, changes })
}

/** 422 unless the comment has a suggestion and may suggest this text. */
function checkSuggested({ suggested_field: field, suggested_base: base }: ReviewRecord, text: string): void {
  const refuse = (message: string): Error => refuseValues(NOT_UPDATED, [{ field: 'suggested_text', message }])
  if (field === null) throw refuse('This comment suggests no text')
  if (text === base) throw refuse('Text must differ from the text that it changes')
  const [fault] = faultsOfText(field, text)
  if (fault !== undefined) throw refuse(fault.message)
}

function requireOwn({ user_id }: ReviewRecord, caller: Caller): void {
  if (user_id !== caller.id) throw permissionDenied('Only its author can change this comment.')
}
