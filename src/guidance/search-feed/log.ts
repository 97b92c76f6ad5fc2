import { sql } from 'kysely'
import { nextTurn } from '../../platform/turns.ts'
import type { Database } from '../database/database.ts'

/** Whoever has not read for so many changes reads everything anew. */
const KEPT = 50_000
/** Removed in one transaction, so that nobody waits long for it. */
const PORTION = 5000

/** Removes old entries of the log of changes. */
export async function removeOldChanges(database: Database): Promise<void> {
  const { rows } = await sql<{ oldest: number | null; newest: number | null }>`
    select (select min(sequence) from search_changes) as oldest,
      (select max(sequence) from search_changes) as newest`.execute(database.read)
  const [{ oldest, newest } = { oldest: null, newest: null }] = rows
  if (oldest === null || newest === null) return
  const kept = newest - KEPT
  for (let from = oldest; from < kept; from += PORTION) {
    const until = Math.min(from + PORTION, kept)
    await database.transact((writer) =>
      writer.deleteFrom('search_changes').where('sequence', '<', until).execute(),
    )
    await nextTurn()
  }
}

/** Begins the log anew, so that every index of the search reads everything again. */
export async function beginChangesAnew(database: Database): Promise<void> {
  await database.transact(async (writer) => {
    await writer.lock('changes', 0)
    const { sequence } = await writer
      .insertInto('search_changes')
      .values({ kind: 'start', id: 0 })
      .returning('sequence')
      .executeTakeFirstOrThrow()
    await writer.deleteFrom('search_changes').where('sequence', '<', sequence).execute()
  })
}
