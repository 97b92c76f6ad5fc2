import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CompiledQuery, Kysely, sql } from 'kysely'
import { hasCode, messageOf, Refusal } from '../../../platform/errors.ts'
import { syncFolder } from '../../../platform/files/durable.ts'
import { makeFolder } from '../../../platform/files/make-folder.ts'
import { toRefusal, type DatabaseAddress } from '../database.ts'
import type { DialectName } from '../dialect.ts'
import { isMisfit } from '../faults.ts'
import { knownMigrations, migratorOf } from '../migrate.ts'
import type { Schema } from '../schema/schema.ts'
import { sqliteDialect } from '../sqlite.ts'
import type { Row } from './rows.ts'
import type { TableCopy } from './snapshot.ts'
import { suspendRules } from './suspended.ts'
import { findTables, type TableShape } from './tables.ts'

/** Values of one statement, below SQLite's limit of parameters. */
const VALUES_AT_ONCE = 8000
const FILES_OF_SQLITE = ['', '-wal', '-shm', '-journal']

type Connection = Kysely<Schema>

export interface DatabaseCopy {
  /** The migrations that had run in the copied database. */
  readonly migrations: readonly string[]
  readonly tables: readonly TableCopy[]
  /** Reads all rows of a table, a few at a time. */
  readonly rows: (table: TableCopy) => AsyncIterable<readonly Row[]>
}

/**
 * Fills an empty database with a copy, in the schema of the copy, then upgrades it, completely or not at all.
 * `beforeCommit` runs last; if it fails, the database stays empty.
 */
export async function restoreDatabase(
  address: DatabaseAddress,
  copy: DatabaseCopy,
  beforeCommit: () => Promise<void>,
): Promise<void> {
  try {
    await requireEmpty(address)
    await ('server' in address
      ? restoreServer(address.server, copy, beforeCommit)
      : restoreFile(address.file, copy, beforeCommit))
  } catch (error) {
    throw toRefusal(error)
  }
}

/** Refuses a database that is not empty. */
export async function requireEmpty(address: DatabaseAddress): Promise<void> {
  if ('server' in address) {
    await onServer(address.server, requireEmptyServer).catch((error: unknown) => {
      throw toRefusal(error)
    })
    return
  }
  const files = FILES_OF_SQLITE.map((ending) => `${address.file}${ending}`).filter(existsSync)
  const [first] = files.filter((file) => statSync(file).size > 0)
  if (first !== undefined) throw new Refusal('target_not_empty', `${first} already exists.`)
}

async function requireEmptyServer(connection: Connection): Promise<void> {
  const { rows } = await sql<{ name: string | null }>`
    select min(relname) as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')`.execute(
    connection,
  )
  const name = rows[0]?.name ?? null
  if (name !== null) throw new Refusal('target_not_empty', `The database is not empty: it has ${name}.`)
}

/** Refuses a copy whose schema this program does not know. */
export function requireKnown(migrations: readonly string[]): void {
  // The names are the same for both databases.
  const knownNames = knownMigrations('sqlite')
  const unknown = migrations.filter((name) => !knownNames.includes(name))
  if (unknown.length > 0)
    throw new Refusal(
      'backup_unusable',
      `The backup was made by a newer version of this program: it has ${unknown.join(', ')}, and this version ` +
        `knows migrations up to ${knownNames.at(-1) ?? 'none'}. Restore it with that version.`,
    )
  if (migrations.length === 0 || migrations.some((name, index) => name !== knownNames[index]))
    throw new Refusal(
      'backup_unusable',
      'The backup was made by a version of this program that lacks some of the migrations before its last one.',
    )
}

const shapes = new Map<string | undefined, Promise<readonly TableShape[]>>()

/** Returns the tables of the schema after these migrations. */
export function tablesAt(migrations: readonly string[]): Promise<readonly TableShape[]> {
  const last = migrations.at(-1)
  const tables = shapes.get(last) ?? makeTables(last)
  shapes.set(last, tables)
  return tables
}

async function makeTables(last: string | undefined): Promise<readonly TableShape[]> {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(':memory:', 'writer') })
  try {
    await migrateUpTo(migratorOf(db, 'sqlite'), last)
    return await findTables(db, 'sqlite')
  } finally {
    await db.destroy()
  }
}

