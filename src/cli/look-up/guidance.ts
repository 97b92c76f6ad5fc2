import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeUpgrade } from '../../commands/backups/before-upgrade.ts'
import type { ReadOptions } from '../../guidance/catalogue/xccdf/benchmark.ts'
import { openDatabase, databaseAddress, type Database } from '../../guidance/database/database.ts'
import { withWorkspace } from '../../guidance/interchange/conversion/workspace.ts'
import { Refusal } from '../../platform/errors.ts'
import { createLog } from '../../platform/log.ts'
import { readSecrets, readSettings } from '../../platform/settings/settings.ts'
import { withFileName } from '../with-file-name.ts'

/** An open database of guidance, with its location. */
export interface OpenGuidance {
  readonly database: Database
  readonly dataDir: string
  /** `SERVICE_DATABASE_URL`; null: a file in the data folder. */
  readonly databaseUrl: string | null
}

interface GuidanceChoice extends ReadOptions {
  /** Empty: use the database of the settings. */
  readonly files: readonly string[]
  /** An empty folder, for a database of the files. */
  readonly folder: string
}

/** Does work with the benchmarks of files, or without files, with those of the data folder. */
export async function withGuidance<T>(
  { files, folder, ...options }: GuidanceChoice,
  work: (guidance: OpenGuidance) => Promise<T>,
): Promise<T> {
  if (files.length === 0) return withOwnDatabase(work)
  const dataDir = join(folder, 'guidance')
  return withWorkspace({ folder: dataDir, log: createLog('silent') }, async (workspace) => {
    for (const file of files) await withFileName(file, () => workspace.importFile(file, options))
    return work({ database: workspace.database, dataDir, databaseUrl: null })
  })
}

/** Does work with the benchmarks of the data folder, or without them if there is no database. */
export async function withGuidanceIfAny<T>(work: (guidance: OpenGuidance | null) => Promise<T>): Promise<T> {
  const address = databaseAddress(readSecrets().databaseUrl, readSettings().dataDir)
  return 'file' in address && !existsSync(address.file) ? work(null) : withOwnDatabase(work)
}

async function withOwnDatabase<T>(work: (guidance: OpenGuidance) => Promise<T>): Promise<T> {
  const settings = readSettings()
  const secrets = readSecrets()
  const { dataDir } = settings
  const { databaseUrl } = secrets
  const address = databaseAddress(databaseUrl, dataDir)
  if ('file' in address && !existsSync(address.file)) {
    const advice = 'Import benchmarks with "parapet import FILE", or name files with --file FILE'
    throw new Refusal('database_missing', `There is no database in ${dataDir} (SERVICE_DATA_DIR). ${advice}.`)
  }
  const log = createLog('silent')
  const upgrade = { beforeUpgrade: beforeUpgrade({ settings, secrets, log }) }
  const database = await openDatabase({ url: databaseUrl, dataDir, log, ...upgrade })
  try {
    return await work({ database, dataDir, databaseUrl })
  } finally {
    await database.close()
  }
}
