import { expressionBuilder, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import type { EventKind } from '../../../tables/event-kinds.ts'
import type { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import { mayReadEvent, projectsKnownTo } from '../../parts/readable.ts'
import { isTooOld } from './retention.ts'
import type { Event } from './shape.ts'
import { findHorizon } from './visible-events.ts'

/** Rows that one statement reads at most, even if the caller may see few of them. */
const MAX_ROWS_READ = 5000

/** The events that a client asks for. */
export interface EventFilter {
  readonly projectId: number | null
  readonly componentId: number | null
  /** Empty means all. */
  readonly kinds: readonly EventKind[]
  /** Whether the stream also has the people who have the component open. */
  readonly presences: boolean
}

export interface StreamStart {
  /** The number after which to begin. */
  readonly cursor: number
  /** Whether events after the requested number have been removed. */
  readonly gap: boolean
  /** The last event that the caller may read; 0 without one. */
  readonly last: number
}

/**
 * Finds where a stream begins after event `after`; null begins with the next event. All numbers are those of events that
 * the caller may read, so that they reveal nothing about others.
 */
export async function findStart(database: Database, caller: Caller, after: number | null): Promise<StreamStart> {
  const { horizon } = await findHorizon(database)
  const last = await findLastReadable(database.read, caller, horizon)
  if (after === null || after === last) return { cursor: last, gap: false, last }
  // The caller could read it once, or it comes from another database, of which this one may be an older copy.
  if (after > last) return { cursor: last, gap: true, last }
  const oldest = await database.read
    .selectFrom('events')
    .select(['id', 'created_at'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined || after >= oldest.id - 1) return { cursor: after, gap: false, last }
  // The newest of the expired events is kept, as a sign that earlier ones were removed.
  const gap = isTooOld(oldest.created_at)
  return { cursor: Math.max(after, Math.min(oldest.id - 1, last)), gap, last }
}

/** Only reads projects with something that the caller may read, because an index has the events of each project. */
async function findLastReadable(reader: Reader, caller: Caller, horizon: number): Promise<number> {
  if (caller.admin) return horizon
  const { last } = await reader
    .selectFrom('events')
    .select((is) => is.fn.max<number | null>('id').as('last'))
    .where('id', '<=', horizon)
    .where('project_id', 'in', readableProjects(caller))
    .where(mayReadEvent(caller))
    .executeTakeFirstOrThrow()
  return last ?? 0
}

/** Selects the projects of the caller's memberships, and those that have released components. */
function readableProjects(caller: Caller) {
  const released = expressionBuilder<Schema>()
    .selectFrom('components as open')
    .select('open.project_id')
    .where('open.released', '=', 1)
  return projectsKnownTo(caller).union(released)
}

export interface EventRange {
  readonly after: number
  /** Not beyond the horizon. */
  readonly upTo: number
  readonly limit: number
}

export interface EventBatch {
  readonly events: readonly Event[]
  /** Everything up to here has been read. */
  readonly next: number
}

const dataColumn = z.record(z.string(), z.json())

/**
 * Events in the order of their numbers that the caller may read now. Reads a limited range of the table, so there may be
 * more events than it returns.
 */
export function readEvents(
  reader: Reader,
  { caller, filter }: { readonly caller: Caller; readonly filter: EventFilter },
  range: EventRange,
): Promise<EventBatch> {
  return readWhere(reader, range, (is) => is.and([mayReadEvent(caller), matchesFilter(is, filter)]))
}

/** Reads events without a check of access: streams that share a reading check it afterwards. */
export function findEvents(reader: Reader, filter: EventFilter, range: EventRange): Promise<EventBatch> {
  return readWhere(reader, range, (is) => matchesFilter(is, filter))
}

async function readWhere(
  reader: Reader,
  { after, upTo, limit }: EventRange,
  condition: (is: EventExpressionBuilder) => Expression<SqlBool>,
): Promise<EventBatch> {
  const end = Math.min(upTo, after + MAX_ROWS_READ)
  const rows = await reader
    .selectFrom('events')
    .selectAll()
    .where('id', '>', after)
    .where('id', '<=', end)
    .where(condition)
    .orderBy('id')
    .limit(limit)
    .execute()
  const events = rows.map((row) => ({ ...row, data: dataColumn.parse(JSON.parse(row.data)) }))
  const last = events.length === limit ? events.at(-1) : undefined
  return { events, next: last?.id ?? end }
}

type EventExpressionBuilder = ExpressionBuilder<Schema, 'events'>

function matchesFilter(
  is: EventExpressionBuilder,
  { projectId, componentId, kinds }: EventFilter,
): Expression<SqlBool> {
  return is.and([
    ...(projectId === null ? [] : [is('events.project_id', '=', projectId)]),
    ...(componentId === null ? [] : [is('events.component_id', '=', componentId)]),
    ...(kinds.length === 0 ? [] : [is('events.kind', 'in', [...kinds])]),
  ])
}
