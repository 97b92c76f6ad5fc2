import { existsSync } from 'node:fs'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { Refusal } from '../../../platform/errors.ts'
import { toRefusal, type DatabaseAddress } from '../database.ts'
import type { DialectName } from '../dialect.ts'
import { appliedMigrations } from '../migrate.ts'
import type { Schema } from '../schema/schema.ts'
import { sqliteDialect } from '../sqlite.ts'
import { findTables, type TableShape } from './tables.ts'

/** Limit of rows in memory; one for a table with files. */
const AT_ONCE = 200

type Connection = Kysely<Schema>
type Rows = AsyncGenerator<readonly Readonly<Record<string, unknown>>[], void>

export interface TableCopy extends TableShape {
  readonly rows: number
  /** The highest id that was ever assigned; null if the table has no ids. */
  readonly lastId: number | null
}

/** The database at one moment; other connections can write meanwhile. */
export interface Snapshot {
  readonly dialect: DialectName
  /** The migrations that have run, in their order. */
  readonly migrations: readonly string[]
  readonly tables: readonly TableCopy[]
  /** Reads all rows of a table, a few at a time. */
  readonly rows: (table: TableShape) => Rows
}

/**
 * Reads a database of any schema in one transaction; nothing is migrated. It does not block writers, because both databases
 * keep old versions of changed rows.
 */
export async function withSnapshot<T>(address: DatabaseAddress, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const { db, dialect } = await connect(address)
  try {
    return await db.connection().execute(async (connection) => {
      await run(connection, BEGIN[dialect])
      return work(await snapshotOf(connection, dialect))
    })
  } catch (error) {
    throw toRefusal(error)
  } finally {
    await db.destroy()
  }
}

const BEGIN = {
  sqlite: 'begin',
  postgres: 'begin isolation level repeatable read read only',
}

async function connect(address: DatabaseAddress): Promise<{ readonly db: Connection; readonly dialect: DialectName }> {
  if ('server' in address) {
    const { postgresDialect } = await import('../postgres.ts')
    return {
      db: new Kysely<Schema>({ dialect: postgresDialect(address.server, null, 'migrator') }),
      dialect: 'postgres',
    }
  }
  if (!existsSync(address.file)) throw new Refusal('database_missing', `There is no database at ${address.file}.`)
  return {
    db: new Kysely<Schema>({ dialect: sqliteDialect(address.file, 'reader') }),
    dialect: 'sqlite',
  }
}

async function snapshotOf(connection: Connection, dialect: DialectName): Promise<Snapshot> {
  // The first statement that reads begins the snapshot.
  const migrations = await appliedMigrations(connection)
  if (migrations.length === 0)
    throw new Refusal('database_missing', 'The database is empty: no service was started on it.')
  const lastIds = await findLastIds(connection, dialect)
  const tables: TableCopy[] = []
  for (const table of await findTables(connection, dialect)) {
    const { rows } = await sql<{ found: number }>`
      select count(*) as found from ${sql.table(table.name)}`.execute(connection)
    tables.push({ ...table, rows: rows[0]?.found ?? 0, lastId: lastIds.get(table.name) ?? null })
  }
  const rows = dialect === 'sqlite' ? rowsOfSqlite : rowsOfPostgres
  return { dialect, migrations, tables, rows: (table) => rows(connection, table) }
}

/** Ids of removed rows are never reused, because the audit trail has them. */
async function findLastIds(connection: Connection, dialect: DialectName): Promise<ReadonlyMap<string, number>> {
  const query =
    dialect === 'sqlite'
      ? sql<LastIdRow>`select name as table_name, seq as last from sqlite_sequence`
      : sql<LastIdRow>`
          select tables.relname as table_name,
            pg_sequence_last_value(pg_get_serial_sequence(tables.oid::regclass::text, 'id')::regclass) as last
          from pg_class as tables
          join pg_attribute as columns on columns.attrelid = tables.oid
          where columns.attname = 'id' and columns.attidentity <> ''
            and tables.relnamespace = current_schema()::regnamespace`
  const { rows } = await query.execute(connection)
  return new Map(rows.map(({ table_name, last }) => [table_name, last ?? 0]))
}

interface LastIdRow {
  readonly table_name: string
  readonly last: number | null
}

/** Reads batches by row number, because libsql has no asynchronous cursors. */
async function* rowsOfSqlite(connection: Connection, table: TableShape): Rows {
  const columns = sql.join(table.columns.map(({ name }) => sql.ref(name)))
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${columns}, rowid as ${sql.ref(ROW_NUMBER)} from ${sql.table(table.name)}
      where rowid > ${after} order by rowid limit ${rowsAtOnce(table)}`.execute(connection)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = Number(last[ROW_NUMBER])
  }
}

const ROW_NUMBER = 'place in the table'

async function* rowsOfPostgres(connection: Connection, table: TableShape): Rows {
  const columns = sql.join(table.columns.map(({ name }) => sql.ref(name)))
  await sql`declare copied no scroll cursor for
    select ${columns} from ${sql.table(table.name)} order by 1`.execute(connection)
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`
      fetch ${sql.lit(rowsAtOnce(table))} from copied`.execute(connection)
    if (rows.length === 0) break
    yield rows
  }
  await run(connection, 'close copied')
}

function rowsAtOnce({ columns }: TableShape): number {
  return columns.some(({ kind }) => kind === 'bytes') ? 1 : AT_ONCE
}

async function run(connection: Connection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement))
}
