import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client } from 'pg'
import { openGuidance, type GuidanceService } from '../../src/guidance/index.ts'
import { createLog } from '../../src/platform/log.ts'
import { readSecrets, readSettings } from '../../src/platform/settings/settings.ts'
import { createSearch } from '../../src/search/search.ts'
import { endpointsFor } from '../../src/services.ts'
import type { Workspace } from './workspace.ts'

/** A data folder and the database of a service that runs on it. */
export interface BenchDatabase {
  readonly name: 'SQLite' | 'PostgreSQL'
  readonly dataDir: string
  /** Null if the database is a file in the data folder. */
  readonly url: string | null
}

/** Measures on SQLite, and on PostgreSQL if `PARAPET_TEST_POSTGRES` names a server; drops its database afterwards. */
export async function atEachDatabase(
  { folder }: Workspace,
  name: string,
  measure: (database: BenchDatabase) => Promise<void>,
): Promise<void> {
  await measure({ name: 'SQLite', dataDir: join(folder, `${name}-sqlite`), url: null })
  const server = process.env['PARAPET_TEST_POSTGRES']
  if (server === undefined) return
  const database = `parapet_bench_${randomBytes(4).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${database}`
  await execute(server, `create database ${database}`)
  try {
    await measure({ name: 'PostgreSQL', dataDir: join(folder, `${name}-postgres`), url: url.href })
  } finally {
    await execute(server, `drop database ${database} with (force)`)
  }
}

/** Runs one statement on a PostgreSQL server. */
export async function execute(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Settings of a service on this database without rate limits. */
export function settingsFor({ dataDir, url }: BenchDatabase): Readonly<Record<string, string>> {
  return {
    SERVICE_DATA_DIR: dataDir,
    SERVICE_DATABASE_URL: url ?? '',
    SERVICE_RATE_LIMIT_ENABLED: 'false',
    SERVICE_SESSION_IDLE_MINUTES: '1440',
    SERVICE_LOG_LEVEL: 'error',
    SERVICE_DRAIN_SECONDS: '0',
  }
}

/** Fills a database in this process, before the service that is measured starts. */
export async function fill<T>(
  database: BenchDatabase,
  populate: (guidance: GuidanceService) => Promise<T>,
): Promise<T> {
  const env = settingsFor(database)
  const settings = readSettings(env)
  const guidance = await openGuidance({
    ontology: null,
    search: (sources) => createSearch({ ...sources, ontology: null }),
    endpoints: endpointsFor(null),
    ...settings,
    settings: settings.guidance,
    secrets: readSecrets(env),
    version: '0.0.0',
    frameworkVersion: '0.0.0',
    log: createLog('error'),
  })
  try {
    return await populate(guidance)
  } finally {
    await guidance.close()
  }
}
