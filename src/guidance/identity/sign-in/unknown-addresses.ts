import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Limits the memory: beyond it, the addresses counted longest ago are forgotten. */
const MAX_ADDRESSES = 10_000

interface Failures {
  readonly attempts: number
  /** The time of the lock (epoch ms); null if it is not locked. */
  readonly lockedAt: number | null
}

const NO_FAILURES: Failures = { attempts: 0, lockedAt: null }

interface LockoutRules {
  /** The number of the attempt that locks; null: never. */
  readonly maximumAttempts: number | null
  /** Time after which a lock ends; null: never. */
  readonly unlockMs: number | null
}

/** Counts one more failed attempt with an address without an account, and returns the number. */
export interface UnknownAddressCounter {
  count(email: string): number | Promise<number>
}

/**
 * Counts failed attempts with unknown addresses and locks them like accounts, so that the answers do not reveal whether
 * there is an account. Stored only in memory.
 */
export class UnknownAddresses implements UnknownAddressCounter {
  readonly #rules: LockoutRules
  readonly #failures = new LRUCache<string, Failures>({ max: MAX_ADDRESSES })

  constructor(rules: LockoutRules) {
    this.#rules = rules
  }

  /** Counts one more and returns the number. While locked, attempts are not counted. */
  count(email: string): number {
    const key = createHash('sha256').update(email).digest('base64url')
    const before = this.#openOldLock(this.#failures.get(key) ?? NO_FAILURES)
    if (before.lockedAt !== null) return before.attempts
    const attempts = before.attempts + 1
    this.#failures.set(key, { attempts, lockedAt: attempts === this.#rules.maximumAttempts ? Date.now() : null })
    return attempts
  }

  #openOldLock(failures: Failures): Failures {
    const { unlockMs } = this.#rules
    if (failures.lockedAt === null || unlockMs === null) return failures
    return failures.lockedAt + unlockMs <= Date.now() ? NO_FAILURES : failures
  }
}
