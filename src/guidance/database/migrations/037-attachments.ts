import type { Kysely } from 'kysely'
import type { Columns } from './columns.ts'
import { index, numbers, references, requiredTexts } from './tables.ts'

/** Files that show how a rule is met. Their bytes are in rows of limited size, which are written and read one by one. */
export async function attachments(db: Kysely<unknown>, { id, timestamp, bytes, finish }: Columns): Promise<void> {
  const files = references(db.schema.createTable('attachments').addColumn('id', 'integer', id), {
    rule_id: { to: 'rules', onDelete: 'cascade' },
    user_id: { to: 'users', onDelete: 'set null' },
  })
  await finish(
    numbers(requiredTexts(files, ['name', 'media_type', 'sha256', 'author_name']), ['bytes']).addColumn(
      'created_at',
      timestamp,
      (column) => column.notNull(),
    ),
  ).execute()
  await index(db, 'attachments', 'rule_id')
  await index(db, 'attachments', 'user_id')
  const parts = references(db.schema.createTable('attachment_parts'), {
    attachment_id: { to: 'attachments', onDelete: 'cascade' },
  })
  await finish(
    numbers(parts, ['position'])
      .addColumn('content', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('attachment_parts_key', ['attachment_id', 'position']),
  ).execute()
}
