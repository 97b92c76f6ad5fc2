import type { Kysely } from 'kysely'
import type { Columns } from './columns.ts'
import { index, references } from './tables.ts'

/** Open components by window; a few rows, which expire by themselves. */
export async function presences(db: Kysely<unknown>, { timestamp, finish }: Columns): Promise<void> {
  const table = references(db.schema.createTable('presences'), {
    user_id: { to: 'users', onDelete: 'cascade' },
    component_id: { to: 'components', onDelete: 'cascade' },
    rule_id: { to: 'rules', onDelete: 'set null' },
  })
    .addColumn('window', 'text', (column) => column.notNull())
    .addColumn('seen_at', timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('presences_by_user_window', ['user_id', 'window'])
  await finish(table).execute()
  await index(db, 'presences', 'component_id')
  await index(db, 'presences', 'rule_id')
}
