// @module-tag database

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { restoreDatabase } from '../../../src/guidance/database/copies/restore.ts'
import { lineOf, rowOf, type Row } from '../../../src/guidance/database/copies/rows.ts'
import { withSnapshot, type TableCopy } from '../../../src/guidance/database/copies/snapshot.ts'
import { findTables, type TableShape } from '../../../src/guidance/database/copies/tables.ts'
import { databaseAddress } from '../../../src/guidance/database/database.ts'
import { appliedMigrations, knownMigrations, migratorOf } from '../../../src/guidance/database/migrate.ts'
import type { Schema } from '../../../src/guidance/database/schema/schema.ts'
import { sqliteDialect } from '../../../src/guidance/database/sqlite.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { freshDatabase } from '../../support/fresh-database.ts'

const OLD = '015-phrase-functions'

/** A SQLite file as an older version left it, with one account. */
async function oldFile(): Promise<string> {
  const file = join(await temporaryFolder(), 'parapet.db')
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file, 'writer') })
  await migratorOf(db, 'sqlite').migrateTo(OLD)
  await sql`insert into users (id, name, email, search_key, admin, created_at, updated_at)
    values (7, 'Ada', 'ada@example.org', 'ada', 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`.execute(db)
  await db.destroy()
  return file
}

it('A copy of an older schema is brought up to date, in either database', async () => {
  const fresh = await freshDatabase('empty')
  await mkdir(fresh.dataDir, { recursive: true })
  await withSnapshot({ file: await oldFile() }, async ({ migrations, tables, rows }) => {
    expect(migrations.at(-1)).toBe(OLD)
    expect(tables.map(({ name }) => name)).not.toContain('benchmark_words')
    const asRows = async function* (table: TableCopy): AsyncGenerator<readonly Row[], void> {
      for await (const some of rows(table)) yield some.map((row) => rowOf(lineOf(row, table), table))
    }
    const copy = { migrations, tables, rows: asRows }
    const failing = restoreDatabase(databaseAddress(fresh.url, fresh.dataDir), copy, () =>
      Promise.reject(new Error('The files did not get there')),
    )
    await expect(failing).rejects.toThrow('The files did not get there')
    await restoreDatabase(databaseAddress(fresh.url, fresh.dataDir), copy, () => Promise.resolve())
  })
  const database = await fresh.open()
  expect(await database.read.selectFrom('users').select(['id', 'email']).execute()).toEqual([
    { id: 7, email: 'ada@example.org' },
  ])
  expect(await fresh.run('select name from schema_migrations order by name')).toEqual(
    knownMigrations('sqlite').map((name) => ({ name })),
  )
  expect(await fresh.run('select kind from search_changes')).toEqual([{ kind: 'start' }])
})

it('Both databases have the same tables for a copy', async () => {
  const fresh = await freshDatabase('empty')
  await (await fresh.open()).close()
  const db = new Kysely<Schema>({ dialect: sqliteDialect(':memory:', 'writer') })
  await migratorOf(db, 'sqlite').migrateToLatest()
  const sorted = (tables: readonly TableShape[]) =>
    tables.map(({ name, columns }) => [
      name,
      [...columns].map(({ name, kind, nullable }) => `${name} ${kind} ${nullable}`).sort(),
    ])
  const sqliteTables = sorted(await findTables(db, 'sqlite'))
  expect(await appliedMigrations(db)).toEqual(knownMigrations('sqlite'))
  await db.destroy()
  await withSnapshot(databaseAddress(fresh.url, fresh.dataDir), ({ tables }) => {
    expect(sorted(tables)).toEqual(sqliteTables)
    return Promise.resolve()
  })
})

it('A row is restored unchanged, or refused', () => {
  const table: TableShape = {
    name: 'files',
    columns: [
      { name: 'id', kind: 'integer', nullable: false },
      { name: 'text', kind: 'text', nullable: true },
      { name: 'content', kind: 'bytes', nullable: true },
    ],
  }
  const row = { id: 2 ** 53 - 1, text: 'a\u2028b\n"\u{1f600}\0', content: Buffer.from([0, 255, 10]) }
  const line = lineOf(row, table)
  expect(line.indexOf('\n')).toBe(line.length - 1)
  expect(rowOf(line, table)).toEqual(row)
  const nothing = { id: 0, text: null, content: null }
  expect(rowOf(lineOf(nothing, table), table)).toEqual(nothing)
  for (const id of [2 ** 53, 0.5, '1', undefined, true])
    expect(() => lineOf({ ...row, id }, table)).toThrow('files.id holds')
  for (const bad of ['{"id":null}', '[]', '7', '{"id":1,"text":"","content":null,"more":1}'])
    expect(() => rowOf(bad, table)).toThrow()
})
