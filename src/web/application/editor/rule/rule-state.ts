import type { Rule } from './queries.ts'
import { NOT_DETERMINED, type RuleState } from './visible-fields.ts'

/** The text of the bar above the fields. */
export interface StateWords {
  readonly icon: 'lock' | 'person' | 'warning' | 'text' | 'link'
  readonly style: 'warn' | 'info' | 'quiet'
  readonly text: string
  readonly at: string | null
  /** The comment of the person who caused the state. */
  readonly quote: string | null
  /** Label of the next action; null for none. */
  readonly action: string | null
  /** The panel for the action; null for the form. */
  readonly panel: string | null
}

type Review = Rule['reviews'][number]

const NO_ACTION = { at: null, quote: null, action: null, panel: null }

/** The state that most restricts editing; null if nothing does. */
export function stateOf(
  rule: Rule,
  { readOnlyReason, status, satisfiedBy }: RuleState,
  person: number,
): StateWords | null {
  const isReadOnly = readOnlyReason !== null && !rule.locked && rule.review_requestor_id === null
  if (isReadOnly) return { ...NO_ACTION, icon: 'lock', style: 'quiet', text: readOnlyReason }
  if (rule.locked) return lockedState(rule)
  if (rule.review_requestor_id !== null) return reviewState(rule, person)
  if (rule.changes_requested) return requestedState(rule)
  if (satisfiedBy.length > 0) return satisfiedState(satisfiedBy)
  if (status !== NOT_DETERMINED) return null
  const text = 'Text of the SRG. Choose a status to write.'
  return { ...NO_ACTION, icon: 'text', style: 'quiet', text, action: 'Choose a status' }
}

function lockedState(rule: Rule): StateWords {
  const review = lastReview(rule, ['lock_control', 'approve'])
  return {
    ...quoteOf(review),
    icon: 'lock',
    style: 'quiet',
    text: review === undefined ? 'The rule is locked.' : `Locked by ${nameOf(review)}`,
    action: 'Review and locks',
    panel: 'review',
  }
}

function reviewState(rule: Rule, person: number): StateWords {
  const review = lastReview(rule, ['request_review'])
  const isOwn = rule.review_requestor_id === person
  const requesterPhrase = isOwn ? 'as you asked' : `as ${review === undefined ? 'somebody' : nameOf(review)} asked`
  return {
    ...quoteOf(review),
    icon: 'person',
    style: 'info',
    text: `The rule is under review, ${requesterPhrase}`,
    action: isOwn ? 'Withdraw' : 'Decide',
    panel: 'review',
  }
}

function requestedState(rule: Rule): StateWords {
  const review = lastReview(rule, ['request_changes'])
  return {
    ...quoteOf(review),
    icon: 'warning',
    style: 'warn',
    text: review === undefined ? 'Changes were requested.' : `Changes requested by ${nameOf(review)}`,
    action: 'Show and reply',
    panel: 'review',
  }
}

function satisfiedState(satisfiedBy: readonly string[]): StateWords {
  const text = `Satisfied by ${satisfiedBy.join(', ')}, whose check and fix are shown. This rule can only be read.`
  return { ...NO_ACTION, icon: 'link', style: 'quiet', text, action: 'Show', panel: 'satisfies' }
}

function lastReview({ reviews }: Rule, actions: readonly string[]): Review | undefined {
  return reviews.filter(({ action }) => actions.includes(action)).at(-1)
}

function quoteOf(review: Review | undefined): Pick<StateWords, 'at' | 'quote'> {
  return {
    at: review?.created_at ?? null,
    quote: review === undefined || review.comment.trim() === '' ? null : review.comment,
  }
}

function nameOf({ name, author_name }: Review): string {
  return name === '' ? author_name : name
}
