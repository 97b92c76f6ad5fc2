import type { Actor } from '../../../http/caller.ts'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import type { EventKind } from '../../../tables/event-kinds.ts'
import type { Writer } from '../../database/transaction.ts'
import { queueDeliveries } from './outbox.ts'
import { beginNumbering } from './visible-events.ts'

type EventValue = string | number | boolean | null | readonly string[] | readonly number[]

/** An event has ids, names and states of a record, never texts of guidance. */
export interface NewEvent {
  readonly kind: EventKind
  readonly projectId: number
  readonly componentId: number
  readonly data: Readonly<Record<string, EventValue>>
}

/** A statement has a limited number of parameters. */
const BATCH_SIZE = 500

/** Stores events and queues their deliveries; both take effect when the transaction commits. */
export async function recordEvents(writer: Writer, actor: Actor, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await beginNumbering(writer)
  const created_at = new Date().toISOString()
  const rows = events.map(({ kind, projectId, componentId, data }) => ({
    kind,
    created_at,
    actor: actor.name,
    project_id: projectId,
    component_id: componentId,
    data: JSON.stringify(data),
  }))
  const ids: number[] = []
  for await (const portion of inPortions(rows, BATCH_SIZE)) {
    const added = await writer.insertInto('events').values(portion).returning('id').execute()
    ids.push(...added.map(({ id }) => id))
  }
  // Numbers are given in the order of the rows, but may be returned in another.
  const inOrder = ids.sort((a, b) => a - b)
  await queueDeliveries(
    writer,
    rows.map((row, index) => ({ ...row, id: inOrder[index] ?? 0 })),
  )
  writer.announce('events')
}
