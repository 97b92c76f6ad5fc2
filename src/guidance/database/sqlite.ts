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
import { nextTurn } from '../../platform/turns.ts'
import { isBusy } from './faults.ts'
import { answersManyRows } from './many-rows.ts'

/** Another process that writes (a command) is waited for this long, without blocking the thread. */
const BUSY_MS = 15_000
const PREPARED_STATEMENTS = 500
/** Statements run on the thread that answers everybody: after so much of them, others come first. */
const TURN_MS = 10

type Mode = 'reader' | 'writer'

/**
 * A SQLite file through libsql. A writer's transactions take the write lock when they begin, a reader
 * cannot write. A commit is on disk when it is acknowledged.
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

  async init(): Promise<void> {
    const connection = await patiently(() => connect(this.#file, this.#mode))
    this.#connection = new SqliteConnection(connection)
  }

  /** Writers come one after the other; readers share, because each of their statements is atomic. */
  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = this.#connection
    if (connection === null) throw new Error('The database is closed')
    if (this.#mode === 'reader') return connection
    const before = this.#queue
    let leave: () => void = () => undefined
    this.#queue = new Promise((resolve) => {
      leave = resolve
    })
    await before
    this.#leave = leave
    return connection
  }

  releaseConnection(): Promise<void> {
    if (this.#mode === 'writer') this.#leave()
    return Promise.resolve()
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  /** Without space or memory SQLite has rolled back by itself: asking again would hide why. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof SqliteConnection && !connection.inTransaction) return
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  /** Lets no writer in any more, and waits for those that are. */
  async destroy(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    await this.#queue
    connection?.close()
  }
}

function connect(file: string, mode: Mode): Sqlite.Database {
  const database = new Sqlite(file)
  try {
    for (const pragma of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on'])
      database.pragma(pragma)
    if (mode === 'reader') database.pragma('query_only = on')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Tries again for as long as another connection holds the lock, without blocking the thread. */
async function patiently<T>(work: () => T): Promise<T> {
  const deadline = Date.now() + BUSY_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (Date.now() > deadline)
        throw new Refusal('database_unavailable', 'Another process keeps the database locked.')
      await sleep(5 + Math.random() * 20)
    }
  }
}

/** A statement with what libsql would otherwise be asked for each time. */
interface Prepared {
  readonly statement: Sqlite.Statement
  /** Makes rows of its answer; null: it answers none. */
  readonly toRows: ((answer: readonly unknown[]) => unknown[]) | null
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: Sqlite.Database
  readonly #statements = new LRUCache<string, Prepared>({ max: PREPARED_STATEMENTS })
  #busyMs = 0

  constructor(database: Sqlite.Database) {
    this.#database = database
  }

  /** A statement that found the file locked must run again or be thrown away: libsql leaves it open. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const begun = performance.now()
    const result = await patiently(() => this.#run<R>(query))
    this.#busyMs += performance.now() - begun
    if (this.#busyMs > TURN_MS) {
      this.#busyMs = 0
      await nextTurn()
    }
    return result
  }

  /** The type of a row follows from the query that Kysely compiled; libsql cannot know it. */
  #run<R>(query: CompiledQuery): QueryResult<R>
  #run(query: CompiledQuery): QueryResult<unknown> {
    const { statement, toRows } = this.#prepare(query)
    const values = query.parameters.map(bindable)
    if (toRows !== null) return { rows: toRows(statement.all(values)) }
    const { changes } = statement.run(values)
    return { numAffectedRows: BigInt(changes), rows: [] }
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are not streamed')
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #prepare(query: CompiledQuery): Prepared {
    const many = answersManyRows(query)
    const key = many ? `${query.sql} as JSON` : query.sql
    const known = this.#statements.get(key)
    if (known !== undefined) return known
    const prepared = this.#prepareAnew(query.sql, many)
    this.#statements.set(key, prepared)
    return prepared
  }

  #prepareAnew(sql: string, many: boolean): Prepared {
    const statement = this.#database.prepare(sql)
    if (!statement.reader) return { statement, toRows: null }
    const columns = statement.columns().map(({ name }) => name)
    if (!many) return { statement: statement.raw(), toRows: (answer) => rowsOf(columns, answer) }
    return { statement: this.#database.prepare(inJson(sql, columns)).raw(), toRows: parsed }
  }
}

/**
 * All rows of a query as one text: of thousands of short values, libsql takes three times as long to hand
 * over each as SQLite needs to write them and V8 to read them.
 */
function inJson(sql: string, names: readonly string[]): string {
  const columns = names.map((_name, at) => `c${at}`).join(', ')
  const members = names.map((name, at) => `'${name.replaceAll("'", "''")}', c${at}`).join(', ')
  return `with answer (${columns}) as (${sql}) select json_group_array(json_object(${members})) from answer`
}

function parsed(answer: readonly unknown[]): unknown[]
function parsed([row]: readonly unknown[]): unknown {
  const rows: unknown = JSON.parse(Array.isArray(row) ? String(row[0]) : '[]')
  return rows
}

/** libsql ends the process at a boolean (0.5.29), so that nothing else may reach it. */
function bindable(value: unknown): string | number | bigint | Buffer | null {
  if (value === null || Buffer.isBuffer(value)) return value
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
    return value
  throw new TypeError(`A ${typeof value} cannot be bound to a statement`)
}

/** libsql answers lists of values, as it takes three times as long to make objects. */
function rowsOf(columns: readonly string[], answer: readonly unknown[]): unknown[] {
  const blank: Record<string, unknown> = Object.fromEntries(columns.map((name) => [name, null]))
  return answer.map((values) => {
    // All rows get the same shape at once, instead of growing to it.
    const row = { ...blank }
    if (Array.isArray(values)) for (const [at, name] of columns.entries()) row[name] = values[at]
    return row
  })
}
