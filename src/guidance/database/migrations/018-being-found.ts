import { sql, type Kysely } from 'kysely'
import type { Columns } from './columns.ts'

/** Whether people may be added to projects by others, and who has found whom by the complete address. */
export async function beingFound(db: Kysely<unknown>, { timestamp, finish }: Columns): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('accepts_memberships', 'integer', (column) =>
      column
        .notNull()
        .defaultTo(1)
        .check(sql`accepts_memberships in (0, 1)`),
    )
    .execute()
  const table = db.schema
    .createTable('found_users')
    .addColumn('finder_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('found_at', timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('found_users_by_finder_user', ['finder_id', 'user_id'])
  await finish(table).execute()
  await db.schema.createIndex('found_users_by_user_id').on('found_users').column('user_id').execute()
}
