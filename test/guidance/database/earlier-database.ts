import { readdirSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import { z } from 'zod'
import { lineOf, rowOf } from '../../../src/guidance/database/copies/rows.ts'
import { withSnapshot } from '../../../src/guidance/database/copies/snapshot.ts'
import { suspendRules } from '../../../src/guidance/database/copies/suspended.ts'
import { findTables, type TableShape } from '../../../src/guidance/database/copies/tables.ts'
import { migratorOf } from '../../../src/guidance/database/migrate.ts'
import { postgresDialect } from '../../../src/guidance/database/postgres.ts'
import type { Schema } from '../../../src/guidance/database/schema/schema.ts'
import { sqliteDialect } from '../../../src/guidance/database/sqlite.ts'
import { freshDatabase, type FreshDatabase } from '../../support/fresh-database.ts'

/**
 * Rows as earlier versions wrote them; each file is named after the last migration of its version. All have people
 * and a project, those from `004-benchmarks` on a benchmark, those from `009-events` on a component with a changed
 * rule and a comment.
 */
const FOLDER = 'test/fixtures/earlier'
export const EARLIER = readdirSync(FOLDER).map((name) => name.replace('.jsonl', ''))

const line = z.object({ table: z.string(), row: z.record(z.string(), z.unknown()) })

/** Rows in the form that a backup has them in, by table. */
type Rows = ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>

/** A database as a program left it that knew no later migration. */
export async function leftAt(migration: string): Promise<{ place: FreshDatabase; left: Rows }> {
  const place = await freshDatabase('empty')
  const text = await readFile(join(FOLDER, `${migration}.jsonl`), 'utf8')
  const lines = text.trimEnd().split('\n')
  const left = byTable(lines.map((row) => line.parse(JSON.parse(row))))
  await mkdir(place.dataDir, { recursive: true })
  const { url } = place
  const dialect = url === null ? 'sqlite' : 'postgres'
  const db = new Kysely<Schema>({
    dialect: url === null ? sqliteDialect(fileOf(place), 'writer') : postgresDialect(url, null, 'migrator'),
  })
  const { error } = await migratorOf(db, dialect).migrateTo(migration)
  expect(error).toBeUndefined()
  await db.transaction().execute(async (writer) => {
    const tables = await findTables(writer, dialect)
    const resume = await suspendRules(writer, dialect, tables)
    for (const table of tables) {
      await fill(writer, table, left.get(table.name) ?? [])
      if (dialect === 'postgres') await goOnFromLastId(writer, table)
    }
    await resume()
  })
  await db.destroy()
  return { place, left }
}

function byTable(lines: readonly z.infer<typeof line>[]): Rows {
  const tables = new Map<string, Record<string, unknown>[]>()
  for (const { table, row } of lines) tables.set(table, [...(tables.get(table) ?? []), row])
  return tables
}

async function fill(
  db: Kysely<Schema>,
  table: TableShape,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  // Some migrations bring rows along.
  await sql`delete from ${sql.table(table.name)}`.execute(db)
  for (const row of rows) {
    const values = Object.entries(rowOf(JSON.stringify(row), table))
    const columns = sql.join(values.map(([name]) => sql.ref(name)))
    await sql`insert into ${sql.table(table.name)} (${columns})
      values (${sql.join(values.map(([, value]) => value))})`.execute(db)
  }
}

/** SQLite does so by itself. */
async function goOnFromLastId(db: Kysely<Schema>, table: TableShape): Promise<void> {
  if (!table.columns.some(({ name, kind }) => name === 'id' && kind === 'integer')) return
  await sql`select setval(pg_get_serial_sequence(${table.name}, 'id'), max(id))
    from ${sql.table(table.name)}`.execute(db)
}

function fileOf({ dataDir }: FreshDatabase): string {
  return join(dataDir, 'parapet.db')
}

/** All that is in a database, whatever its schema. */
export function rowsOf(place: FreshDatabase): Promise<Rows> {
  const where = place.url === null ? { file: fileOf(place) } : { server: place.url }
  return withSnapshot(where, async (snapshot) => {
    const tables = new Map<string, Readonly<Record<string, unknown>>[]>()
    for (const table of snapshot.tables) {
      const tableRows: Readonly<Record<string, unknown>>[] = []
      for await (const rows of snapshot.rows(table))
        tableRows.push(...rows.map((row) => line.shape.row.parse(JSON.parse(lineOf(row, table)))))
      tables.set(table.name, tableRows)
    }
    return tables
  })
}
