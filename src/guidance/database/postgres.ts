import { PostgresDialect, type Dialect } from 'kysely'
import { Pool, TypeOverrides, types } from 'pg'
import type { Log } from '../../platform/log.ts'

const CONNECTIONS = 10
const CONNECT_MS = 5000
const STATEMENT_MS = 30_000

/** Kinds of values that PostgreSQL sends as text: counts become numbers, times ISO 8601 in UTC. */
const readers = new TypeOverrides()
readers.setTypeParser(types.builtins.INT8, Number)
readers.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString())

/** A pool of connections to PostgreSQL. */
export function postgresDialect(connectionString: string, log: Log): Dialect {
  const pool = new Pool({
    connectionString,
    types: readers,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    application_name: 'parapet',
  })
  // A connection that dies while idle is replaced by the next query.
  pool.on('error', (error) => {
    log.warn({ reason: error.message }, 'A database connection was lost')
  })
  return new PostgresDialect({ pool })
}
