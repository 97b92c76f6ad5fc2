import { z } from 'zod'
import { Refusal } from '../../platform/errors.ts'

const fault = z.looseObject({ code: z.string(), message: z.string() })

const UNIQUE = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'])
const FOREIGN_KEY = new Set(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503'])
/** Serialisation failure and deadlock: PostgreSQL has aborted the transaction, which can be retried. */
const RETRYABLE_CODES = new Set(['40001', '40P01'])
const UNREACHABLE = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|57P0[123]|08\w\w\w|53300)$/
/** Messages of pg for errors without a code. */
const UNREACHABLE_WORDS =
  /^(timeout expired|timeout exceeded when|Connection terminated|Client has encountered a connection)/
/**
 * The file is missing, not accessible or no database, or its folder cannot be written (1544, which libsql does not name);
 * PostgreSQL has no such user or database.
 */
const UNUSABLE =
  /^(ENOENT|EISDIR|EACCES|SQLITE_(CANTOPEN|NOTADB|READONLY|CORRUPT)\w*|UNKNOWN_SQLITE_ERROR_1544|28\w\w\w|3D000|42501)$/

/** Whether a row was refused because another row has the same key. */
export function isDuplicate(error: unknown): boolean {
  return UNIQUE.has(codeOf(error))
}

/** Whether a row was refused because the row that it refers to does not exist. */
export function isOrphan(error: unknown): boolean {
  return FOREIGN_KEY.has(codeOf(error))
}

export function isWorthRetrying(error: unknown): boolean {
  return RETRYABLE_CODES.has(codeOf(error))
}

export function isUnreachable(error: unknown): boolean {
  return UNREACHABLE.test(codeOf(error)) || (error instanceof Error && UNREACHABLE_WORDS.test(error.message))
}

export function databaseAway(): Refusal {
  return new Refusal('database_unavailable', 'The database does not answer. Try again.')
}

/** Whether the database cannot be used with these settings. */
export function isUnusable(error: unknown): boolean {
  return UNUSABLE.test(codeOf(error))
}

/** Whether the values of a row violate the types or constraints of its table. */
export function isMisfit(error: unknown): boolean {
  return /^(SQLITE_CONSTRAINT\w*|SQLITE_MISMATCH|2[23]\w\w\w)$/.test(codeOf(error))
}

/** Whether another connection to the SQLite file holds the lock. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

function codeOf(error: unknown): string {
  const parsed = fault.safeParse(error)
  return parsed.success ? parsed.data.code : ''
}
