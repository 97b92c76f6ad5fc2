import { sql, type Kysely } from 'kysely'
import type { Columns } from './columns.ts'
import { index, numbers, oneOf, references, requiredTexts, texts } from './tables.ts'

/** Plans of merging returned files into components. */
export async function merges(db: Kysely<unknown>, { id, timestamp, finish }: Columns): Promise<void> {
  const plans = references(db.schema.createTable('merges').addColumn('id', 'integer', id), {
    component_id: { to: 'components', onDelete: 'cascade' },
    user_id: { to: 'users', onDelete: 'set null' },
  })
  const described = requiredTexts(plans, ['file_name', 'format', 'state', 'base_source', 'notes', 'audits'])
  await finish(
    numbers(described, ['unchanged'])
      .addColumn('base_until', timestamp)
      .addColumn('created_at', timestamp, (column) => column.notNull())
      .addColumn('updated_at', timestamp, (column) => column.notNull())
      .addCheckConstraint('merges_state', oneOf('state', ['planning', 'open', 'applied', 'undone']))
      .addCheckConstraint('merges_base_source', oneOf('base_source', ['file', 'chosen', 'history'])),
  ).execute()
  await index(db, 'merges', 'component_id')
  const fields = references(db.schema.createTable('merge_fields').addColumn('id', 'integer', id), {
    merge_id: { to: 'merges', onDelete: 'cascade' },
    rule_id: { to: 'rules', onDelete: 'cascade' },
  })
  const valued = requiredTexts(fields, ['field', 'base', 'ours', 'theirs', 'outcome'])
  await finish(
    texts(valued, ['merged', 'take', 'text'])
      .addCheckConstraint('merge_fields_outcome', oneOf('outcome', ['theirs', 'ours', 'same', 'merged', 'conflict']))
      .addCheckConstraint(
        'merge_fields_take',
        sql`take is null or ${oneOf('take', ['ours', 'theirs', 'merged', 'text'])}`,
      ),
  ).execute()
  await index(db, 'merge_fields', 'merge_id', 'rule_id')
  await index(db, 'merge_fields', 'rule_id')
}
