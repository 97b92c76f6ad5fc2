import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { Writer } from '../../database/transaction.ts'

/** A number for PostgreSQL's advisory locks that `Writer.lock` does not use. */
const NUMBERING = 8806

/** Transactions that hold the lock already. */
const numbering = new WeakSet<Writer>()

/**
 * Announces with a shared lock, which nobody waits for, that this transaction is about to number events, and the
 * number before its first. Must be called before they are inserted.
 */
export async function beginNumbering(writer: Writer): Promise<void> {
  // SQLite has one writer at a time, so numbers become visible in order.
  if (writer.dialect === 'sqlite' || numbering.has(writer)) return
  numbering.add(writer)
  await sql`
    select pg_advisory_xact_lock_shared(
      ${NUMBERING}::int, (case when is_called then last_value else 0 end)::int)
    from events_id_seq`.execute(writer)
}

export interface VisibleEvents {
  /** The highest number that can be seen; 0 when there is none. */
  readonly newest: number
  /** Up to here, no further events will become visible. */
  readonly horizon: number
}

/**
 * How far events may be sent without skipping one that becomes visible later: in PostgreSQL, a transaction that
 * began earlier may commit lower numbers later. The order of the two queries matters: transactions that begin to
 * number after the first one get higher numbers than it saw, and those that began before the second and are not
 * done hold a lock with the number before their first.
 */
export async function findHorizon({ dialect, read }: Database): Promise<VisibleEvents> {
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
