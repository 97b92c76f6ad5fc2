import { Refusal } from '../errors.ts'

interface QueueLimits {
  /** Limit of simultaneous tasks; an account has one of them. */
  readonly atOnce: number
  /** Tasks that may wait besides those, of all accounts and of each. */
  readonly waiting: number
  readonly waitingEach: number
}

/** Limits simultaneous tasks. Accounts take turns, so that many files of one account do not delay others. */
export class AccountQueue {
  readonly #limits: QueueLimits
  readonly #inside = new Set<number>()
  /** Waiting tasks by account; the next account to enter comes first. */
  readonly #waiting = new Map<number, (() => void)[]>()

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Refuses (`overloaded`) if too many wait. Each successful `enter` needs a `leave`. */
  async enter(account: number): Promise<void> {
    if (this.#inside.size < this.#limits.atOnce && !this.#inside.has(account)) {
      this.#inside.add(account)
      return
    }
    const queue = this.#waiting.get(account) ?? []
    if (queue.length >= this.#limits.waitingEach) throw overloadedRefusal('Too many of your files wait to be read.')
    if (this.#count() >= this.#limits.waiting) throw overloadedRefusal('Too many files wait to be read.')
    await new Promise<void>((resolve) => {
      this.#waiting.set(account, [...queue, resolve])
    })
  }

  /** Admits the oldest waiting request of the next account. */
  leave(account: number): void {
    this.#inside.delete(account)
    this.#toEnd(account)
    for (const [next, [first, ...otherTasks]] of this.#waiting) {
      if (this.#inside.has(next) || first === undefined) continue
      if (otherTasks.length > 0) this.#waiting.set(next, otherTasks)
      else this.#waiting.delete(next)
      this.#inside.add(next)
      first()
      return
    }
  }

  /** Puts an account behind all others. */
  #toEnd(account: number): void {
    const queue = this.#waiting.get(account)
    this.#waiting.delete(account)
    if (queue !== undefined) this.#waiting.set(account, queue)
  }

  #count(): number {
    return [...this.#waiting.values()].reduce((sum, tasks) => sum + tasks.length, 0)
  }
}

function overloadedRefusal(reason: string): Refusal {
  return new Refusal('overloaded', `${reason} Try again later.`)
}
