import {
  PostgresDialect,
  type Dialect,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import { Pool, TypeOverrides, types } from 'pg'
import type { Log } from '../../platform/log.ts'

const CONNECTIONS = { service: 10, feed: 2 }
const CONNECT_MS = 5000
const STATEMENT_MS = 30_000
/** Limit of the client, for a server that does not answer and so does not enforce its own limit. */
const QUERY_MS = 40_000
/** Limit of prepared statements; further ones are planned each time. */
const PREPARED_STATEMENTS = 300

/** Types that pg returns as text: counts become numbers, times ISO 8601 in UTC. */
const readers = new TypeOverrides()
readers.setTypeParser(types.builtins.INT8, Number)
readers.setTypeParser(types.builtins.TIMESTAMPTZ, readTime)

const IN_UTC = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/

/** Rewrites the usual form without `Date`, because long lists have tens of thousands of times. */
function readTime(text: string): string {
  const [, day, time, fraction = ''] = IN_UTC.exec(text) ?? []
  if (day === undefined || time === undefined) return new Date(text).toISOString()
  return `${day}T${time}.${fraction.padEnd(3, '0')}Z`
}

/**
 * A pool of connections to PostgreSQL. Statements are cancelled after half a minute, except those of the migrator, which has
 * one connection and waits for other processes as long as necessary.
 */
export function postgresDialect(
  connectionString: string,
  log: Log | null,
  mode: 'service' | 'feed' | 'migrator',
): Dialect & { readonly connections: PoolState } {
  const pool = new Pool({
    connectionString,
    types: readers,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'parapet',
    // JIT compilation takes longer than any of our statements.
    options: '-c jit=off',
    ...(mode === 'migrator'
      ? { max: 1 }
      : { max: CONNECTIONS[mode], statement_timeout: STATEMENT_MS, query_timeout: QUERY_MS }),
  })
  // The next query replaces a connection that dies; an unhandled error event would end the process.
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      log?.warn({ reason: error.message }, 'A database connection was lost')
    })
  })
  pool.on('error', () => undefined)
  return new PooledDialect(pool)
}

export interface PoolState {
  readonly busy: number
  readonly idle: number
  /** Statements that wait for a connection. */
  readonly waiting: number
}

class PooledDialect extends PostgresDialect {
  readonly #pool: Pool

  constructor(pool: Pool) {
    super({ pool: withPreparedStatements(pool) })
    this.#pool = pool
  }

  get connections(): PoolState {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.#pool
    return { busy: totalCount - idle, idle, waiting }
  }
}

/** Names statements, so that each connection prepares them only once. */
function withPreparedStatements(pool: Pool): PostgresPool {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    const knownName = names.get(text)
    if (knownName !== undefined || names.size === PREPARED_STATEMENTS) return knownName
    const name = `parapet_${names.size}`
    names.set(text, name)
    return name
  }
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect()
    function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
    function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
    function query(text: unknown, values: readonly unknown[] = []): unknown {
      if (typeof text !== 'string') throw new TypeError('Rows are not streamed')
      const name = nameOf(text)
      return client.query({ ...(name !== undefined && { name }), text, values: [...values] })
    }
    const release = (): void => {
      client.release()
    }
    return { query, release }
  }
  return { connect, end: () => pool.end() }
}
