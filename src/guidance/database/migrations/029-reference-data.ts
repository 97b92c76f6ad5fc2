import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Columns } from './columns.ts'
import { index, numbers, references, requiredTexts } from './tables.ts'

/** Lists that others publish, such as DISA's CCIs, each version with its items. */
export async function referenceData(
  db: Kysely<unknown>,
  columns: Columns,
  kinds: readonly string[] = ['cci_list', 'sp800_53'],
): Promise<void> {
  await sources(db, columns, kinds)
  await items(db, columns)
  await controls(db, columns)
}

async function sources(
  db: Kysely<unknown>,
  { id, timestamp, finish }: Columns,
  kinds: readonly string[],
): Promise<void> {
  const table = db.schema
    .createTable('reference_sources')
    .addColumn('id', 'integer', id)
    .addColumn('kind', 'text', (is) => is.notNull().check(kindIn(kinds)))
    .addColumn('published', 'text')
    .addColumn('imported_at', timestamp, (is) => is.notNull())
  const described = requiredTexts(table, ['title', 'version', 'digest', 'file_name'])
  const unique = numbers(described, ['item_count']).addUniqueConstraint('reference_sources_kind_digest', [
    'kind',
    'digest',
  ])
  await finish(unique).execute()
}

/** The condition on the column with the kind of a list. */
export function kindIn(kinds: readonly string[]): RawBuilder<boolean> {
  return sql`kind in (${sql.join(kinds.map((kind) => sql.lit(kind)))})`
}

async function items(db: Kysely<unknown>, { id, finish }: Columns): Promise<void> {
  const table = db.schema.createTable('reference_items').addColumn('id', 'integer', id)
  const placed = numbers(references(table, { source_id: { to: 'reference_sources', onDelete: 'cascade' } }), [
    'position',
  ])
  const described = requiredTexts(placed, ['item_id', 'document'])
  await finish(described.addUniqueConstraint('reference_items_source_item', ['source_id', 'item_id'])).execute()
  await index(db, 'reference_items', 'source_id', 'position')
}

/** The controls that each CCI refers to, because they are looked up the other way round. */
async function controls(db: Kysely<unknown>, { id, finish }: Columns): Promise<void> {
  const table = db.schema.createTable('reference_controls').addColumn('id', 'integer', id)
  const referring = numbers(references(table, { item_id: { to: 'reference_items', onDelete: 'cascade' } }), [
    'revision',
  ])
  await finish(requiredTexts(referring, ['control'])).execute()
  await index(db, 'reference_controls', 'item_id')
  await index(db, 'reference_controls', 'control')
}
