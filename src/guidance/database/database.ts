import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql, type Dialect, type Transaction } from 'kysely'
import { Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { DialectName } from './dialect.ts'
import { isUnreachable, isWorthRetrying } from './faults.ts'
import { migrate } from './migrate.ts'
import { postgresDialect } from './postgres.ts'
import type { Schema } from './schema/schema.ts'
import { sqliteDialect } from './sqlite.ts'

const ATTEMPTS = 8

/** What may only read. A transaction can be handed over as one, to read what it has written. */
export type Reader = Pick<Kysely<Schema>, 'selectFrom'>

/** What may write; it exists only inside a transaction. */
export interface Writer extends Pick<
  Transaction<Schema>,
  'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom'
> {
  /**
   * Waits for other writers of this subject and keeps them waiting until the transaction ends, so
   * that what is checked is still true when it is written. In this order: user, users, project.
   */
  lock(subject: keyof typeof SUBJECTS, id: number): Promise<void>
}

/** The numbers are the key space of PostgreSQL's advisory locks. */
const SUBJECTS = { users: 8801, user: 8802, project: 8803 }

export interface Database {
  readonly dialect: DialectName
  readonly read: Reader
  /** Commits what the work wrote, or nothing. The work may be run again: it must only touch SQL. */
  transact<T>(work: (writer: Writer) => Promise<T>): Promise<T>
  close(): Promise<void>
}

interface Place {
  /** `postgres://…` or `file:…`; null is a SQLite file in the data folder. */
  readonly url: string | null
  readonly dataDir: string
  readonly log: Log
}

/** Opens the database and brings it up to date. Refuses one that a newer program has changed. */
export async function openDatabase({ url, dataDir, log }: Place): Promise<Database> {
  const postgres = url !== null && !url.startsWith('file:')
  if (postgres) {
    const pool = new Kysely<Schema>({ dialect: postgresDialect(url, log) })
    return open('postgres', pool, pool)
  }
  mkdirSync(dataDir, { recursive: true })
  const file = url === null ? join(dataDir, 'parapet.db') : url.slice('file:'.length)
  // For its owner alone; the files that SQLite puts beside it get the same mode.
  closeSync(openSync(file, 'a', 0o600))
  const connect = (dialect: Dialect): Kysely<Schema> => new Kysely<Schema>({ dialect })
  return open(
    'sqlite',
    connect(sqliteDialect(file, 'reader')),
    connect(sqliteDialect(file, 'writer')),
  )
}

async function open(
  dialect: DialectName,
  read: Kysely<Schema>,
  write: Kysely<Schema>,
): Promise<Database> {
  const close = async (): Promise<void> => {
    await read.destroy()
    await write.destroy()
  }
  try {
    await migrate(write, dialect)
  } catch (error) {
    await close()
    if (isUnreachable(error))
      throw new Refusal(
        'database_unavailable',
        'SERVICE_DATABASE_URL: the database does not answer.',
      )
    throw error
  }
  return {
    dialect,
    read,
    close,
    transact: async (work) => transact(write, dialect, work),
  }
}

/** PostgreSQL may end one of several transactions that wait for each other; that one starts again. */
async function transact<T>(
  write: Kysely<Schema>,
  dialect: DialectName,
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write
        .transaction()
        .execute((transaction) => work(toWriter(transaction, dialect)))
    } catch (error) {
      if (!isWorthRetrying(error) || attempt === ATTEMPTS) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

function toWriter(transaction: Transaction<Schema>, dialect: DialectName): Writer {
  return {
    selectFrom: transaction.selectFrom.bind(transaction),
    insertInto: transaction.insertInto.bind(transaction),
    updateTable: transaction.updateTable.bind(transaction),
    deleteFrom: transaction.deleteFrom.bind(transaction),
    lock: async (subject, id) => {
      // SQLite has one writer at a time anyway.
      if (dialect === 'sqlite') return
      await sql`select pg_advisory_xact_lock(${SUBJECTS[subject]}, ${id})`.execute(transaction)
    },
  }
}
