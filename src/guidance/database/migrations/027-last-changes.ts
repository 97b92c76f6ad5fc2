import type { Kysely } from 'kysely'
import type { Columns } from './columns.ts'

/** When an identity was used last, and rules by the time of their last change, which lists of components show. */
export async function lastChanges(db: Kysely<unknown>, { timestamp }: Columns): Promise<void> {
  await db.schema.alterTable('identities').addColumn('last_sign_in_at', timestamp).execute()
  await db.schema.createIndex('rules_changed').on('rules').columns(['component_id', 'updated_at']).execute()
}
