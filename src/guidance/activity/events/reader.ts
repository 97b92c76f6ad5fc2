import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import type { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import { findHorizon } from './horizon.ts'
import type { EventKind } from './kinds.ts'
import { isTooOld } from './retention.ts'
import type { Event } from './shape.ts'

/** Rows that one statement reads at most, even if the caller may see few of them. */
const STRETCH = 5000

/** The events that a client asks for. */
export interface EventFilter {
  readonly projectId: number | null
  readonly componentId: number | null
  /** Empty means all. */
  readonly kinds: readonly EventKind[]
  /** Whether it is told, too, who has the component open. */
  readonly presences: boolean
}

export interface StreamStart {
  /** The number after which to begin. */
  readonly cursor: number
  /** Whether events after the requested number have been removed. */
  readonly gap: boolean
  readonly horizon: number
}

/** Where a stream begins after event `after`; null begins with the next event. */
export async function findStart(database: Database, after: number | null): Promise<StreamStart> {
  const { newest, horizon } = await findHorizon(database)
  if (after === null) return { cursor: horizon, gap: false, horizon }
  // The number comes from another database, or this one was restored from an older copy.
  if (after > newest) return { cursor: horizon, gap: true, horizon }
  const oldest = await database.read
    .selectFrom('events')
    .select(['id', 'created_at'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (oldest === undefined || after >= oldest.id - 1) return { cursor: after, gap: false, horizon }
  // The newest of the expired events is kept, as a sign that earlier ones were removed.
  const gap = isTooOld(oldest.created_at)
  return { cursor: Math.max(after, Math.min(oldest.id - 1, horizon)), gap, horizon }
}

export interface EventRange {
  readonly after: number
  /** Not beyond the horizon. */
  readonly upTo: number
  readonly most: number
}

export interface EventBatch {
  readonly events: readonly Event[]
  /** Everything up to here has been read. */
  readonly next: number
}

const dataColumn = z.record(z.string(), z.json())

/**
 * Events in the order of their numbers, as far as the caller may read them now. Reads at most one stretch of the
 * table, so there may be more than it returns.
 */
export function readEvents(
  reader: Reader,
  { caller, interest }: { readonly caller: Caller; readonly interest: EventFilter },
  range: EventRange,
): Promise<EventBatch> {
  return readWhere(reader, range, (is) =>
    is.and([readableBy(is, caller), isOfInterest(is, interest)]),
  )
}

/** The same, whoever may read them: for what several share, which asks that by itself. */
export function findEvents(
  reader: Reader,
  interest: EventFilter,
  range: EventRange,
): Promise<EventBatch> {
  return readWhere(reader, range, (is) => isOfInterest(is, interest))
}

async function readWhere(
  reader: Reader,
  { after, upTo, most }: EventRange,
  isWanted: (is: OnEvents) => Expression<SqlBool>,
): Promise<EventBatch> {
  const end = Math.min(upTo, after + STRETCH)
  const rows = await reader
    .selectFrom('events')
    .selectAll()
    .where('id', '>', after)
    .where('id', '<=', end)
    .where(isWanted)
    .orderBy('id')
    .limit(most)
    .execute()
  const events = rows.map((row) => ({ ...row, data: dataColumn.parse(JSON.parse(row.data)) }))
  const last = events.length === most ? events.at(-1) : undefined
  return { events, next: last?.id ?? end }
}

type OnEvents = ExpressionBuilder<Schema, 'events'>

/** Events of member projects, of components with a membership, and of released ones (contract §4). */
function readableBy(is: OnEvents, caller: Caller): Expression<SqlBool> {
  if (caller.admin) return sql<SqlBool>`1 = 1`
  return is.or([
    is('events.project_id', 'in', (own) =>
      own.selectFrom('memberships').select('project_id').where('user_id', '=', caller.id),
    ),
    is('events.component_id', 'in', (own) =>
      own
        .selectFrom('component_memberships')
        .select('component_id')
        .where('user_id', '=', caller.id),
    ),
    is('events.component_id', 'in', (released) =>
      released.selectFrom('components').select('components.id').where('released', '=', 1),
    ),
  ])
}

function isOfInterest(
  is: OnEvents,
  { projectId, componentId, kinds }: EventFilter,
): Expression<SqlBool> {
  return is.and([
    ...(projectId === null ? [] : [is('events.project_id', '=', projectId)]),
    ...(componentId === null ? [] : [is('events.component_id', '=', componentId)]),
    ...(kinds.length === 0 ? [] : [is('events.kind', 'in', [...kinds])]),
  ])
}
