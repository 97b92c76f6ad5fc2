import { messageOf, Refusal } from './errors.ts'

const FULL_MESSAGE = 'There is no space left to write this, or a quota is used up.'
const UNWRITABLE_MESSAGE = 'The storage cannot be written or read.'

/** Codes for full storage in Node.js, SQLite (also for the index of its log) and PostgreSQL (disk, temporary files). */
const FULL_CODES = /^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_SHMSIZE|53100|53400)$/
/** Codes for read-only, damaged or forbidden storage; for PostgreSQL, a read-only server and input/output errors. */
const UNWRITABLE_CODES = /^(EROFS|EIO|EACCES|EPERM|SQLITE_(?:IOERR|READONLY|CANTOPEN)\w*|25006|58030)$/

/**
 * The refusal for an error of a disk or database that cannot be written; null for every other error. Its
 * cause names files, and is for the log and for commands only.
 */
export function storageRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return isStorageRefusal(error) ? error : null
  const code = codeOf(error)
  if (FULL_CODES.test(code)) return withCause(new Refusal('storage_full', FULL_MESSAGE), error)
  if (UNWRITABLE_CODES.test(code)) return withCause(new Refusal('storage_unwritable', UNWRITABLE_MESSAGE), error)
  return null
}

export function isStorageRefusal(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'storage_full' || error.code === 'storage_unwritable')
}

function withCause(refusal: Refusal, cause: unknown): Refusal {
  refusal.cause = cause
  return refusal
}

/** Describes a refusal to the operator in one sentence, with its cause and its code. */
export function describeRefusal({ message, code, cause }: Refusal): string {
  if (cause === undefined) return `${message} [${code}]`
  const because = messageOf(cause)
  const named = because.includes(codeOf(cause)) ? because : `${codeOf(cause)}: ${because}`
  return `${message} (${named}) [${code}]`
}

/** The code that the system or a library gives an error; empty if there is none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
