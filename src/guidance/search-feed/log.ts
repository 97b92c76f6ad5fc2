import { sql } from 'kysely'
import { nextTurn } from '../../platform/concurrency/turns.ts'
import type { Database } from '../database/database.ts'

/** A reader that is more changes behind than this reads everything again. */
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
  const oldestKept = newest - KEPT
  for (let from = oldest; from < oldestKept; from += PORTION) {
    const until = Math.min(from + PORTION, oldestKept)
    await database.transact((writer) => writer.deleteFrom('search_changes').where('sequence', '<', until).execute())
    await nextTurn()
  }
}

/** Clears the log, so that every search index rebuilds itself. */
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