async function restoreServer(server: string, copy: DatabaseCopy, beforeCommit: () => Promise<void>): Promise<void> {
  await onServer(server, async (connection) => {
    await run(connection, 'begin')
    await requireEmptyServer(connection)
    await fill(connection, 'postgres', copy)
    await beforeCommit()
    await run(connection, 'commit')
    await run(connection, 'analyze')
  })
}

/** Runs work on one connection; closing it rolls back an open transaction. */
async function onServer<T>(server: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { postgresDialect } = await import('../postgres.ts')
  const db = new Kysely<Schema>({ dialect: postgresDialect(server, null, 'migrator') })
  try {
    return await db.connection().execute(async (connection) => {
      try {
        return await work(connection)
      } catch (error) {
        await run(connection, 'rollback').catch(() => undefined)
        throw error
      }
    })
  } finally {
    await db.destroy()
  }
}

/** Restores to a draft, so that a service never finds an incomplete file. */
async function restoreFile(file: string, copy: DatabaseCopy, beforeCommit: () => Promise<void>): Promise<void> {
  const draft = `${file}.restoring`
  makeFolder(dirname(file))
  makeDraft(draft)
  try {
    const db = new Kysely<Schema>({ dialect: sqliteDialect(draft, 'writer') })
    try {
      await db.connection().execute(async (connection) => {
        await run(connection, 'begin immediate')
        await fill(connection, 'sqlite', copy)
        await run(connection, 'commit')
        await run(connection, 'pragma wal_checkpoint(truncate)')
      })
    } finally {
      await db.destroy()
    }
    await syncFile(draft)
    await beforeCommit()
    await rename(draft, file)
    await syncFolder(dirname(file))
  } finally {
    for (const ending of FILES_OF_SQLITE) await rm(`${draft}${ending}`, { force: true })
  }
}

function makeDraft(draft: string): void {
  try {
    closeSync(openSync(draft, 'wx', 0o600))
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    throw new Refusal(
      'target_not_empty',
      `${draft} exists: a restore is running or was interrupted. Remove it if none is running.`,
    )
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function fill(
  connection: Connection,
  dialect: DialectName,
  { migrations, tables, rows }: DatabaseCopy,
): Promise<void> {
  const migrator = migratorOf(connection, dialect, true)
  await migrateUpTo(migrator, migrations.at(-1))
  const resume = await suspendRules(connection, dialect, tables)
  for (const table of tables) {
    // Migrations may have added rows, which the copy contains too.
    await sql`delete from ${sql.table(table.name)}`.execute(connection)
    for await (const portion of rows(table)) await insert(connection, table, portion)
    if (table.lastId !== null) await setLastId(connection, dialect, table)
  }
  await resume()
  await migrateUpTo(migrator, undefined)
}

async function migrateUpTo(migrator: ReturnType<typeof migratorOf>, name: string | undefined): Promise<void> {
  const { error } = await (name === undefined ? migrator.migrateToLatest() : migrator.migrateTo(name))
  if (error !== undefined) throw error instanceof Error ? error : new Error(messageOf(error))
}

async function insert(connection: Connection, table: TableShape, rows: readonly Row[]): Promise<void> {
  const names = table.columns.map(({ name }) => name)
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const rowsAtOnce = Math.floor(VALUES_AT_ONCE / names.length)
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const values = rows
      .slice(start, start + rowsAtOnce)
      .map((row) => sql`(${sql.join(names.map((name) => row[name]))})`)
    const statement = sql`insert into ${sql.table(table.name)} (${columns}) values ${sql.join(values)}`
    await statement.execute(connection).catch((error: unknown) => {
      if (!isMisfit(error)) throw error
      throw new Refusal('backup_unusable', `The database rejects rows of ${table.name}: ${messageOf(error)}.`)
    })
  }
}

async function setLastId(connection: Connection, dialect: DialectName, { name, lastId }: TableCopy): Promise<void> {
  if (dialect === 'sqlite') {
    await sql`delete from sqlite_sequence where name = ${name}`.execute(connection)
    await sql`insert into sqlite_sequence (name, seq) values (${name}, ${lastId})`.execute(connection)
    return
  }
  await sql`select setval(pg_get_serial_sequence(${name}, 'id'), greatest(${lastId}::bigint, 1), ${(lastId ?? 0) > 0})`.execute(
    connection,
  )
}

async function run(connection: Connection, statement: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(statement))
}
