import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Writer } from '../../database/transaction.ts'

/** Of PostgreSQL's advisory locks, beside those of `Writer.lock`. */
const NUMBERING = 8806

/** Transactions that have said so already: one lock of each is enough. */
const numbering = new WeakSet<Writer>()

/**
 * Says that this transaction is about to number events, from which number on. Must come before they
 * are inserted. Nobody waits for anybody.
 */
export async function beginNumbering(writer: Writer): Promise<void> {
  // SQLite has one writer at a time: numbers become visible in their order.
  if (writer.dialect === 'sqlite' || numbering.has(writer)) return
  numbering.add(writer)
  await sql`
    select pg_advisory_xact_lock_shared(
      ${NUMBERING}::int, (case when is_called then last_value else 0 end)::int)
    from events_id_seq`.execute(writer)
}

export interface Horizon {
  /** The highest number that can be seen; 0 when there is none. */
  readonly newest: number
  /** Up to here, all events can be seen that ever will be. */
  readonly horizon: number
}

/**
 * How far events may be told without skipping one that becomes visible later. Of PostgreSQL's transactions, one that began earlier may commit its lower numbers later. The order of
 * the two questions matters: whoever begins to number after the first gets higher numbers than it
 * saw, and whoever has begun before the second and is not done holds a lock with their lowest.
 */
export async function findHorizon({ dialect, read }: Database): Promise<Horizon> {
  const { newest } = await read
    .selectFrom('events')
    .select((is) => is.fn.max<number | null>('id').as('newest'))
    .executeTakeFirstOrThrow()
  if (newest === null) return { newest: 0, horizon: 0 }
  if (dialect === 'sqlite') return { newest, horizon: newest }
  const { rows } = await sql<{ readonly floor: number | null }>`
    select min(objid::bigint) as floor from pg_locks
    where locktype = 'advisory' and classid = ${NUMBERING}::oid and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())`.execute(read)
  return { newest, horizon: Math.min(newest, rows[0]?.floor ?? newest) }
}
