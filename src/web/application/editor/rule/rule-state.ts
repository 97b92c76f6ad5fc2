import type { Rule } from './queries.ts'
import { NEVER_DETERMINED, type RuleState } from './showing.ts'

/** The text of the bar above the fields. */
export interface StateWords {
  readonly icon: 'lock' | 'person' | 'warning' | 'text' | 'link'
  readonly look: 'warn' | 'info' | 'quiet'
  readonly says: string
  readonly at: string | null
  /** The words of whom it is about. */
  readonly quote: string | null
  /** The one thing to do; null: nothing can be done here. */
  readonly act: string | null
  /** The panel in which that is done; null: in the form. */
  readonly panel: string | null
}

type Review = Rule['reviews'][number]

const NOTHING = { at: null, quote: null, act: null, panel: null }

/** The state of a rule that most hinders writing; null where it is simply being written. */
export function stateOf(rule: Rule, { closed, status, satisfiedBy }: RuleState, person: number): StateWords | null {
  const mayNothing = closed !== null && !rule.locked && rule.review_requestor_id === null
  if (mayNothing) return { ...NOTHING, icon: 'lock', look: 'quiet', says: closed }
  if (rule.locked) return lockedState(rule)
  if (rule.review_requestor_id !== null) return reviewState(rule, person)
  if (rule.changes_requested) return requestedState(rule)
  if (satisfiedBy.length > 0) return satisfiedState(satisfiedBy)
  if (status !== NEVER_DETERMINED) return null
  const says = 'Text of the SRG. Choose a status to write.'
  return { ...NOTHING, icon: 'text', look: 'quiet', says, act: 'Choose a status' }
}

function lockedState(rule: Rule): StateWords {
  const by = lastOf(rule, ['lock_control', 'approve'])
  return {
    ...saidBy(by),
    icon: 'lock',
    look: 'quiet',
    says: by === undefined ? 'The rule is locked.' : `Locked by ${nameOf(by)}`,
    act: 'Review and locks',
    panel: 'review',
  }
}

function reviewState(rule: Rule, person: number): StateWords {
  const by = lastOf(rule, ['request_review'])
  const isOwn = rule.review_requestor_id === person
  const who = isOwn ? 'as you asked' : `as ${by === undefined ? 'somebody' : nameOf(by)} asked`
  return {
    ...saidBy(by),
    icon: 'person',
    look: 'info',
    says: `The rule is under review, ${who}`,
    act: isOwn ? 'Withdraw' : 'Decide',
    panel: 'review',
  }
}

function requestedState(rule: Rule): StateWords {
  const by = lastOf(rule, ['request_changes'])
  return {
    ...saidBy(by),
    icon: 'warning',
    look: 'warn',
    says: by === undefined ? 'Changes were requested.' : `Changes requested by ${nameOf(by)}`,
    act: 'Show and reply',
    panel: 'review',
  }
}

function satisfiedState(satisfiedBy: readonly string[]): StateWords {
  const says = `Satisfied by ${satisfiedBy.join(', ')}, whose check and fix are shown. This rule can only be read.`
  return { ...NOTHING, icon: 'link', look: 'quiet', says, act: 'Show', panel: 'satisfies' }
}

function lastOf({ reviews }: Rule, actions: readonly string[]): Review | undefined {
  return reviews.filter(({ action }) => actions.includes(action)).at(-1)
}

function saidBy(by: Review | undefined): Pick<StateWords, 'at' | 'quote'> {
  return { at: by?.created_at ?? null, quote: by === undefined || by.comment.trim() === '' ? null : by.comment }
}

function nameOf({ name, author_name }: Review): string {
  return name === '' ? author_name : name
}
