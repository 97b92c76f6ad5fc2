import type { Kysely } from 'kysely'
import type { Columns } from './columns.ts'

/** Acceptances of the terms of use: person, version, and first time. */
export async function consents(db: Kysely<unknown>, { timestamp, finish }: Columns): Promise<void> {
  const table = db.schema
    .createTable('consents')
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('accepted_at', timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('consents_by_user_version', ['user_id', 'version'])
  await finish(table).execute()
}
