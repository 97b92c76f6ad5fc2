import type { Kysely } from 'kysely'
import type { Columns } from './columns.ts'
import { index, numbers, references, requiredTexts, texts } from './tables.ts'

/** Milestones of components. The archive that is frozen when one is reached is in rows of limited size. */
export async function milestones(db: Kysely<unknown>, { id, timestamp, bytes, finish }: Columns): Promise<void> {
  const dated = references(db.schema.createTable('milestones').addColumn('id', 'integer', id), {
    component_id: { to: 'components', onDelete: 'cascade' },
  })
  await finish(
    texts(numbers(requiredTexts(dated, ['name', 'due_on']), ['bytes']), ['reached_by', 'snapshot', 'readiness'])
      .addColumn('reached_at', timestamp)
      .addColumn('created_at', timestamp, (column) => column.notNull()),
  ).execute()
  await index(db, 'milestones', 'component_id')
  const parts = references(db.schema.createTable('milestone_parts'), {
    milestone_id: { to: 'milestones', onDelete: 'cascade' },
  })
  await finish(
    numbers(parts, ['position'])
      .addColumn('content', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('milestone_parts_key', ['milestone_id', 'position']),
  ).execute()
}
