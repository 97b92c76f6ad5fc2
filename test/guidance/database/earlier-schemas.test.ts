import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import Sqlite from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { beforeUpgrade } from '../../../src/commands/backups/before-upgrade.ts'
import { verifyBackup } from '../../../src/commands/backups/verify-backup.ts'
import { openDatabase } from '../../../src/guidance/database/database.ts'
import { knownMigrations, migratorOf } from '../../../src/guidance/database/migrate.ts'
import type { Schema } from '../../../src/guidance/database/schema/schema.ts'
import { sqliteDialect } from '../../../src/guidance/database/sqlite.ts'
import { createLog } from '../../../src/platform/log.ts'
import { readSecrets, readSettings } from '../../../src/platform/settings/settings.ts'
import { makeComponent } from '../../support/authoring.ts'
import { freshDatabase, type FreshDatabase } from '../../support/fresh-database.ts'
import { tableNames } from '../../support/guidance-records.ts'
import { startGuidance } from '../../support/guidance.ts'

const MIGRATIONS = knownMigrations('sqlite')
const EARLIER = MIGRATIONS.slice(0, -1)
const SILENT = createLog('silent')
const display = { update: () => undefined, stop: () => undefined }

const names = z.array(z.object({ name: z.string() }))

/** What people have left, as this version of the program keeps it. */
let used = ''
let home = ''

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parapet-'))
  const under = await startGuidance(home)
  const ada = await under.person('Ada', { admin: true })
  const session = await under.signIn('ada@example.org')
  const client = await under.token(ada, ['read', 'write'])
  const projectId = await under.project(session, { name: 'Teapots', description: 'Tëa & "pots"' })
  await under.member(projectId, await under.person('Bob'), 'author')
  const made = await makeComponent(under, ada, { projectId })
  const review = { comment: 'Why not a kettle?', responding_to_review_id: null }
  await client.call('POST', `/components/${made.id}/reviews`, { body: { review } })
  await client.call('PUT', `/rules/${made.rules[0]}`, {
    body: { rule: { title: 'Tea is hot', lock_version: 0 } },
  })
  await under.service.close()
  used = join(home, 'used.db')
  const database = new Sqlite(join(home, 'parapet.db'))
  database.exec(`vacuum into '${used}'`)
  database.close()
})

afterAll(() => rm(home, { recursive: true, force: true }))

/** A data folder as the version left it that knew no later migration, with what people have left in it. */
async function leftAt(
  migration: string,
): Promise<{ place: FreshDatabase; tables: readonly string[] }> {
  const place = await freshDatabase('empty')
  await mkdir(place.dataDir, { recursive: true })
  const file = join(place.dataDir, 'parapet.db')
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file, 'writer') })
  const { error } = await migratorOf(db, 'sqlite').migrateTo(migration)
  await db.destroy()
  expect(error).toBeUndefined()
  const database = new Sqlite(file)
  try {
    database.pragma('foreign_keys = off')
    database.exec(`attach '${used}' as used`)
    const there = tablesOf(database)
    const tables = tableNames().filter((name) => there.includes(name) && name !== 'search_changes')
    for (const table of tables) {
      const columns = columnsOf(database, table).join(', ')
      // Some migrations bring rows along.
      database.exec(`delete from main.${table}`)
      database.exec(`insert into main.${table} (${columns}) select ${columns} from used.${table}`)
    }
    return { place, tables }
  } finally {
    database.close()
  }
}

function tablesOf(database: Sqlite.Database): readonly string[] {
  const found = database.prepare("select name from main.sqlite_master where type = 'table'").all()
  return names.parse(found).map(({ name }) => name)
}

function columnsOf(database: Sqlite.Database, table: string): readonly string[] {
  const found = database.prepare(`select name from pragma_table_info('${table}', 'main')`).all()
  return names.parse(found).map(({ name }) => `"${name}"`)
}

/** Tables, indexes and triggers, as they were made. */
function schemaOf(file: string): readonly unknown[] {
  const database = new Sqlite(file)
  try {
    return database
      .prepare(
        "select type, name, sql from sqlite_master where name not like 'sqlite_%' order by 1, 2",
      )
      .all()
  } finally {
    database.close()
  }
}

function rowsOf(file: string, table: string, columns: readonly string[]): readonly unknown[] {
  const database = new Sqlite(file)
  try {
    const listed = columns.join(', ')
    return database.prepare(`select ${listed} from ${table} order by ${listed}`).all()
  } finally {
    database.close()
  }
}

function upgrading(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): () => Promise<void> {
  const environment = { SERVICE_DATA_DIR: dataDir, ...env }
  const settings = readSettings(environment)
  return beforeUpgrade({ settings, secrets: readSecrets(environment), log: SILENT })
}

// Rows are put there past the program, in the way of SQLite; what migrations do on PostgreSQL is in migrate.test.ts.
describe.skipIf(process.env['PARAPET_TEST_DIALECT'] === 'postgres')('A database of before', () => {
  it.each(EARLIER)('%s is brought up to date, with everything in it', async (migration) => {
    const { place, tables } = await leftAt(migration)
    const file = join(place.dataDir, 'parapet.db')
    const before = new Map(
      tables.map((table) => {
        const database = new Sqlite(file)
        const columns = columnsOf(database, table)
        database.close()
        return [table, columns] as const
      }),
    )
    await place.open()
    for (const [table, columns] of before) {
      const kept = rowsOf(file, table, columns)
      expect(kept, table).toEqual(rowsOf(used, table, columns))
    }
    expect(schemaOf(file)).toEqual(schemaOf(used))
    expect(await place.run('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(await place.run('pragma foreign_key_check')).toEqual([])
  })

  it('is saved before it is changed', async () => {
    const { place } = await leftAt('018-being-found')
    const { dataDir } = place
    const database = await openDatabase({
      ...{ url: null, dataDir, log: SILENT, beforeUpgrade: upgrading(dataDir) },
    })
    await database.close()
    const [name = ''] = await readdir(join(dataDir, 'backups'))
    const file = join(dataDir, 'backups', name)
    const saved = await verifyBackup(file, { passphrase: null, display })
    expect(saved.database.migrations.at(-1)).toBe('018-being-found')
    expect(saved.database.tables.find((table) => table.name === 'users')?.rows).toBe(2)
    // What is up to date already is not saved again.
    const again = await openDatabase({
      ...{ url: null, dataDir, log: SILENT, beforeUpgrade: upgrading(dataDir) },
    })
    await again.close()
    expect(await readdir(join(dataDir, 'backups'))).toEqual([name])
  })

  it('stays as it is where it cannot be saved', async () => {
    const { place } = await leftAt('018-being-found')
    const { dataDir } = place
    await writeFile(join(dataDir, 'backups'), 'in the way')
    const schema = schemaOf(join(dataDir, 'parapet.db'))
    await expect(
      openDatabase({ url: null, dataDir, log: SILENT, beforeUpgrade: upgrading(dataDir) }),
    ).rejects.toThrow('EEXIST')
    expect(schemaOf(join(dataDir, 'parapet.db'))).toEqual(schema)
    const refused = upgrading(dataDir, { SERVICE_UPGRADE_BACKUP_ENABLED: 'false' })
    const database = await openDatabase({ url: null, dataDir, log: SILENT, beforeUpgrade: refused })
    await database.close()
    expect(await readFile(join(dataDir, 'backups'), 'utf8')).toBe('in the way')
  })
})
