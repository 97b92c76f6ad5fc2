import type { Caller } from '../../../http/caller.ts'
import { append } from '../../../platform/append.ts'
import type { Reader } from '../../database/transaction.ts'
import { findReadRights } from '../../parts/readable.ts'
import { findEvents, readEvents, type EventBatch, type EventFilter, type EventRange } from './reader.ts'

export interface StreamRequest {
  readonly caller: Caller
  readonly filter: EventFilter
  readonly range: EventRange
}

/**
 * Reads the next events of several streams. Streams of the same component or project at the same position share a query;
 * access is then checked for all of them at once.
 */
export async function readForAll(reader: Reader, readings: readonly StreamRequest[]): Promise<readonly EventBatch[]> {
  const groups = new Map<string, StreamRequest[]>()
  for (const reading of readings) append(groups, keyOf(reading), reading)
  const answers = new Map<StreamRequest, EventBatch>()
  for (const group of groups.values()) await readGroup(reader, group, answers)
  return readings.flatMap((reading) => answers.get(reading) ?? [])
}

function keyOf({ filter, range }: StreamRequest): string {
  const { projectId, componentId, kinds } = filter
  return JSON.stringify([projectId, componentId, kinds, range.after, range.upTo, range.limit])
}

async function readGroup(
  reader: Reader,
  group: readonly StreamRequest[],
  answers: Map<StreamRequest, EventBatch>,
): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const { filter, range } = first
  const isOfOne = filter.componentId !== null || filter.projectId !== null
  if (group.length === 1 || !isOfOne) {
    // One person may read few of all events: the database leaves the rest out.
    for (const reading of group) answers.set(reading, await readEvents(reader, reading, reading.range))
    return
  }
  const { events, next } = await findEvents(reader, filter, range)
  const callers = group.map(({ caller }) => caller)
  const mayRead = await findReadRights(reader, callers, events)
  for (const reading of group) {
    const readable = events.filter((event) => mayRead(reading.caller, event))
    answers.set(reading, { events: readable, next })
  }
}
