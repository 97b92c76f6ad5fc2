import type { components } from '#api-types'

export type EventKind = NonNullable<components['schemas']['CreateWebhookRequest']['webhook']['kinds']>[number]

/** All kinds in the order of the form. A missing or unknown kind is a type error. */
const KINDS: Readonly<Record<EventKind, true>> = {
  'component.created': true,
  'component.updated': true,
  'component.deleted': true,
  'component.released': true,
  'rule.created': true,
  'rule.updated': true,
  'rule.deleted': true,
  'rule.locked': true,
  'rule.unlocked': true,
  'rule.review_requested': true,
  'rule.changes_requested': true,
  'comment.created': true,
  'comment.updated': true,
  'comment.deleted': true,
  'comment.triaged': true,
  'comment.adjudicated': true,
}

export function isKind(name: string): name is EventKind {
  return name in KINDS
}

export const EVENT_KINDS: readonly EventKind[] = Object.keys(KINDS).filter(isKind)
