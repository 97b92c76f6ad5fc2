import type { Caller } from '../../../http/caller.ts'
import { append } from '../../../platform/append.ts'
import type { Reader } from '../../database/transaction.ts'
import {
  findEvents,
  readEvents,
  type EventBatch,
  type EventFilter,
  type EventRange,
} from './reader.ts'
import type { Event } from './shape.ts'

/** What one stream asks for next. */
export interface Reading {
  readonly caller: Caller
  readonly interest: EventFilter
  readonly range: EventRange
}

/**
 * What each of several streams may be told now. Those that follow the same component or project, up to where the others
 * are, share the reading of its events; who may read which of them is looked up after that, for all of them at once.
 */
export async function readForAll(
  reader: Reader,
  readings: readonly Reading[],
): Promise<readonly EventBatch[]> {
  const groups = new Map<string, Reading[]>()
  for (const reading of readings) append(groups, keyOf(reading), reading)
  const answers = new Map<Reading, EventBatch>()
  for (const group of groups.values()) await readGroup(reader, group, answers)
  return readings.flatMap((reading) => answers.get(reading) ?? [])
}

function keyOf({ interest, range }: Reading): string {
  const { projectId, componentId, kinds } = interest
  return JSON.stringify([projectId, componentId, kinds, range.after, range.upTo, range.most])
}

async function readGroup(
  reader: Reader,
  group: readonly Reading[],
  answers: Map<Reading, EventBatch>,
): Promise<void> {
  const [first] = group
  if (first === undefined) return
  const { interest, range } = first
  const isOfOne = interest.componentId !== null || interest.projectId !== null
  if (group.length === 1 || !isOfOne) {
    // Of everything that happens, one person may read little: the database leaves the rest out.
    for (const reading of group)
      answers.set(reading, await readEvents(reader, reading, reading.range))
    return
  }
  const { events, next } = await findEvents(reader, interest, range)
  const mayRead = await findRights(reader, group, events)
  for (const reading of group) {
    const own = events.filter((event) => mayRead(reading.caller, event))
    answers.set(reading, { events: own, next })
  }
}

type Right = (caller: Caller, event: Event) => boolean

/** By the memberships and releases that there are now, as `readEvents` has it. */
async function findRights(
  reader: Reader,
  group: readonly Reading[],
  events: readonly Event[],
): Promise<Right> {
  const users = [...new Set(group.flatMap(({ caller }) => (caller.admin ? [] : [caller.id])))]
  if (users.length === 0 || events.length === 0) return ({ admin }) => admin
  const projects = [...new Set(events.map(({ project_id }) => project_id))]
  const components = [...new Set(events.flatMap(({ component_id }) => component_id ?? []))]
  const inProjects = await reader
    .selectFrom('memberships')
    .select(['user_id', 'project_id'])
    .where('user_id', 'in', users)
    .where('project_id', 'in', projects)
    .execute()
  const inComponents = await reader
    .selectFrom('component_memberships')
    .select(['user_id', 'component_id'])
    .where('user_id', 'in', users)
    .where('component_id', 'in', components)
    .execute()
  const released = await reader
    .selectFrom('components')
    .select('id')
    .where('released', '=', 1)
    .where('id', 'in', components)
    .execute()
  const known = new Set([
    ...inProjects.map(({ user_id, project_id }) => `${user_id} project ${project_id}`),
    ...inComponents.map(({ user_id, component_id }) => `${user_id} component ${component_id}`),
  ])
  const open = new Set(released.map(({ id }) => id))
  return ({ id, admin }, { project_id, component_id }) =>
    admin ||
    known.has(`${id} project ${project_id}`) ||
    (component_id !== null &&
      (open.has(component_id) || known.has(`${id} component ${component_id}`)))
}
