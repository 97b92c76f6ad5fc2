import type { Kysely } from 'kysely'

/** Stores as JSON which advice is off for a rule: code → reason, person and time. */
export async function adviceOff(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('rules')
    .addColumn('advice_off', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
}
