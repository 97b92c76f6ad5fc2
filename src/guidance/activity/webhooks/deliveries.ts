import type { Updateable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { WebhookDeliveriesTable } from '../../database/schema/events.ts'
import type { PostOutcome } from './send.ts'

/** A claim expires after this time, so that another process may claim the delivery of a dead one. */
const LEASE_MS = 60_000
const MINUTE = 60_000
/** The delay before each further attempt: as many attempts as entries, plus one. */
const RETRY_MS = [1, 5, 15, 60, 120, 240, 480].map((minutes) => minutes * MINUTE)

export const MAX_ATTEMPTS = RETRY_MS.length + 1

/** A delivery that this process has claimed. */
export interface ClaimedDelivery {
  readonly id: number
  readonly webhookId: number
  readonly projectId: number
  readonly payload: string
  /** Including the one to be made now. */
  readonly attempts: number
  readonly url: string
  /** Encrypted. */
  readonly secret: string
}

interface ClaimLimits {
  readonly limit: number
  /** Webhooks that have as many deliveries under way as allowed. */
  readonly busyWebhooks: readonly number[]
}

/**
 * Claims deliveries that are due, at most one of each webhook; no two processes claim the same one. Null when none
 * was due; empty when other processes were faster.
 */
export async function claimDeliveries(
  database: Database,
  limits: ClaimLimits,
): Promise<readonly ClaimedDelivery[] | null> {
  const ids = await findDue(database, limits)
  // Usually nothing is due; then no transaction is needed.
  if (ids.length === 0) return null
  const now = Date.now()
  const claimed = await database.transact((writer) =>
    writer
      .updateTable('webhook_deliveries')
      .set((is) => ({
        attempts: is('attempts', '+', 1),
        response_status: null,
        error: null,
        next_attempt_at: new Date(now + LEASE_MS).toISOString(),
        updated_at: new Date(now).toISOString(),
      }))
      .where('id', 'in', ids)
      .where('state', '=', 'waiting')
      .where('next_attempt_at', '<=', new Date(now).toISOString())
      .returning('id')
      .execute(),
  )
  if (claimed.length === 0) return []
  return database.read
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select(['delivery.id', 'delivery.webhook_id as webhookId', 'delivery.payload'])
    .select(['delivery.attempts', 'webhooks.project_id as projectId'])
    .select(['webhooks.url', 'webhooks.secret'])
    .where(
      'delivery.id',
      'in',
      claimed.map(({ id }) => id),
    )
    .execute()
}

/** The oldest due delivery of each active webhook. */
async function findDue({ read }: Database, { limit, busyWebhooks }: ClaimLimits): Promise<readonly number[]> {
  const due = read
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'delivery.webhook_id')
    .select((is) => is.fn.min<number>('delivery.id').as('id'))
    .where('delivery.state', '=', 'waiting')
    .where('delivery.next_attempt_at', '<=', new Date().toISOString())
    .where('webhooks.active', '=', 1)
    .groupBy('delivery.webhook_id')
    .orderBy((is) => is.fn.min('delivery.next_attempt_at'))
    .limit(limit)
  const claimable = busyWebhooks.length === 0 ? due : due.where('delivery.webhook_id', 'not in', [...busyWebhooks])
  const rows = await claimable.execute()
  return rows.map(({ id }) => id)
}

/** Stores the result of an attempt. A failed delivery is tried again until the attempts are used up. */
export async function finishDelivery(
  database: Database,
  claim: ClaimedDelivery,
  { status, error }: PostOutcome,
): Promise<void> {
  const now = Date.now()
  const updated_at = new Date(now).toISOString()
  const delay = RETRY_MS[claim.attempts - 1]
  const finalState = error === null ? 'delivered' : 'failed'
  await change(database, claim, {
    state: error !== null && delay !== undefined ? 'waiting' : finalState,
    response_status: status,
    error,
    next_attempt_at: error === null || delay === undefined ? null : new Date(now + delay).toISOString(),
    delivered_at: error === null ? updated_at : null,
    updated_at,
  })
}

/** Returns a claimed delivery that was not attempted. */
export async function releaseDelivery(database: Database, claim: ClaimedDelivery): Promise<void> {
  const now = new Date().toISOString()
  await change(database, claim, { attempts: claim.attempts - 1, next_attempt_at: now, updated_at: now })
}

/** Does nothing when another process has claimed the delivery meanwhile. */
async function change(
  database: Database,
  claim: ClaimedDelivery,
  values: Updateable<WebhookDeliveriesTable>,
): Promise<void> {
  await database.transact((writer) =>
    writer
      .updateTable('webhook_deliveries')
      .set(values)
      .where('id', '=', claim.id)
      .where('state', '=', 'waiting')
      .where('attempts', '=', claim.attempts)
      .execute(),
  )
}
