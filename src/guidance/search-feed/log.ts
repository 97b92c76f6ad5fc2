import { sql } from 'kysely'
import { nextTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../database/database.ts'

/** A reader that is further behind than this reads everything again. */
const MAX_CHANGES = 50_000
/** Entries that one transaction removes, so that others do not wait long. */
const BATCH_SIZE = 5000

/** Removes old entries of the log of changes. */
export async function removeOldChanges(database: Database): Promise<void> {
  const { rows } = await sql<{ oldest: number | null; newest: number | null }>`
    select (select min(sequence) from search_changes) as oldest,
      (select max(sequence) from search_changes) as newest`.execute(database.read)
  const [{ oldest, newest } = { oldest: null, newest: null }] = rows
  if (oldest === null || newest === null) return
  const oldestKept = newest - MAX_CHANGES
  for (let from = oldest; from < oldestKept; from += BATCH_SIZE) {
    const until = Math.min(from + BATCH_SIZE, oldestKept)
    await database.transact((writer) => writer.deleteFrom('search_changes').where('sequence', '<', until).execute())
    await nextTurn()
  }
}

/** Clears the log, so that every search index rebuilds itself. */
export async function resetChangeLog(database: Database): Promise<void> {
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
