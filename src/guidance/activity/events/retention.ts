import { nextTurn } from '../../../platform/turns.ts'
import type { Database } from '../../database/database.ts'

/** Events, and what became of deliveries, can be asked for this long. */
const KEPT_MS = 30 * 86_400_000
/** Removed in one transaction, so that nobody waits long for it. */
const PORTION = 500

export function isTooOld(createdAt: string): boolean {
  return Date.parse(createdAt) < Date.now() - KEPT_MS
}

/**
 * Removes the events and deliveries of more than 30 days ago. Of the events, the newest of those stays,
 * to show whoever resumes before it that something is missing.
 */
export async function removeOldEvents(database: Database): Promise<void> {
  while (await removePortion(database, 'webhook_deliveries', 0)) await nextTurn()
  while (await removePortion(database, 'events', 1)) await nextTurn()
}

/** From the lowest number on, without looking at those that stay; whether there may be more. */
async function removePortion(
  database: Database,
  table: 'events' | 'webhook_deliveries',
  staying: number,
): Promise<boolean> {
  const rows = await database.read
    .selectFrom(table)
    .select(['id', 'created_at'])
    .orderBy('id')
    .limit(PORTION)
    .execute()
  const old = rows.filter((row) => isTooOld(row.created_at)).map(({ id }) => id)
  const ids = old.slice(0, old.length - staying)
  if (ids.length === 0) return false
  await database.transact((writer) => writer.deleteFrom(table).where('id', 'in', ids).execute())
  return old.length === PORTION
}
