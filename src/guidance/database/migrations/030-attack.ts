import { sql, type Kysely } from 'kysely'
import type { DialectName } from '../dialect.ts'
import { kindIn, referenceData } from './029-reference-data.ts'
import { columnsOf } from './columns.ts'

const KINDS = ['cci_list', 'sp800_53', 'attack']

const TABLES = ['reference_sources', 'reference_items', 'reference_controls']

/** Lets ATT&CK be reference data too. */
export async function attack(
  db: Kysely<unknown>,
  dialect: DialectName,
  kinds: readonly string[] = KINDS,
): Promise<void> {
  if (dialect === 'sqlite') return rebuildTables(db, kinds)
  await db.schema.alterTable('reference_sources').dropConstraint('reference_sources_kind_check').execute()
  await db.schema
    .alterTable('reference_sources')
    .addCheckConstraint('reference_sources_kind_check', kindIn(kinds))
    .execute()
}

/**
 * SQLite cannot change a condition. All three tables are rebuilt, because rows are removed with the rows that they
 * refer to.
 */
async function rebuildTables(db: Kysely<unknown>, kinds: readonly string[]): Promise<void> {
  const pairs = TABLES.map((name) => ({ table: sql.table(name), copy: sql.table(`former_${name}`) }))
  for (const { table, copy } of pairs) await sql`create table ${copy} as select * from ${table}`.execute(db)
  for (const { table } of pairs.toReversed()) await sql`drop table ${table}`.execute(db)
  await referenceData(db, columnsOf('sqlite'), kinds)
  for (const { table, copy } of pairs) await sql`insert into ${table} select * from ${copy}`.execute(db)
  for (const { copy } of pairs) await sql`drop table ${copy}`.execute(db)
}
