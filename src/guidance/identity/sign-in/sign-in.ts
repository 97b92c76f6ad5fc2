import { SYSTEM } from '../../../http/caller.ts'
import { isStorable } from '../../../http/input.ts'
import { refuseTokens } from '../../../http/refusals.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { LockoutSettings } from '../../../platform/settings/guidance-settings.ts'
import type { Database } from '../../database/database.ts'
import type { Writer } from '../../database/transaction.ts'
import { clearLock, lockUser } from '../credentials/credentials.ts'
import { isPassword } from '../passwords/passwords.ts'
import { hasSecondFactor } from '../second-factor/state.ts'
import { findUser, findUserByEmail, type User } from '../users/reader.ts'
import type { UnknownAddressCounter } from './unknown-addresses.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

interface SignInOptions {
  readonly database: Database
  readonly lockout: LockoutSettings
  /** Whether an address has to be confirmed by mail first. */
  readonly mustConfirm: boolean
  readonly unknownAddresses: UnknownAddressCounter
  readonly log: Log
}

interface CheckedPassword {
  /** The account whose password was checked. */
  readonly storedUser: User
  readonly right: boolean
  /** Whether the address is confirmed, or need not be. */
  readonly hasUsableAddress: (user: User) => boolean
}

/** A user whose password was right. */
interface LocalUser {
  readonly user: User
  /** Whether a second factor is missing. */
  readonly needsFactor: boolean
}

interface FailedSignIn {
  readonly refusal: Refusal
  /** Whether this attempt locked the account. */
  readonly locks: boolean
}

/**
 * Signs people in with a local password and locks accounts after too many failures (docs/contract.md, Sessions).
 * Answers and times are the same for unknown addresses.
 */
export class LocalSignIn {
  readonly #database: Database
  readonly #lockout: LockoutSettings
  readonly #mustConfirm: boolean
  readonly #log: Log
  readonly #unknownAddresses: UnknownAddressCounter

  constructor({ database, lockout, mustConfirm, unknownAddresses, log }: SignInOptions) {
    this.#database = database
    this.#log = log
    this.#lockout = lockout
    this.#mustConfirm = mustConfirm
    this.#unknownAddresses = unknownAddresses
  }

  /**
   * Returns the account, and whether a second factor is missing. Refuses with `invalid_credentials` or
   * `account_locked`.
   */
  async signIn({ email, password }: Credentials): Promise<LocalUser> {
    const user = isStorable(email) ? await findUserByEmail(this.#database.read, email) : null
    const right = await isPassword(user?.password_hash ?? null, password)
    if (user === null) throw this.#refuseAttempt(await this.#unknownAddresses.count(email.toLowerCase()))
    const hasUsableAddress = ({ confirmed_at }: User) => !this.#mustConfirm || confirmed_at !== null
    const outcome = await this.#attempt({ storedUser: user, right, hasUsableAddress }, enter)
    if (outcome instanceof Refusal) throw outcome
    return outcome
  }

  /** Checks the password of a signed-in user; a failure is counted. */
  async confirm(userId: number, password: string): Promise<boolean> {
    const user = await findUser(this.#database.read, userId)
    const right = await isPassword(user?.password_hash ?? null, password)
    if (user === null) return false
    const outcome = await this.#attempt({ storedUser: user, right, hasUsableAddress: () => true }, () =>
      Promise.resolve(true),
    )
    return !(outcome instanceof Refusal)
  }

  /** Refusals are returned, not thrown, so that the count of failures is committed. */
  async #attempt<T>(
    attempt: CheckedPassword,
    succeed: (writer: Writer, user: User) => Promise<T>,
  ): Promise<T | Refusal> {
    const outcome = await this.#database.transact(async (writer) => {
      const userOrFailure = await this.#settle(writer, attempt)
      return 'refusal' in userOrFailure ? userOrFailure : { result: await succeed(writer, userOrFailure) }
    })
    if ('result' in outcome) return outcome.result
    if (outcome.locks) this.#log.warn({ user: attempt.storedUser.id }, 'An account is locked after failed attempts')
    return outcome.refusal
  }

  async #settle(
    writer: Writer,
    { storedUser, right, hasUsableAddress }: CheckedPassword,
  ): Promise<User | FailedSignIn> {
    await writer.lock('user', storedUser.id)
    const lockedUser = await findUser(writer, storedUser.id)
    if (lockedUser === null) return { refusal: invalidCredentials(), locks: false }
    const user = await this.#openOldLock(writer, lockedUser)
    if (user.locked_at !== null) return { refusal: accountLocked(), locks: false }
    // The password may have changed while it was checked.
    const isStillRight = right && user.password_hash === storedUser.password_hash
    // An unconfirmed address counts as a failure too: otherwise the answer would reveal whether somebody else had
    // registered it.
    if (!isStillRight || !hasUsableAddress(user)) return this.#countFailure(writer, user)
    if (user.failed_attempts > 0) await clearLock(writer, user.id)
    return { ...user, failed_attempts: 0 }
  }

  async #openOldLock(writer: Writer, user: User): Promise<User> {
    const { unlockStrategy, unlockMs } = this.#lockout
    if (user.locked_at === null || user.locked_by !== 'attempts') return user
    const isExpired = Date.parse(user.locked_at) + unlockMs <= Date.now()
    if (unlockStrategy === 'email' || !isExpired) return user
    await clearLock(writer, user.id)
    return { ...user, locked_at: null, locked_by: null, failed_attempts: 0 }
  }

  async #countFailure(writer: Writer, user: User): Promise<FailedSignIn> {
    const failed_attempts = user.failed_attempts + 1
    await writer.updateTable('users').set({ failed_attempts }).where('id', '=', user.id).execute()
    const refusal = this.#refuseAttempt(failed_attempts)
    const locks = refusal.code === 'account_locked'
    if (locks) await lockUser(writer, user, { by: 'attempts', actor: SYSTEM })
    return { refusal, locks }
  }

  #refuseAttempt(attempts: number): Refusal {
    const { enabled, maximumAttempts, lastAttemptWarning } = this.#lockout
    if (!enabled) return invalidCredentials()
    if (attempts >= maximumAttempts) return accountLocked()
    const last = lastAttemptWarning && attempts === maximumAttempts - 1
    return invalidCredentials(last ? { attempts_left: 1 } : {})
  }
}

/** Completes the password step. With a second factor, the user is not signed in yet. */
async function enter(writer: Writer, user: User): Promise<LocalUser> {
  const needsFactor = await hasSecondFactor(writer, user.id)
  return { user: needsFactor ? user : await noteSignIn(writer, user), needsFactor }
}

export async function noteSignIn(writer: Writer, user: User): Promise<User> {
  const last_sign_in_at = new Date().toISOString()
  await writer.updateTable('users').set({ last_sign_in_at }).where('id', '=', user.id).execute()
  return { ...user, last_sign_in_at }
}

export function invalidCredentials(members: Readonly<Record<string, unknown>> = {}): Refusal {
  return refuseTokens('invalid_credentials', 'The email or password is incorrect.', members)
}

export function accountLocked(): Refusal {
  const detail = 'The account is locked for now. Wait and try again, or reset the password.'
  return refuseTokens('account_locked', detail)
}
