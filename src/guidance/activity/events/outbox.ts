import type { Selectable } from 'kysely'
import { z } from 'zod'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import type { EventsTable } from '../../database/schema/events.ts'
import type { Writer } from '../../database/transaction.ts'

type StoredEvent = Selectable<EventsTable>

/** A statement has a limited number of parameters. */
const BATCH_SIZE = 500

const kindList = z.array(z.string())

/** The column of kinds; none means all. */
export function readKinds(column: string): string[] {
  return kindList.parse(JSON.parse(column))
}

/**
 * Adds a delivery of each event for each active webhook of its project that subscribes to its kind, in the transaction of
 * the events, so that exactly the committed events are delivered.
 */
export async function queueDeliveries(writer: Writer, events: readonly StoredEvent[]): Promise<void> {
  const projects = [...new Set(events.map(({ project_id }) => project_id))]
  const webhooks = await writer
    .selectFrom('webhooks')
    .select(['id', 'project_id', 'kinds'])
    .where('active', '=', 1)
    .where('project_id', 'in', projects)
    // Makes the removal of a webhook wait until its new deliveries are there, so that they are removed too.
    .$if(writer.dialect === 'postgres', (query) => query.forKeyShare())
    .execute()
  const hooks = webhooks.map((hook) => ({ ...hook, kinds: readKinds(hook.kinds) }))
  const deliveries = events.flatMap((event) =>
    hooks
      .filter(({ project_id }) => project_id === event.project_id)
      .filter(({ kinds }) => kinds.length === 0 || kinds.includes(event.kind))
      .map(({ id }) => ({ webhookId: id, eventId: event.id, payload: payloadOf(event) })),
  )
  await insertDeliveries(writer, deliveries)
}

/** The body that is sent; for a ping, the number of the event is 0. */
export function payloadOf(event: StoredEvent): string {
  const { id, kind, created_at, actor, project_id, component_id } = event
  const data: unknown = JSON.parse(event.data)
  return JSON.stringify({ id, kind, created_at, actor, project_id, component_id, data })
}

/** Adds deliveries that are due at once, and returns their numbers. */
export async function insertDeliveries(
  writer: Writer,
  deliveries: readonly { readonly webhookId: number; readonly eventId: number; readonly payload: string }[],
): Promise<readonly number[]> {
  if (deliveries.length === 0) return []
  const now = new Date().toISOString()
  const rows = deliveries.map(({ webhookId, eventId, payload }) => ({
    webhook_id: webhookId,
    event_id: eventId,
    payload,
    state: 'waiting' as const,
    next_attempt_at: now,
    created_at: now,
    updated_at: now,
  }))
  const ids: number[] = []
  for await (const portion of inPortions(rows, BATCH_SIZE)) {
    const added = await writer.insertInto('webhook_deliveries').values(portion).returning('id').execute()
    ids.push(...added.map(({ id }) => id))
  }
  writer.announce('deliveries')
  return ids
}
