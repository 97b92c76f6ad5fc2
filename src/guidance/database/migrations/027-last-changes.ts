import type { Kysely } from 'kysely'
import type { Columns } from './columns.ts'

/** The last use of an identity, and an index of rules by their last change, which lists of components show. */
export async function lastChanges(db: Kysely<unknown>, { timestamp }: Columns): Promise<void> {
  await db.schema.alterTable('identities').addColumn('last_sign_in_at', timestamp).execute()
  await db.schema.createIndex('rules_changed').on('rules').columns(['component_id', 'updated_at']).execute()
}
