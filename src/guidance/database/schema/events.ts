import type { Generated } from 'kysely'

/** Events of authored guidance, ordered by id. */
export interface EventsTable {
  id: Generated<number>
  /** Such as `rule.updated`, see `tables/event-kinds.ts`. */
  kind: string
  project_id: number
  component_id: number | null
  /** The actor's name at that time. */
  actor: string
  /** JSON object. */
  data: string
  created_at: string
}

export interface WebhooksTable {
  id: Generated<number>
  project_id: number
  url: string
  /** Encrypted, not hashed: signing needs the secret itself. */
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
  /** The body, the same for each attempt. */
  payload: string
  attempts: Generated<number>
  response_status: number | null
  error: string | null
  next_attempt_at: string | null
  delivered_at: string | null
  created_at: string
  updated_at: string
}

/** A person has a component, and a rule of it, open in a window. Rows expire a while after `seen_at`. */
export interface PresencesTable {
  user_id: number
  /** The window chooses its own name. */
  window: string
  /** The row ends with this session; null if a token reported the presence. */
  session_id: number | null
  component_id: number
  rule_id: number | null
  seen_at: string
}
