import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** The memory for them is bounded: whoever tries more addresses than this only forgets his own. */
const MAX_STRANGERS = 10_000

interface Failures {
  readonly attempts: number
  /** When the attempt that locks was made (epoch ms); null: not yet. */
  readonly lockedAt: number | null
}

const NONE: Failures = { attempts: 0, lockedAt: null }

interface LockoutRules {
  /** The attempt that locks; null: none does. */
  readonly maximumAttempts: number | null
  /** After this a lock opens by itself; null: it does not. */
  readonly unlockMs: number | null
}

/**
 * Counts failed attempts with addresses that have no account, and locks them just like accounts, so
 * that the answers do not tell one from the other. Forgets everything when the process ends.
 */
export class Strangers {
  readonly #rules: LockoutRules
  readonly #failures = new LRUCache<string, Failures>({ max: MAX_STRANGERS })

  constructor(rules: LockoutRules) {
    this.#rules = rules
  }

  /** Counts one more, and returns how many it were. A lock that stands counts no further. */
  count(email: string): number {
    const key = createHash('sha256').update(email).digest('base64url')
    const before = this.#openOldLock(this.#failures.get(key) ?? NONE)
    if (before.lockedAt !== null) return before.attempts
    const attempts = before.attempts + 1
    const lockedAt = attempts === this.#rules.maximumAttempts ? Date.now() : null
    this.#failures.set(key, { attempts, lockedAt })
    return attempts
  }

  #openOldLock(failures: Failures): Failures {
    const { unlockMs } = this.#rules
    if (failures.lockedAt === null || unlockMs === null) return failures
    return failures.lockedAt + unlockMs <= Date.now() ? NONE : failures
  }
}
