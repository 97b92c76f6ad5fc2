import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'libsql'
import { openDatabase } from '../../src/guidance/database/database.ts'
import { createLog } from '../../src/platform/log.ts'

const FILE = 'parapet.db'

/** A folder with one of these files is not new, and the service must find what is missing in it. */
const MADE_BY_A_SERVICE = [FILE, 'uploads', 'imports', 'secret.key']

let seed: Promise<Buffer> | null = null

/** Copies a database with all migrations into a new folder, because other tests check the migrations. */
export async function seedDatabase(dataDir: string): Promise<void> {
  if (MADE_BY_A_SERVICE.some((name) => existsSync(join(dataDir, name)))) return
  seed ??= migrated()
  writeFileSync(join(dataDir, FILE), await seed, { mode: 0o600 })
}

async function migrated(): Promise<Buffer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
  try {
    await (await openDatabase({ url: null, dataDir, log: createLog('silent') })).close()
    const file = join(dataDir, FILE)
    const database = new Sqlite(file)
    // The copy needs all rows in one file, but SQLite still keeps some in the write-ahead log.
    database.pragma('wal_checkpoint(truncate)')
    database.close()
    return await readFile(file)
  } finally {
    await rm(dataDir, { recursive: true })
  }
}
