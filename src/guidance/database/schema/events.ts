import type { Generated } from 'kysely'

/** What happened to authored guidance, in order of its number. */
export interface EventsTable {
  id: Generated<number>
  /** Such as `rule.updated`, see `events/kinds.ts`. */
  kind: string
  project_id: number
  component_id: number | null
  /** Who did it, as they were called then. */
  actor: string
  /** JSON object. */
  data: string
  created_at: string
}

export interface WebhooksTable {
  id: Generated<number>
  project_id: number
  url: string
  /** Encrypted, as the key of signatures must be known in the clear. */
  secret: string
  /** JSON array of kinds of events; empty means all. */
  kinds: string
  /** 0 or 1. */
  active: Generated<number>
  created_by_id: number | null
  created_at: string
  updated_at: string
}

export interface WebhookDeliveriesTable {
  id: Generated<number>
  webhook_id: number
  event_id: number
  state: 'waiting' | 'delivered' | 'failed'
  /** The body as it is sent, each time the same. */
  payload: string
  attempts: Generated<number>
  response_status: number | null
  error: string | null
  next_attempt_at: string | null
  delivered_at: string | null
  created_at: string
  updated_at: string
}
