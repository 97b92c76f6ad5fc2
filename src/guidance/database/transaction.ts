import { sql, type Kysely, type Transaction } from 'kysely'
import type { DialectName } from './dialect.ts'
import type { Schema } from './schema/schema.ts'

/** Can only read. A transaction can be passed as a reader, to read its own changes. */
export type Reader = Pick<Kysely<Schema>, 'selectFrom' | 'executeQuery' | 'getExecutor'>

/** Can write; exists only inside a transaction. */
export interface Writer extends Pick<
  Transaction<Schema>,
  'selectFrom' | 'executeQuery' | 'getExecutor' | 'insertInto' | 'updateTable' | 'deleteFrom'
> {
  readonly dialect: DialectName
  /**
   * Locks the subject against other writers until the transaction ends, so that checks are still valid when the changes are
   * written. Locks must be taken in this order: user, users, project, component, rule, benchmarks, changes.
   */
  lock(subject: LockedRecord, id: number): Promise<void>
  /** Locks the subject against `lock`, but not against other shared locks. */
  share(subject: LockedRecord, id: number): Promise<void>
  /** Notifies listeners in this process when the transaction has committed. */
  announce(topic: CommitTopic): void
}

/** Streams and the webhook sender wait for commits on these topics. */
export type CommitTopic = 'events' | 'deliveries'

/** The numbers are keys of PostgreSQL's advisory locks. */
const SUBJECTS = {
  users: 8801,
  user: 8802,
  project: 8803,
  benchmarks: 8804,
  component: 8805,
  rule: 8807,
  /** Entries of `search_changes`: taken by the commit itself, see migration 022. */
  changes: 8808,
}

type LockedRecord = keyof typeof SUBJECTS

interface TransactionContext {
  readonly dialect: DialectName
  readonly topics: Set<CommitTopic>
}

export function toWriter(transaction: Transaction<Schema>, { dialect, topics }: TransactionContext): Writer {
  return {
    dialect,
    getExecutor: transaction.getExecutor.bind(transaction),
    selectFrom: transaction.selectFrom.bind(transaction),
    executeQuery: transaction.executeQuery.bind(transaction),
    insertInto: transaction.insertInto.bind(transaction),
    updateTable: transaction.updateTable.bind(transaction),
    deleteFrom: transaction.deleteFrom.bind(transaction),
    lock: async (subject, id) => {
      // SQLite has one writer at a time anyway.
      if (dialect === 'sqlite') return
      await sql`select pg_advisory_xact_lock(${SUBJECTS[subject]}, ${id})`.execute(transaction)
    },
    share: async (subject, id) => {
      if (dialect === 'sqlite') return
      const key = SUBJECTS[subject]
      await sql`select pg_advisory_xact_lock_shared(${key}, ${id})`.execute(transaction)
    },
    announce: (topic) => {
      topics.add(topic)
    },
  }
}
