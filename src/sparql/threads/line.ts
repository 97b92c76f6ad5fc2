import { Refusal } from '../../platform/errors.ts'

interface Waiting<T> {
  readonly begin: (gift: T) => void
  readonly refuse: (refusal: Refusal) => void
}

const RETRY_SECONDS = 2

/** Those who wait for their turn, which brings them something; whoever waits longest comes first. */
export class WaitingLine<T> {
  readonly #most: number
  readonly #waitMs: number
  readonly #waiting: Waiting<T>[] = []

  /** So many may wait, each for so long. */
  constructor({ most, waitMs }: { readonly most: number; readonly waitMs: number }) {
    this.#most = most
    this.#waitMs = waitMs
  }

  get length(): number {
    return this.#waiting.length
  }

  /** Refuses (`overloaded`) where too many wait or the turn does not come, and whoever does not want it any more. */
  join(signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw abandoned()
    if (this.length >= this.#most) throw overloaded(`${this.#most} queries wait already.`)
    return new Promise((resolve, reject) => {
      const over = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
      }
      const refuse = (refusal: Refusal): void => {
        const at = this.#waiting.indexOf(waiting)
        if (at >= 0) this.#waiting.splice(at, 1)
        over()
        reject(refusal)
      }
      const leave = (): void => {
        refuse(abandoned())
      }
      const timer = setTimeout(() => {
        refuse(overloaded('Other queries took too long.'))
      }, this.#waitMs)
      const begin = (gift: T): void => {
        over()
        resolve(gift)
      }
      const waiting = { begin, refuse }
      signal.addEventListener('abort', leave)
      this.#waiting.push(waiting)
    })
  }

  /** The turn of whoever waits longest. */
  next(gift: T): void {
    this.#waiting.shift()?.begin(gift)
  }

  /** Sends everybody away. */
  clear(refusal: Refusal): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(refusal)
  }
}

/** What those are told who have left. */
export function abandoned(): Refusal {
  return new Refusal('answer_abandoned', 'Nobody waits for the answer any more.')
}

function overloaded(why: string): Refusal {
  return new Refusal('overloaded', `${why} Try again.`, { retry_after: RETRY_SECONDS })
}
