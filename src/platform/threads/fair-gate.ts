import { Refusal } from '../errors.ts'

interface GateLimits {
  /** Inside at the same time, one of each account. */
  readonly atOnce: number
  /** Tasks that may wait besides those, of all accounts and of each. */
  readonly waiting: number
  readonly waitingEach: number
}

/** Lets a few at a time in. Accounts take turns, so that the many files of one wait for each other only. */
export class FairGate {
  readonly #room: GateLimits
  readonly #inside = new Set<number>()
  /** Waiting tasks by account; the next account to enter comes first. */
  readonly #waiting = new Map<number, (() => void)[]>()

  constructor(room: GateLimits) {
    this.#room = room
  }

  /** Refuses (`overloaded`) if too many wait. Each successful `enter` needs a `leave`. */
  async enter(account: number): Promise<void> {
    if (this.#inside.size < this.#room.atOnce && !this.#inside.has(account)) {
      this.#inside.add(account)
      return
    }
    const own = this.#waiting.get(account) ?? []
    if (own.length >= this.#room.waitingEach) throw overloaded('Too many of your files wait to be read.')
    if (this.#count() >= this.#room.waiting) throw overloaded('Too many files wait to be read.')
    await new Promise<void>((resolve) => {
      this.#waiting.set(account, [...own, resolve])
    })
  }

  /** Admits the oldest waiting request of the next account. */
  leave(account: number): void {
    this.#inside.delete(account)
    this.#toEnd(account)
    for (const [next, [first, ...others]] of this.#waiting) {
      if (this.#inside.has(next) || first === undefined) continue
      if (others.length > 0) this.#waiting.set(next, others)
      else this.#waiting.delete(next)
      this.#inside.add(next)
      first()
      return
    }
  }

  /** All others come first. */
  #toEnd(account: number): void {
    const own = this.#waiting.get(account)
    this.#waiting.delete(account)
    if (own !== undefined) this.#waiting.set(account, own)
  }

  #count(): number {
    return [...this.#waiting.values()].reduce((sum, own) => sum + own.length, 0)
  }
}

function overloaded(what: string): Refusal {
  return new Refusal('overloaded', `${what} Try again later.`)
}
