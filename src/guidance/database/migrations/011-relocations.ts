import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Columns } from './columns.ts'
import { index, references, requiredTexts, texts } from './tables.ts'

type Database = Kysely<unknown>

export async function relocations(db: Database, columns: Columns): Promise<void> {
  await proposals(db, columns)
  await destinations(db, columns)
}

async function proposals(db: Database, { id, timestamp, finish }: Columns): Promise<void> {
  const numbered = db.schema.createTable('requirement_relocations').addColumn('id', 'integer', id)
  const table = references(numbered, {
    source_rule_id: { to: 'rules', onDelete: 'cascade' },
    target_rule_id: { to: 'rules', onDelete: 'set null' },
    requested_by_id: { to: 'users', onDelete: 'set null' },
    accepted_by_id: { to: 'users', onDelete: 'set null' },
    declined_by_id: { to: 'users', onDelete: 'set null' },
  })
    .addColumn('executed_at', timestamp)
    .addColumn('declined_at', timestamp)
    .addColumn('created_at', timestamp, (is) => is.notNull())
    .addColumn('updated_at', timestamp, (is) => is.notNull())
  const required = requiredTexts(table, ['target_technology_token', 'requested_by_name'])
  await finish(texts(required, ['accepted_by_name', 'declined_by_name', 'adjudication_rationale'])).execute()
  await index(db, 'requirement_relocations', 'source_rule_id')
  await index(db, 'requirement_relocations', 'target_rule_id')
  await db.schema
    .createIndex('requirement_relocations_open')
    .unique()
    .on('requirement_relocations')
    .column('source_rule_id')
    .where(sql<boolean>`executed_at is null and declined_at is null`)
    .execute()
}

async function destinations(db: Database, { finish }: Columns): Promise<void> {
  const table = references(db.schema.createTable('relocation_destinations'), {
    relocation_id: { to: 'requirement_relocations', onDelete: 'cascade' },
    project_id: { to: 'projects', onDelete: 'cascade' },
  }).addPrimaryKeyConstraint('relocation_destinations_key', ['relocation_id', 'project_id'])
  await finish(table).execute()
  await index(db, 'relocation_destinations', 'project_id')
}
