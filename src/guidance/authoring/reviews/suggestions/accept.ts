import type { Caller } from '../../../../http/caller.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Writer } from '../../../database/transaction.ts'
import { updateRule } from '../../rule-editing/writer.ts'
import { requireRule } from '../../rules/reader.ts'
import { decide, requireOpenTo, settledBy, type ReplyId } from '../actions/decide.ts'
import { refuseState } from '../actions/phase.ts'
import { requireReview, type ReviewRecord } from '../records/record.ts'
import { suggestionOf } from '../records/suggestion-columns.ts'
import { proposalFor, type Proposal } from './proposal.ts'
import { editOf } from './suggested-field.ts'

export const NOT_ACCEPTED = 'Could not accept the suggestion.'

const CONCURRED = { triage_status: 'concur', duplicate_of_review_id: null, addressed_by_rule_id: null } as const

interface Acceptance {
  readonly caller: Caller
  /** The text to write; undefined means the suggested one. */
  readonly text: string | undefined
  /** The version of the rule that the caller has seen; null accepts any. */
  readonly ruleVersion: number | null
  readonly response: string | null | undefined
}

/**
 * Writes a suggested text into its rule, concurs with the comment and closes it. The edit obeys all rules of edits. 409
 * `edit_conflict` if the same lines have changed since and the caller sends no text. The comment must be locked.
 */
export async function acceptSuggestion(writer: Writer, review: ReviewRecord, acceptance: Acceptance): Promise<ReplyId> {
  const { caller, ruleVersion, response } = acceptance
  requireOpenTo(review)
  const { rule_id: ruleId } = review
  const suggestion = suggestionOf({ ...review, accepted_text: null })
  if (ruleId === null || suggestion === null) throw refuseState(NOT_ACCEPTED, 'This comment suggests no text.')
  if (review.adjudicated_at !== null) throw refuseState(NOT_ACCEPTED, 'This comment is already closed.')
  const rule = await requireRule(writer, ruleId)
  const proposal = proposalFor(suggestion, rule)
  const newText = acceptance.text ?? proposal.proposed
  if (newText === null) throw await refuseStale(writer, review, { caller, proposal })
  const changes = editOf(rule, suggestion.field, newText, NOT_ACCEPTED)
  const comment = `Suggestion of ${review.author_name} (comment ${review.id}), accepted ${describeAcceptance(newText, suggestion.text)}`
  await updateRule(writer, { ruleId, changes, expectedVersion: ruleVersion, caller, comment })
  const decision = { ...CONCURRED, response_comment: response }
  return decide(writer, review, { caller, decision, further: { accepted_text: newText, ...settledBy(caller) } })
}

function describeAcceptance(written: string, suggested: string): string {
  return written === suggested ? 'as it stands' : 'with changes'
}

async function refuseStale(
  writer: Writer,
  { id }: ReviewRecord,
  { caller, proposal }: { readonly caller: Caller; readonly proposal: Proposal },
): Promise<Refusal> {
  return new Refusal(
    'edit_conflict',
    'The text has changed since it was suggested to change it. Compare the two, then send the text to write.',
    { current: await requireReview(writer, caller, id), text: proposal.current },
  )
}
