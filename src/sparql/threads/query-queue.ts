import { Refusal } from '../../platform/errors.ts'

interface PendingTurn<T> {
  readonly begin: (resource: T) => void
  readonly refuse: (refusal: Refusal) => void
}

const RETRY_SECONDS = 2

/** Queries that wait for their turn; the one that has waited longest gets the next free resource. */
export class QueryQueue<T> {
  readonly #maxWaiting: number
  readonly #waitMs: number
  readonly #waiting: PendingTurn<T>[] = []

  /** Limits of the queries that wait, and of the time that each of them waits. */
  constructor({ maxWaiting, waitMs }: { readonly maxWaiting: number; readonly waitMs: number }) {
    this.#maxWaiting = maxWaiting
    this.#waitMs = waitMs
  }

  get length(): number {
    return this.#waiting.length
  }

  /** Refuses (`overloaded`) if too many wait or the turn does not come in time, and if the client has left. */
  join(signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw abandonedRefusal()
    if (this.length >= this.#maxWaiting) throw overloadedRefusal(`${this.#maxWaiting} queries are already waiting.`)
    return new Promise((resolve, reject) => {
      const over = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
      }
      const refuse = (refusal: Refusal): void => {
        const index = this.#waiting.indexOf(waiting)
        if (index >= 0) this.#waiting.splice(index, 1)
        over()
        reject(refusal)
      }
      const leave = (): void => {
        refuse(abandonedRefusal())
      }
      const timer = setTimeout(() => {
        refuse(overloadedRefusal('Other queries took too long.'))
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

  /** Refuses all waiting queries. */
  clear(refusal: Refusal): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(refusal)
  }
}

export function shuttingDownRefusal(): Refusal {
  return new Refusal('shutting_down', 'The service is shutting down.')
}

export function abandonedRefusal(): Refusal {
  return new Refusal('answer_abandoned', 'The request was cancelled.')
}

function overloadedRefusal(why: string): Refusal {
  return new Refusal('overloaded', `${why} Try again.`, { retry_after: RETRY_SECONDS })
}
