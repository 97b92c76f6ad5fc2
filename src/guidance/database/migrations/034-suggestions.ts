import type { Kysely } from 'kysely'

/** The text that a comment suggests for a field of its rule, the text that it would replace, and what was accepted. */
export async function suggestions(db: Kysely<unknown>): Promise<void> {
  for (const column of ['suggested_field', 'suggested_text', 'suggested_base', 'accepted_text'])
    await db.schema.alterTable('reviews').addColumn(column, 'text').execute()
}
