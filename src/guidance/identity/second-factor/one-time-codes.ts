import { Secret, TOTP } from 'otpauth'
import { rateLimited } from '../../../http/server/limit.ts'
import type { Refusal } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { LockoutSettings } from '../../../platform/settings/guidance-settings.ts'
import type { Writer } from '../../database/transaction.ts'
import { seal, unseal } from '../../parts/sealed.ts'
import type { User } from '../users/reader.ts'
import type { SecondFactor } from './factors.ts'

/** All authenticator apps support these parameters (RFC 6238). */
const CODES = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Because clocks differ, the previous and the next code are accepted too. */
const WINDOW = 1
const SECRET_BYTES = 20
const ISSUER = 'Parapet'

export interface NewSecret {
  /** The secret in base 32, for typing. */
  readonly secret: string
  /** The address for a QR code. */
  readonly uri: string
}

export function makeSecret(account: string): NewSecret {
  const secret = new Secret({ size: SECRET_BYTES })
  const totp = new TOTP({ ...CODES, issuer: ISSUER, label: account, secret })
  return { secret: secret.base32, uri: totp.toString() }
}

/** Encrypts a secret; it can be decrypted only for this account. */
export function sealSecret(secret: string, key: Buffer, userId: number): string {
  return seal(secret, key, `one-time codes of user ${userId}`)
}

/** Throws if the secret was encrypted with another key. */
export function openSecret(sealed: string, key: Buffer, userId: number): string {
  return unseal(sealed, key, `one-time codes of user ${userId}`)
}

/** Returns the time step of a code that is valid now; else null. */
export function stepOf(secret: string, code: string): number | null {
  const now = Date.now()
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return null
  const totp = new TOTP({ ...CODES, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token, timestamp: now, window: WINDOW })
  return delta === null ? null : totp.counter({ timestamp: now }) + delta
}

interface TypedCode {
  readonly code: string
  readonly factors: readonly SecondFactor[]
  readonly key: Buffer
  readonly log: Log
}

/** Uses a code: neither it nor an earlier one works again. Returns its factor; null for a wrong code. */
export async function spendCode(writer: Writer, { code, factors, key, log }: TypedCode): Promise<SecondFactor | null> {
  for (const factor of factors) {
    if (factor.kind !== 'totp') continue
    const secret = readSecret(factor, key, log)
    const step = secret === null ? null : stepOf(secret, code)
    if (step !== null && (await spendStep(writer, factor, step))) return factor
  }
  return null
}

/** Null after the loss of the key: then an administrator must reset the second factor. */
function readSecret({ id, key: sealed, user_id }: SecondFactor, key: Buffer, log: Log): string | null {
  try {
    return openSecret(sealed, key, user_id)
  } catch (error) {
    log.error({ err: error, user: user_id, factor: id }, 'The secret of one-time codes cannot be read')
    return null
  }
}

async function spendStep(writer: Writer, { id }: SecondFactor, step: number): Promise<boolean> {
  const spent = await writer
    .updateTable('second_factors')
    .set({ used_up_to: step, last_used_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('used_up_to', '<', step)
    .returning('id')
    .executeTakeFirst()
  return spent !== undefined
}

/** Applies even if accounts are never locked, because six digits can be guessed. */
const UNLOCKED = { maximumAttempts: 5, unlockMs: 15 * 60_000 }
const LONGEST_MS = 86_400_000

/**
 * Refuses all codes after too many wrong ones, for as long as an account is locked, and twice as long after each
 * further one. Only a right second factor or an administrator ends this, not a new password.
 */
export function refuseTooMany(user: User, lockout: LockoutSettings): Refusal | null {
  const { maximumAttempts, unlockMs } = lockout.enabled ? lockout : UNLOCKED
  const { wrong_codes, wrong_code_at } = user
  if (wrong_code_at === null || wrong_codes < maximumAttempts) return null
  const waitMs = Math.min(unlockMs * 2 ** (wrong_codes - maximumAttempts), LONGEST_MS)
  const remainingMs = Date.parse(wrong_code_at) + waitMs - Date.now()
  if (remainingMs <= 0) return null
  const seconds = Math.ceil(remainingMs / 1000)
  return rateLimited(seconds, `Too many wrong codes. Wait ${seconds} seconds, or use a passkey or a recovery code.`)
}

export async function countWrongCode(writer: Writer, { id, wrong_codes }: User): Promise<void> {
  await writer
    .updateTable('users')
    .set({ wrong_codes: wrong_codes + 1, wrong_code_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
}
