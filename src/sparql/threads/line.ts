import { Refusal } from '../../platform/errors.ts'

interface PendingTurn<T> {
  readonly begin: (resource: T) => void
  readonly refuse: (refusal: Refusal) => void
}

const RETRY_SECONDS = 2

/** Queries that wait for their turn; the one that has waited longest gets the next free resource. */
export class WaitingLine<T> {
  readonly #most: number
  readonly #waitMs: number
  readonly #waiting: PendingTurn<T>[] = []

  /** At most `most` queries wait, each for at most `waitMs`. */
  constructor({ most, waitMs }: { readonly most: number; readonly waitMs: number }) {
    this.#most = most
    this.#waitMs = waitMs
  }

  get length(): number {
    return this.#waiting.length
  }

  /** Refuses (`overloaded`) if too many wait or the turn does not come in time, and if the client has left. */
  join(signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw abandoned()
    if (this.length >= this.#most) throw overloaded(`${this.#most} queries are already waiting.`)
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
      const begin = (resource: T): void => {
        over()
        resolve(resource)
      }
      const waiting = { begin, refuse }
      signal.addEventListener('abort', leave)
      this.#waiting.push(waiting)
    })
  }

  /** Gives the resource to the query that has waited longest. */
  next(resource: T): void {
    this.#waiting.shift()?.begin(resource)
  }

  /** Sends everybody away. */
  clear(refusal: Refusal): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(refusal)
  }
}

export function abandoned(): Refusal {
  return new Refusal('answer_abandoned', 'The request was cancelled.')
}

function overloaded(why: string): Refusal {
  return new Refusal('overloaded', `${why} Try again.`, { retry_after: RETRY_SECONDS })
}
