import type { Caller } from '../../../http/caller.ts'
import { append } from '../../../platform/append.ts'
import type { Reader } from '../../database/transaction.ts'
import { findReadRights } from '../../parts/readable.ts'
import { findEvents, readEvents, type EventBatch, type EventFilter, type EventRange } from './reader.ts'

export interface StreamRequest {
  readonly caller: Caller
  readonly interest: EventFilter
  readonly range: EventRange
}

/**
 * Reads the next events of several streams. Streams of the same component or project that are at the same place share
 * the reading of its events; access is checked after that, for all of them at once.
 */
export async function readForAll(reader: Reader, readings: readonly StreamRequest[]): Promise<readonly EventBatch[]> {
  const groups = new Map<string, StreamRequest[]>()
  for (const reading of readings) append(groups, keyOf(reading), reading)
  const answers = new Map<StreamRequest, EventBatch>()
  for (const group of groups.values()) await readGroup(reader, group, answers)
  return readings.flatMap((reading) => answers.get(reading) ?? [])
}

function keyOf({ interest, range }: StreamRequest): string {
  const { projectId, componentId, kinds } = interest
  return JSON.stringify([projectId, componentId, kinds, range.after, range.upTo, range.most])
}

async function readGroup(
  reader: Reader,
  group: readonly StreamRequest[],
  answers: Map<StreamRequest, EventBatch>,
): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const { interest, range } = first
  const isOfOne = interest.componentId !== null || interest.projectId !== null
  if (group.length === 1 || !isOfOne) {
    // One person may read few of all events: the database leaves the rest out.
    for (const reading of group) answers.set(reading, await readEvents(reader, reading, reading.range))
    return
  }
  const { events, next } = await findEvents(reader, interest, range)
  const callers = group.map(({ caller }) => caller)
  const mayRead = await findReadRights(reader, callers, events)
  for (const reading of group) {
    const own = events.filter((event) => mayRead(reading.caller, event))
    answers.set(reading, { events: own, next })
  }
}
