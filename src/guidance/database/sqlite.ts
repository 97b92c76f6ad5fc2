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
import { nextTurn } from '../../platform/concurrency/turns.ts'
import { Refusal } from '../../platform/errors.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { isBusy } from './faults.ts'
import { answersManyRows } from './many-rows.ts'

/** Time to wait for another process that writes, such as a command, without blocking the thread. */
const BUSY_MS = 15_000
const PREPARED_STATEMENTS = 500
/** Statements block the thread, so other work runs after this time. */
const TURN_MS = 10

type ConnectionMode = 'reader' | 'writer'
/** Called each time a statement finds the file locked. */
type BusyListener = () => void

const ignore: BusyListener = () => undefined

/**
 * A SQLite file through libsql. Transactions of a writer take the write lock when they begin; a reader cannot
 * write. A commit is on disk when it returns.
 */
export function sqliteDialect(file: string, mode: ConnectionMode, whenBusy: BusyListener = ignore): Dialect {
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new SqliteDriver(file, mode, whenBusy),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/**
 * Lets the migrator use a transaction: SQLite also rolls back DDL, so a migration is applied whole or not at all.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #file: string
  readonly #mode: ConnectionMode
  readonly #whenBusy: BusyListener
  #connection: SqliteConnection | null = null
  #queue: Promise<void> = Promise.resolve()
  #leave: () => void = () => undefined

  constructor(file: string, mode: ConnectionMode, whenBusy: BusyListener) {
    this.#file = file
    this.#mode = mode
    this.#whenBusy = whenBusy
  }

  async init(): Promise<void> {
    const connection = await retryWhileBusy(() => connect(this.#file, this.#mode), this.#whenBusy)
    this.#connection = new SqliteConnection(connection, this.#whenBusy)
  }

  /** Writers take turns; readers share the connection, because each of their statements is atomic. */
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

  /** Without space or memory SQLite has rolled back already: another rollback would fail and hide the cause. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof SqliteConnection && !connection.inTransaction) return
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  /** Refuses new transactions, and waits for those that are running or queued. */
  async destroy(): Promise<void> {
    const connection = this.#connection
    this.#connection = null
    await this.#queue
    connection?.close()
  }
}

function connect(file: string, mode: ConnectionMode): Sqlite.Database {
  const database = new Sqlite(file)
  try {
    for (const pragma of ['journal_mode = wal', 'synchronous = full', 'foreign_keys = on']) database.pragma(pragma)
    if (mode === 'reader') database.pragma('query_only = on')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Retries while another connection holds the lock, without blocking the thread. */
async function retryWhileBusy<T>(work: () => T, whenBusy: BusyListener): Promise<T> {
  const deadline = Date.now() + BUSY_MS
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error)) throw error
      whenBusy()
      if (Date.now() > deadline) throw new Refusal('database_unavailable', 'Another process keeps the database locked.')
      await sleep(5 + Math.random() * 20)
    }
  }
}

/** A statement with its cached properties, so that libsql need not compute them each time. */
interface PreparedStatement {
  readonly statement: Sqlite.Statement
  /** Converts the result to rows; null for a statement without rows. */
  readonly toRows: ((answer: readonly unknown[]) => unknown[]) | null
}

/** A period of statements, after which other requests run. */
interface WriteTurn {
  readonly begun: number
  readonly end: Promise<void>
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: Sqlite.Database
  readonly #whenBusy: BusyListener
  readonly #statements = new LRUCache<string, PreparedStatement>({ max: PREPARED_STATEMENTS })
  #turn: WriteTurn | null = null

  constructor(database: Sqlite.Database, whenBusy: BusyListener) {
    this.#database = database
    this.#whenBusy = whenBusy
  }

  /**
   * Runs a statement, and retries it while the file is locked. Statements are synchronous, so many queries in one turn
   * would block the event loop: after a long turn, all of them wait for the next one.
   */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    while (this.#isLong()) await this.#turn?.end
    const turn = (this.#turn ??= this.#beginTurn())
    const result = await retryWhileBusy(() => this.#run<R>(query), this.#whenBusy)
    if (this.#isLong()) await turn.end
    return result
  }

  #isLong(): boolean {
    return this.#turn !== null && performance.now() - this.#turn.begun > TURN_MS
  }

  #beginTurn(): WriteTurn {
    const end = nextTurn().then(() => {
      this.#turn = null
    })
    return { begun: performance.now(), end }
  }

  /** Kysely derives the type of a row from the query; libsql cannot know it. */
  #run<R>(query: CompiledQuery): QueryResult<R>
  #run(query: CompiledQuery): QueryResult<unknown> {
    const { statement, toRows } = this.#prepare(query)
    const values = query.parameters.map(bindableValue)
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

  #prepare(query: CompiledQuery): PreparedStatement {
    const isMany = answersManyRows(query)
    const key = isMany ? `${query.sql} as JSON` : query.sql
    return getOrMake(this.#statements, key, () => this.#prepareAnew(query.sql, isMany))
  }

  #prepareAnew(sql: string, isMany: boolean): PreparedStatement {
    const statement = this.#database.prepare(sql)
    if (!statement.reader) return { statement, toRows: null }
    const columns = statement.columns().map(({ name }) => name)
    if (!isMany) return { statement: statement.raw(), toRows: (answer) => rowsOf(columns, answer) }
    return { statement: this.#database.prepare(inJson(sql, columns)).raw(), toRows: parseAnswer }
  }
}

/**
 * All rows of a query as one JSON text: for thousands of short values, libsql takes three times as long as writing
 * and parsing JSON.
 */
function inJson(sql: string, names: readonly string[]): string {
  const columns = names.map((_name, index) => `c${index}`).join(', ')
  const members = names.map((name, index) => `'${name.replaceAll("'", "''")}', c${index}`).join(', ')
  return `with answer (${columns}) as (${sql}) select json_group_array(json_object(${members})) from answer`
}

function parseAnswer(answer: readonly unknown[]): unknown[]
function parseAnswer([row]: readonly unknown[]): unknown {
  const rows: unknown = JSON.parse(Array.isArray(row) ? String(row[0]) : '[]')
  return rows
}

/** libsql ends the process at a boolean (0.5.29), so other types are refused here. */
function bindableValue(value: unknown): string | number | bigint | Buffer | null {
  if (value === null || Buffer.isBuffer(value)) return value
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') return value
  throw new TypeError(`A ${typeof value} cannot be bound to a statement`)
}

/** libsql returns arrays of values, because it takes three times as long to make objects. */
function rowsOf(columns: readonly string[], answer: readonly unknown[]): unknown[] {
  const blank: Record<string, unknown> = Object.fromEntries(columns.map((name) => [name, null]))
  return answer.map((values) => {
    // Copies one object, so that V8 does not create a hidden class for each row.
    const row = { ...blank }
    if (Array.isArray(values)) for (const [index, name] of columns.entries()) row[name] = values[index]
    return row
  })
}
