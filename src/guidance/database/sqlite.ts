import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import Sqlite from 'libsql'
import { LRUCache } from 'lru-cache'
import { Refusal } from '../../platform/errors.ts'

/** Another process that writes (a command) is waited for this long, without blocking the thread. */
const BUSY_MS = 15_000
const PREPARED_STATEMENTS = 500

type Mode = 'reader' | 'writer'

/**
 * A SQLite file through libsql. Two connections are opened on it: the writer's transactions take the
 * write lock when they begin, the reader cannot write. A commit is on disk when it is acknowledged.
 */
export function sqliteDialect(file: string, mode: Mode): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new SqliteDriver(file, mode),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** SQLite rolls back DDL too; the migrator is told so, and a migration is whole or absent. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #file: string
  readonly #mode: Mode
  #connection: SqliteConnection | null = null
  #queue: Promise<void> = Promise.resolve()
  #leave: () => void = () => undefined

  constructor(file: string, mode: Mode) {
    this.#file = file
    this.#mode = mode
  }

  init(): Promise<void> {
    const database = new Sqlite(this.#file)
    database.pragma(`busy_timeout = ${BUSY_MS}`)
    for (const pragma of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on'])
      database.pragma(pragma)
    // A reader only ever waits for the recovery after a crash; a writer waits in beginTransaction.
    if (this.#mode === 'reader') database.pragma('query_only = on')
    else database.pragma('busy_timeout = 0')
    this.#connection = new SqliteConnection(database)
    return Promise.resolve()
  }

  /** Writers come one after the other; readers share, because each of their statements is atomic. */
  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#connection === null) throw new Error('The database is closed')
    if (this.#mode === 'reader') return this.#connection
    const before = this.#queue
    let leave: () => void = () => undefined
    this.#queue = new Promise((resolve) => {
      leave = resolve
    })
    await before
    this.#leave = leave
    return this.#connection
  }

  releaseConnection(): Promise<void> {
    if (this.#mode === 'writer') this.#leave()
    return Promise.resolve()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const deadline = Date.now() + BUSY_MS
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'))
        return
      } catch (error) {
        if (!isBusy(error)) throw error
        if (Date.now() > deadline)
          throw new Refusal('database_unavailable', 'Another process keeps the database locked.')
        await sleep(5 + Math.random() * 20)
      }
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  destroy(): Promise<void> {
    this.#connection?.close()
    this.#connection = null
    return Promise.resolve()
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: Sqlite.Database
  readonly #statements = new LRUCache<string, Sqlite.Statement>({ max: PREPARED_STATEMENTS })

  constructor(database: Sqlite.Database) {
    this.#database = database
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- what libsql throws is to reject
  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(sql)
    const values = parameters.map(bindable)
    if (statement.reader) return { rows: rowsOf(statement.all(values)) }
    const { changes } = statement.run(values)
    return { numAffectedRows: BigInt(changes), rows: [] }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are not streamed')
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #prepare(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

/** libsql ends the process at a boolean (0.5.29), so that nothing else may reach it. */
function bindable(value: unknown): string | number | bigint | Buffer | null {
  if (value === null || Buffer.isBuffer(value)) return value
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new TypeError(`A ${typeof value} cannot be bound to a statement`)
}

/** The type of a row follows from the query that Kysely compiled; libsql cannot know it. */
function rowsOf<R>(rows: unknown[]): R[]
function rowsOf(rows: unknown[]): unknown[] {
  return rows
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
