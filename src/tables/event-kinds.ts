/** All kinds of events, as webhooks and `GET /api/events` name them. */
export const EVENT_KINDS = [
  'component.created',
  'component.updated',
  'component.deleted',
  'component.released',
  'rule.created',
  'rule.updated',
  'rule.deleted',
  'rule.locked',
  'rule.unlocked',
  'rule.review_requested',
  'rule.changes_requested',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'comment.triaged',
  'comment.adjudicated',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]
