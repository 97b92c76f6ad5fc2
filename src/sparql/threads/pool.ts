import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { ReadGraph } from '../graphs/library.ts'
import { QueryThread, type QueryThreadOptions } from './query-thread.ts'

export interface PoolOptions extends QueryThreadOptions {
  /** Queries at the same time; one more thread stands by. */
  readonly threads: number
  /** Queries that may wait. */
  readonly queue: number
  /** How long one of them waits at most. */
  readonly waitMs: number
  /** The graphs that every thread holds. */
  readonly graphs: () => Promise<readonly ReadGraph[]>
  /** Whether another query may begin; see `look`. */
  readonly mayBegin: () => boolean
}

/** A thread that had to be replaced is not made anew more often: making threads takes this part of a core at most. */
const SHARE_OF_MAKING = 0.5
/** After a thread that could not be made. */
const RETRY_MS = 2000
const RETRY_SECONDS = 2

interface Waiting {
  readonly begin: (thread: QueryThread) => void
  readonly refuse: (refusal: Refusal) => void
}

/**
 * Threads that are ready to be asked. As many as asked for work at a time; another one is ready to take the place
 * of one that has to be ended, while its successor is being made.
 */
export class QueryPool {
  readonly #options: PoolOptions
  readonly #idle: QueryThread[] = []
  readonly #busy = new Set<QueryThread>()
  readonly #waiting: Waiting[] = []
  readonly #stop = new AbortController()
  #making: Promise<void> | null = null

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Makes what is missing; resolves when all threads stand ready or one could not be made. */
  async fill(): Promise<void> {
    this.#making ??= this.#make().finally(() => {
      this.#making = null
    })
    return this.#making
  }

  /** Work on a thread of one's own, when there is one. Refuses (`overloaded`) where too many wait. */
  async use<T>(work: (thread: QueryThread) => Promise<T>, signal: AbortSignal): Promise<T> {
    const thread = await this.#take(signal)
    try {
      return await work(thread)
    } finally {
      this.#giveBack(thread)
    }
  }

  /** Lets those begin who may. */
  look(): void {
    const { threads, mayBegin } = this.#options
    while (this.#busy.size < threads && this.#waiting.length > 0 && mayBegin()) {
      const thread = this.#idle.shift()
      if (thread === undefined) return
      this.#busy.add(thread)
      this.#waiting.shift()?.begin(thread)
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    for (const { refuse } of this.#waiting.splice(0)) refuse(shuttingDown())
    const all = [...this.#idle.splice(0), ...this.#busy]
    await Promise.all(all.map((thread) => thread.close()))
    await this.#making
  }

  #take(signal: AbortSignal): Promise<QueryThread> {
    const { queue, waitMs } = this.#options
    if (this.#stop.signal.aborted) throw shuttingDown()
    if (this.#waiting.length >= queue) throw overloaded(`${queue} queries wait already.`)
    void this.fill()
    return new Promise((resolve, reject) => {
      const refuse = (refusal: Refusal): void => {
        const at = this.#waiting.indexOf(waiting)
        if (at >= 0) this.#waiting.splice(at, 1)
        over()
        reject(refusal)
      }
      const leave = (): void => {
        refuse(new Refusal('answer_abandoned', 'Nobody waits for the answer any more.'))
      }
      const timer = setTimeout(() => {
        refuse(overloaded('Other queries took too long.'))
      }, waitMs)
      const over = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
      }
      const waiting: Waiting = {
        refuse,
        begin: (thread) => {
          over()
          resolve(thread)
        },
      }
      signal.addEventListener('abort', leave)
      this.#waiting.push(waiting)
      this.look()
    })
  }

  #giveBack(thread: QueryThread): void {
    this.#busy.delete(thread)
    if (thread.isSound) this.#idle.push(thread)
    else void thread.close()
    void this.fill()
    this.look()
  }

  /** One after the other, so that making threads never takes more than one core. */
  async #make(): Promise<void> {
    const { log } = this.#options
    const { signal } = this.#stop
    const isMissing = (): boolean =>
      !signal.aborted && this.#idle.length + this.#busy.size <= this.#options.threads
    while (isMissing()) {
      const begun = performance.now()
      let pauseMs = RETRY_MS
      try {
        await this.#makeOne()
        pauseMs = (performance.now() - begun) * (1 / SHARE_OF_MAKING - 1)
      } catch (error) {
        log.error({ error: messageOf(error) }, 'A thread of SPARQL cannot be made')
      }
      this.look()
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => null)
    }
  }

  async #makeOne(): Promise<void> {
    const thread = new QueryThread(this.#options)
    try {
      await thread.hold(await this.#options.graphs(), () => false)
    } catch (error) {
      await thread.close()
      throw error
    }
    if (this.#stop.signal.aborted) await thread.close()
    else this.#idle.push(thread)
  }
}

function overloaded(why: string): Refusal {
  return new Refusal('overloaded', `${why} Try again.`, { retry_after: RETRY_SECONDS })
}

function shuttingDown(): Refusal {
  return new Refusal('shutting_down', 'The service is shutting down.')
}
