import { LRUCache } from 'lru-cache'
import { Refusal } from '../../platform/errors.ts'
import type { LockoutSettings } from '../../platform/guidance-settings.ts'
import { SYSTEM } from '../caller.ts'
import type { Database, Writer } from '../database/database.ts'
import { refuseTokens } from '../refusals.ts'
import { findUser, findUserByEmail, type User } from '../users/reader.ts'
import { clearLock, lockUser } from '../users/writer.ts'
import { isPassword } from './passwords.ts'

/** Addresses without an account lock just like accounts do, so that the answers tell nothing. */
const MAX_STRANGERS = 10_000

export interface Credentials {
  readonly email: string
  readonly password: string
}

interface Options {
  readonly database: Database
  readonly lockout: LockoutSettings
  /** Whether an address has to be confirmed by mail first. */
  readonly mustConfirm: boolean
}

/**
 * Signs people in with a local password and locks accounts after too many failures (specification,
 * account lock; contract §19). Answers and times are the same for unknown addresses.
 */
export class LocalSignIn {
  readonly #database: Database
  readonly #lockout: LockoutSettings
  readonly #mustConfirm: boolean
  readonly #strangers: LRUCache<string, number>

  constructor({ database, lockout, mustConfirm }: Options) {
    this.#database = database
    this.#lockout = lockout
    this.#mustConfirm = mustConfirm
    this.#strangers = new LRUCache({ max: MAX_STRANGERS, ttl: lockout.unlockMs })
  }

  /** The account, or `invalid_credentials` or `account_locked`. */
  async signIn({ email, password }: Credentials): Promise<User> {
    const user = await findUserByEmail(this.#database.read, email)
    const right = await isPassword(user?.password_hash ?? null, password)
    if (user === null) throw this.#refuseStranger(email.toLowerCase())
    const outcome = await this.#database.transact((writer) => this.#settle(writer, user.id, right))
    if (outcome instanceof Refusal) throw outcome
    return outcome
  }

  /** The same check for somebody who is signed in already; a failure counts. */
  async confirm(userId: number, password: string): Promise<boolean> {
    const user = await findUser(this.#database.read, userId)
    const right = await isPassword(user?.password_hash ?? null, password)
    const outcome = await this.#database.transact((writer) => this.#settle(writer, userId, right))
    return !(outcome instanceof Refusal)
  }

  /** Refusals are returned, not thrown: what was counted is to be committed. */
  async #settle(writer: Writer, userId: number, right: boolean): Promise<User | Refusal> {
    await writer.lock('user', userId)
    const found = await findUser(writer, userId)
    if (found === null) return invalidCredentials()
    const user = await this.#openOldLock(writer, found)
    if (user.locked_at !== null) return accountLocked()
    if (!right) return this.#countFailure(writer, user)
    if (this.#mustConfirm && user.confirmed_at === null) return invalidCredentials()
    const last_sign_in_at = new Date().toISOString()
    await writer
      .updateTable('users')
      .set({ failed_attempts: 0, last_sign_in_at })
      .where('id', '=', user.id)
      .execute()
    return { ...user, failed_attempts: 0, last_sign_in_at }
  }

  async #openOldLock(writer: Writer, user: User): Promise<User> {
    const { unlockStrategy, unlockMs } = this.#lockout
    if (user.locked_at === null || user.locked_by !== 'attempts') return user
    const over = Date.parse(user.locked_at) + unlockMs <= Date.now()
    if (unlockStrategy === 'email' || !over) return user
    await clearLock(writer, user.id)
    return { ...user, locked_at: null, locked_by: null, failed_attempts: 0 }
  }

  async #countFailure(writer: Writer, user: User): Promise<Refusal> {
    const failed_attempts = user.failed_attempts + 1
    await writer.updateTable('users').set({ failed_attempts }).where('id', '=', user.id).execute()
    const refusal = this.#refuseAttempt(failed_attempts)
    if (refusal.code === 'account_locked')
      await lockUser(writer, user, { by: 'attempts', actor: SYSTEM })
    return refusal
  }

  #refuseStranger(email: string): Refusal {
    const attempts = (this.#strangers.get(email) ?? 0) + 1
    this.#strangers.set(email, attempts, { noUpdateTTL: true })
    return this.#refuseAttempt(attempts)
  }

  #refuseAttempt(attempts: number): Refusal {
    const { enabled, maximumAttempts, lastAttemptWarning } = this.#lockout
    if (!enabled) return invalidCredentials()
    if (attempts >= maximumAttempts) return accountLocked()
    const last = lastAttemptWarning && attempts === maximumAttempts - 1
    return invalidCredentials(last ? { attempts_left: 1 } : {})
  }
}

export function invalidCredentials(members: Readonly<Record<string, unknown>> = {}): Refusal {
  return refuseTokens('invalid_credentials', 'The email or password is incorrect.', members)
}

function accountLocked(): Refusal {
  const detail = 'The account is locked for now. Wait and try again, or reset the password.'
  return refuseTokens('account_locked', detail)
}
