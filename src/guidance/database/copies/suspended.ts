import { sql, type QueryExecutorProvider } from 'kysely'
import { Refusal } from '../../../platform/errors.ts'
import type { DialectName } from '../dialect.ts'
import { isOrphan } from '../faults.ts'
import type { TableShape } from './tables.ts'

/**
 * Suspends foreign keys and triggers within a transaction, so that rows can be inserted in any order. The returned function
 * restores them, and refuses rows that refer to missing ones.
 */
export async function suspendRules(
  db: QueryExecutorProvider,
  dialect: DialectName,
  tables: readonly TableShape[],
): Promise<() => Promise<void>> {
  return dialect === 'sqlite' ? suspendInSqlite(db) : suspendInPostgres(db, tables)
}

async function suspendInSqlite(db: QueryExecutorProvider): Promise<() => Promise<void>> {
  // This lasts until the transaction ends.
  await sql`pragma defer_foreign_keys = on`.execute(db)
  const { rows } = await sql<{ name: string; statement: string }>`
    select name, sql as statement from sqlite_master where type = 'trigger'`.execute(db)
  for (const { name } of rows) await sql`drop trigger ${sql.ref(name)}`.execute(db)
  return async () => {
    for (const { statement } of rows) await sql.raw(statement).execute(db)
    const { rows: orphans } = await sql<{ table: string }>`
      select "table" from pragma_foreign_key_check limit 1`.execute(db)
    const [orphan] = orphans
    if (orphan !== undefined) throw orphanedRefusal(orphan.table)
  }
}

function orphanedRefusal(table: string): Refusal {
  return new Refusal('backup_unusable', `A row of ${table} refers to another one that is not in the backup.`)
}

async function suspendInPostgres(
  db: QueryExecutorProvider,
  tables: readonly TableShape[],
): Promise<() => Promise<void>> {
  const { rows } = await sql<{ readonly table_name: string; readonly name: string; readonly definition: string }>`
    select classes.relname as table_name, conname as name, pg_get_constraintdef(constraints.oid) as definition
    from pg_constraint as constraints join pg_class as classes on classes.oid = conrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(db)
  for (const { table_name, name } of rows)
    await sql`alter table ${sql.table(table_name)} drop constraint ${sql.ref(name)}`.execute(db)
  for (const { name } of tables) await sql`alter table ${sql.table(name)} disable trigger user`.execute(db)
  return async () => {
    for (const { name } of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(db)
    for (const { table_name, name, definition } of rows) {
      const statement = sql`alter table ${sql.table(table_name)}
        add constraint ${sql.ref(name)} ${sql.raw(definition)}`
      await statement.execute(db).catch((error: unknown) => {
        throw isOrphan(error) ? orphanedRefusal(table_name) : error
      })
    }
  }
}
