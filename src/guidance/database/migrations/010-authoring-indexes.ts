import type { Kysely } from 'kysely'

const INDEXES = [
  {
    name: 'rules_counted',
    table: 'rules',
    columns: ['component_id', 'deleted_at', 'status', 'rule_severity', 'locked', 'review_requestor_id'],
  },
  {
    name: 'reviews_counted',
    table: 'reviews',
    columns: ['component_id', 'action', 'responding_to_review_id', 'triage_status', 'adjudicated_at', 'rule_id'],
  },
  {
    name: 'reviews_counted_by_rule',
    table: 'reviews',
    columns: ['rule_id', 'action', 'responding_to_review_id', 'adjudicated_at'],
  },
  { name: 'reviews_newest', table: 'reviews', columns: ['component_id', 'created_at', 'id'] },
] as const

/** Indexes that are prefixes of the new ones. */
const SUPERSEDED_INDEXES = ['reviews_by_component_id', 'reviews_by_rule_id']

/** With these indexes, counts do not read the long rows, and the newest comments need no sorting. */
export async function authoringIndexes(db: Kysely<unknown>): Promise<void> {
  for (const { name, table, columns } of INDEXES)
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute()
  for (const name of SUPERSEDED_INDEXES) await db.schema.dropIndex(name).execute()
}
