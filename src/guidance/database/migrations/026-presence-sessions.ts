import type { Kysely } from 'kysely'
import { index } from './tables.ts'

/** The session of a presence, which ends with it; null if a token was used. */
export async function presenceSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('presences')
    .addColumn('session_id', 'integer', (column) => column.references('sessions.id').onDelete('cascade'))
    .execute()
  await index(db, 'presences', 'session_id')
}
