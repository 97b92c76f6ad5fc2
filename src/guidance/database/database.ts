import { EventEmitter } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, type Dialect, type LogEvent, type Transaction } from 'kysely'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { specialKindOf } from '../../platform/files/file-kinds.ts'
import { makeDataFolder } from '../../platform/files/make-folder.ts'
import type { Log } from '../../platform/log.ts'
import { StorageWatch } from '../../platform/storage-watch.ts'
import { storageRefusal } from '../../platform/storage.ts'
import type { DialectName } from './dialect.ts'
import { isUnreachable, isUnusable, isWorthRetrying } from './faults.ts'
import { migrate } from './migrate.ts'
import { refuseMissing } from './missing.ts'
import type { PoolState } from './postgres.ts'
import { probeDatabase } from './probe.ts'
import type { Schema } from './schema/schema.ts'
import { sqliteDialect } from './sqlite.ts'
import { StatementWatch } from './statement-watch.ts'
import { toWriter, type CommitTopic, type Reader, type Writer } from './transaction.ts'
import { waitForServer } from './wait.ts'

const ATTEMPTS = 8

export interface Database {
  readonly dialect: DialectName
  readonly read: Reader
  /**
   * Commits all writes of the work, or none. The work may run several times, so it must only use SQL (0027: one exception).
   */
  transact<T>(work: (writer: Writer) => Promise<T>): Promise<T>
  /** Calls `listener` after each commit of this process on a topic, until the returned function is called. */
  onNews(topic: CommitTopic, listener: () => void): () => void
  readonly statements: StatementWatch
  /** The state of the pool of connections; null without a pool. */
  readonly connections: () => PoolState | null
  /** Resolves if the database can be written; its own writes are rolled back. */
  probe(): Promise<void>
  close(): Promise<void>
}

interface DatabaseLocation {
  /** `postgres://…` or `file:…`; null is a SQLite file in the data folder. */
  readonly url: string | null
  readonly dataDir: string
  readonly log: Log
  /** Records failed writes. */
  readonly storage?: StorageWatch
  /** Whether an empty database may be made where one has been lost. */
  readonly isNew?: boolean
  /** Statements that take at least this many milliseconds are logged; 0: none. */
  readonly slowMs?: number
  /** How long to retry if a server does not answer. */
  readonly waitMs?: number
  /** Called before a used database is upgraded. */
  readonly beforeUpgrade?: (() => Promise<void>) | undefined
}

/** Opens and migrates the database. Refuses one that a newer program has changed. */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  const { url, dataDir, log, storage = new StorageWatch(log), slowMs = 0 } = location
  const statements = new StatementWatch(log, slowMs)
  const note = (event: LogEvent): void => {
    statements.note(event)
  }
  const connect = (dialect: Dialect): Kysely<Schema> => new Kysely<Schema>({ dialect, log: note })
  const address = databaseAddress(url, dataDir)
  if ('server' in address) {
    const { postgresDialect } = await import('./postgres.ts')
    const { server } = address
    await waitForServer(
      () => prepare(connect(postgresDialect(server, log, 'migrator')), 'postgres', location),
      location,
    )
    const dialect = postgresDialect(server, log, 'service')
    const pool = connect(dialect)
    const connections = { read: pool, write: pool, pool: () => dialect.connections }
    return serve('postgres', { ...connections, storage, statements, file: null })
  }
  const { file } = address
  makeDataFolder(dataDir)
  if (location.isNew !== true) refuseMissing(file, dataDir)
  makeFile(file)
  await prepare(connect(sqliteDialect(file, 'writer')), 'sqlite', location)
  const whenBusy = (): void => {
    statements.noteBusy()
  }
  const read = connect(sqliteDialect(file, 'reader', whenBusy))
  const write = connect(sqliteDialect(file, 'writer', whenBusy))
  return serve('sqlite', { read, write, pool: () => null, storage, statements, file })
}

/** A SQLite file, or the URL of a PostgreSQL server. */
export type DatabaseAddress = { readonly file: string } | { readonly server: string }

/** By default a file in the data folder. */
export function databaseAddress(url: string | null, dataDir: string): DatabaseAddress {
  if (url === null) return { file: join(dataDir, 'parapet.db') }
  return url.startsWith('file:') ? { file: url.slice('file:'.length) } : { server: url }
}

/** Creates the file, readable only by its owner; SQLite gives its further files the same mode. */
function makeFile(file: string): void {
  const kind = specialKindOf(file)
  if (kind !== null)
    throw new Refusal(
      'database_unusable',
      `The database cannot be opened (SERVICE_DATABASE_URL): ${file} is ${kind}, and not a file.`,
    )
  try {
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    throw toRefusal(error)
  }
}

/** Migrates over a separate connection, whose statements may take long. */
async function prepare(
  migrator: Kysely<Schema>,
  dialect: DialectName,
  location: Pick<DatabaseLocation, 'log' | 'beforeUpgrade'>,
): Promise<void> {
  try {
    await migrate(migrator, dialect, location)
  } catch (error) {
    throw toRefusal(error)
  } finally {
    await migrator.destroy()
  }
}

/** A refusal if the address, the rights or the file is wrong, because the operator can correct that. */
export function toRefusal(error: unknown): unknown {
  if (isUnreachable(error))
    return new Refusal('database_unavailable', 'SERVICE_DATABASE_URL: the database does not answer.')
  if (isUnusable(error))
    return new Refusal(
      'database_unusable',
      `The database cannot be opened (SERVICE_DATABASE_URL): ${messageOf(error)}.`,
    )
  return storageRefusal(error) ?? error
}

interface Connections {
  readonly read: Kysely<Schema>
  readonly write: Kysely<Schema>
  readonly pool: () => PoolState | null
  readonly storage: StorageWatch
  readonly statements: StatementWatch
  /** Null: PostgreSQL. */
  readonly file: string | null
}

function serve(dialect: DialectName, connections: Connections): Database {
  const { read, write, storage, statements, file } = connections
  const commits = new EventEmitter()
  return {
    dialect,
    read,
    statements,
    connections: connections.pool,
    onNews: (topic, listener) => {
      commits.on(topic, listener)
      return () => commits.off(topic, listener)
    },
    probe: () => probeDatabase(write, file),
    close: async () => {
      await write.destroy()
      await read.destroy()
    },
    transact: async (work) => {
      const topics = new Set<CommitTopic>()
      const result = await transact(write, async (transaction) => {
        topics.clear()
        return work(toWriter(transaction, { dialect, topics }))
      }).catch((error: unknown) => {
        throw storage.note(error)
      })
      for (const topic of topics) commits.emit(topic)
      return result
    },
  }
}

/** Retries a transaction that PostgreSQL ended because of a deadlock or a conflict with others. */
async function transact<T>(write: Kysely<Schema>, work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write.transaction().execute(work)
    } catch (error) {
      if (!isWorthRetrying(error) || attempt === ATTEMPTS) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}
