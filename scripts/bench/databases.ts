import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client } from 'pg'
import { openGuidance, type GuidanceService } from '../../src/guidance/index.ts'
import { createLog } from '../../src/platform/log.ts'
import { readSecrets, readSettings } from '../../src/platform/settings/settings.ts'
import { createSearch } from '../../src/search/search.ts'

type Environment = Readonly<Record<string, string>>

/** A database that has been filled, and what is to be known of that. */
export interface FilledDatabase<T> {
  readonly name: string
  readonly env: Environment
  readonly filled: T
  readonly drop: () => Promise<void>
}

/** On SQLite, and on PostgreSQL where `PARAPET_TEST_POSTGRES` names a server. */
export async function fillDatabases<T>(
  folder: string,
  populate: (guidance: GuidanceService) => Promise<T>,
): Promise<readonly FilledDatabase<T>[]> {
  const fill = async (name: string, database: Environment): Promise<FilledDatabase<T>> => {
    const quiet = { SERVICE_RATE_LIMIT_ENABLED: 'false', SERVICE_LOG_LEVEL: 'error' }
    const env = { ...database, ...quiet }
    const guidance = await openFor(env)
    const filled = await populate(guidance)
    await guidance.close()
    return { name, env, filled, drop: () => Promise.resolve() }
  }
  const sqlite = await fill('SQLite', { SERVICE_DATA_DIR: join(folder, 'sqlite') })
  const server = process.env['PARAPET_TEST_POSTGRES']
  if (server === undefined) return [sqlite]
  const name = `parapet_bench_${randomBytes(4).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await execute(server, `create database ${name}`)
  const postgres = await fill('PostgreSQL', {
    SERVICE_DATA_DIR: join(folder, 'postgres'),
    SERVICE_DATABASE_URL: url.href,
  })
  const drop = (): Promise<void> => execute(server, `drop database ${name} with (force)`)
  return [sqlite, { ...postgres, drop }]
}

/** The guidance service with these settings, in this process. */
export async function openFor(env: Environment): Promise<GuidanceService> {
  const settings = readSettings(env)
  return openGuidance({
    ontology: null,
    search: (sources) => createSearch({ ...sources, ontology: null }),
    ...settings,
    settings: settings.guidance,
    secrets: readSecrets(env),
    version: '0.0.0',
    frameworkVersion: '0.0.0',
    log: createLog('error'),
  })
}

async function execute(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
