import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { openDatabase, type Database } from '../../src/guidance/database/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { temporaryFolder } from './folder.ts'
import { scratchDatabase } from './scratch-database.ts'
import { seedDatabase } from './seeded-database.ts'

const rows = z.array(z.record(z.string(), z.unknown()))

/** A database of one test, which removes it at its end. */
export interface FreshDatabase {
  /** Null if it is a SQLite file in the folder. */
  readonly url: string | null
  readonly dataDir: string
  /** Opens it as the program does, and closes it at the end of the test. */
  readonly open: () => Promise<Database>
  /** Runs one statement on a separate connection, without the program. */
  readonly run: (statement: string) => Promise<z.infer<typeof rows>>
}

/** The settings of a service or a command that works on it. */
export function environmentOf({
  dataDir,
  url,
}: Pick<FreshDatabase, 'dataDir' | 'url'>): Readonly<Record<string, string>> {
  return { SERVICE_DATA_DIR: dataDir, ...(url !== null && { SERVICE_DATABASE_URL: url }) }
}

/** Creates it with all migrations; for tests of migrations or the first start, it is empty until it is opened. */
export async function freshDatabase(how: 'empty' | 'migrated' = 'migrated'): Promise<FreshDatabase> {
  const dataDir = await temporaryFolder()
  const scratch = await scratchDatabase(how)
  if (scratch === null && how === 'migrated') await seedDatabase(dataDir)
  if (scratch !== null) onTestFinished(() => scratch.drop())
  const url = scratch?.url ?? null
  return {
    url,
    dataDir,
    open: async () => {
      const database = await openDatabase({ url, dataDir, log: createLog('silent') })
      onTestFinished(() => database.close())
      return database
    },
    run: async (statement) => {
      if (url !== null) return runOnPostgres(url, statement)
      await mkdir(dataDir, { recursive: true })
      return runOnSqlite(join(dataDir, 'parapet.db'), statement)
    },
  }
}

async function runOnPostgres(url: string, statement: string): Promise<z.infer<typeof rows>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return rows.parse((await client.query(statement)).rows)
  } finally {
    await client.end()
  }
}

function runOnSqlite(file: string, statement: string): z.infer<typeof rows> {
  const database = new Sqlite(file)
  try {
    database.pragma('busy_timeout = 5000')
    const prepared = database.prepare(statement)
    if (prepared.reader) return rows.parse(prepared.all())
    prepared.run()
    return []
  } finally {
    database.close()
  }
}
