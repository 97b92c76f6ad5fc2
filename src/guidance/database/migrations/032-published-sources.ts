import type { Kysely } from 'kysely'

/** The STIG that a component was made from, and the published rule of each rule, by their names in files. */
export async function publishedSources(db: Kysely<unknown>): Promise<void> {
  for (const column of ['source_stig_id', 'source_stig_version'])
    await db.schema.alterTable('components').addColumn(column, 'text').execute()
  await db.schema.alterTable('rules').addColumn('source_rule_id', 'text').execute()
}
