import { Refusal } from '../errors.ts'

interface Room {
  /** Inside at the same time, one of each account. */
  readonly atOnce: number
  /** Who may wait beyond those, of all accounts and of each. */
  readonly waiting: number
  readonly waitingEach: number
}

/** Lets a few at a time in. Accounts take turns, so that the many files of one wait for each other only. */
export class FairGate {
  readonly #room: Room
  readonly #inside = new Set<number>()
  /** Those who wait, by their accounts; whose turn is next comes first. */
  readonly #waiting = new Map<number, (() => void)[]>()

  constructor(room: Room) {
    this.#room = room
  }

  /** Refuses (`overloaded`) where too many wait. Whoever was let in must `leave`. */
  async enter(account: number): Promise<void> {
    if (this.#inside.size < this.#room.atOnce && !this.#inside.has(account)) {
      this.#inside.add(account)
      return
    }
    const own = this.#waiting.get(account) ?? []
    if (own.length >= this.#room.waitingEach)
      throw overloaded('Too many of your files wait to be read.')
    if (this.#count() >= this.#room.waiting) throw overloaded('Too many files wait to be read.')
    await new Promise<void>((resolve) => {
      this.#waiting.set(account, [...own, resolve])
    })
  }

  /** Lets in whoever of the next account waits longest. */
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
