import { createHash } from 'node:crypto'
import type { Session } from '../../../http/session.ts'
import type { Refusal } from '../../../platform/errors.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import { accountLocked } from '../sign-in/sign-in.ts'
import { findUser, type User } from '../users/reader.ts'
import { findFactors, type SecondFactor } from './factors.ts'
import { countRecoveryCodes } from './recovery-codes.ts'
import { notBegun, secondFactorRequired } from './refusals.ts'

/** Time after the password in which the second factor must come. */
const PENDING_MS = 10 * 60_000

export interface PendingSignIn {
  readonly user: User
  readonly factors: readonly SecondFactor[]
}

/**
 * Stores in an anonymous session whose password was right. The session only allows the second factor. Returns the
 * refusal, which names the possible second factors.
 */
export async function beginSecondStep(reader: Reader, session: Session, user: User): Promise<Refusal> {
  const password = digestOf(user.password_hash)
  await session.startOver({ pending: { userId: user.id, at: Date.now(), password } })
  return secondFactorRequired(await findMethods(reader, user.id))
}

async function findMethods(reader: Reader, userId: number): Promise<readonly string[]> {
  const kinds = (await findFactors(reader, userId)).map(({ kind }) => kind)
  const remainingCodes = await countRecoveryCodes(reader, userId)
  return [...new Set(kinds), ...(remainingCodes > 0 ? ['recovery_code'] : [])].sort()
}

/**
 * The account whose second factor is missing in this session. A new password, a lock, or the loss of all factors ends
 * this state, and the sign-in starts again.
 */
export async function requirePending(reader: Reader, { data: { pending }, timedOut }: Session): Promise<PendingSignIn> {
  if (pending === undefined || timedOut || pending.at + PENDING_MS < Date.now()) throw notBegun()
  const user = await findUser(reader, pending.userId)
  if (user === null || digestOf(user.password_hash) !== pending.password) throw notBegun()
  if (user.locked_at !== null) throw accountLocked()
  const factors = await findFactors(reader, user.id)
  if (factors.length === 0) throw notBegun()
  return { user, factors }
}

/** Only one of several requests at once completes the sign-in. */
export async function endPending(writer: Writer, { recordId }: Session): Promise<void> {
  const ended = await writer
    .deleteFrom('sessions')
    .where('id', '=', recordId ?? 0)
    .returning('id')
    .executeTakeFirst()
  if (ended === undefined) throw notBegun()
}

/** Identifies a password without revealing anything about it. */
function digestOf(passwordHash: string | null): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url')
}
