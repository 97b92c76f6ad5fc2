import { nextTurn } from '../../../platform/concurrency/turns.ts'
import type { Database } from '../../database/database.ts'

/** How long events and the results of deliveries are kept. */
const RETENTION_MS = 30 * 86_400_000
/** Rows that one transaction removes, so that others do not wait long for it. */
const BATCH_SIZE = 500

export function isTooOld(createdAt: string): boolean {
  return Date.parse(createdAt) < Date.now() - RETENTION_MS
}

/**
 * Removes events and deliveries older than 30 days. The newest of those events stays, so that a client that resumes
 * before it is told of the gap.
 */
export async function removeOldEvents(database: Database): Promise<void> {
  while (await removePortion(database, 'webhook_deliveries', 0)) await nextTurn()
  while (await removePortion(database, 'events', 1)) await nextTurn()
}

/** Removes the lowest numbers first, without reading the rows that stay; returns whether there may be more. */
async function removePortion(
  database: Database,
  table: 'events' | 'webhook_deliveries',
  keep: number,
): Promise<boolean> {
  const rows = await database.read
    .selectFrom(table)
    .select(['id', 'created_at'])
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute()
  const old = rows.filter((row) => isTooOld(row.created_at)).map(({ id }) => id)
  const ids = old.slice(0, old.length - keep)
  if (ids.length === 0) return false
  await database.transact((writer) => writer.deleteFrom(table).where('id', 'in', ids).execute())
  return old.length === BATCH_SIZE
}
