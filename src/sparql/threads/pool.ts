import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../platform/errors.ts'
import type { LoadedGraph } from '../graphs/library.ts'
import { QueryQueue, shuttingDownRefusal } from './query-queue.ts'
import { QueryThread, type QueryThreadOptions } from './query-thread.ts'

export interface PoolOptions extends QueryThreadOptions {
  /** Limit of simultaneous queries; while one takes long, an additional thread is prepared. */
  readonly threads: number
  /** Queries that may wait. */
  readonly queue: number
  /** A query waits this long at most. */
  readonly waitMs: number
  /** The graphs that every thread loads when it starts. */
  readonly graphs: () => Promise<readonly LoadedGraph[]>
  /** Whether another query may start; see `startPending`. */
  readonly mayBegin: () => boolean
}

/** Limits how often threads are replaced: starting them takes at most this part of a core. */
const STARTING_SHARE = 0.5
/** Minimum interval between replacements of threads that the system keeps at a lower priority. */
const RENEWAL_MS = 30_000
const RETAIN_NONE = { mustStay: () => false, mayStay: () => false }
/** Pause after a thread that could not be started. */
const RETRY_MS = 2000
/** All threads are ended after this time without a query, because each has its own graphs in memory. */
const REST_MS = 120_000
/** All but one are ended after this time in which one was enough. */
const ALONE_MS = 30_000

/**
 * Threads that are ready for queries. At most `threads` of them work at a time. While a query takes long, another one is
 * prepared to replace its thread, which may have to be ended.
 */
export class QueryPool {
  readonly #options: PoolOptions
  readonly #idle: QueryThread[] = []
  readonly #busy = new Set<QueryThread>()
  readonly #queue: QueryQueue<QueryThread>
  readonly #stop = new AbortController()
  readonly #rest = setTimeout(() => {
    this.#endIdle()
  }, REST_MS).unref()
  readonly #alone = setTimeout(() => {
    if (this.#needed() > 1) this.#alone.refresh()
    else this.#endIdle(1 - this.#busy.size)
  }, ALONE_MS).unref()
  #making: Promise<void> | null = null
  #renewedAt = -Infinity
  /** When the next thread may be started. */
  #notBefore = 0

  constructor(options: PoolOptions) {
    this.#options = options
    this.#queue = new QueryQueue({ maxWaiting: options.queue, waitMs: options.waitMs })
  }

  /** Starts missing threads; resolves when none is missing, or when the service stops. */
  async fill(): Promise<void> {
    if (this.#needed() > 1) this.#alone.refresh()
    if (this.#making === null && !this.#isMissing()) return
    this.#making ??= this.#make().finally(() => {
      this.#making = null
      // A query may have arrived after the last check.
      if (!this.#stop.signal.aborted) void this.fill()
    })
    return this.#making
  }

  /** Does work on a free thread, as soon as there is one. Refuses (`overloaded`) if too many wait. */
  async use<T>(work: (thread: QueryThread) => Promise<T>, signal: AbortSignal): Promise<T> {
    const thread = await this.#take(signal)
    try {
      return await work(thread)
    } finally {
      this.#giveBack(thread)
    }
  }

  /** Starts waiting queries while there is capacity. */
  startPending(): void {
    const { threads, mayBegin } = this.#options
    while (this.#busy.size < threads && this.#queue.length > 0 && mayBegin()) {
      const thread = this.#next()
      if (thread === undefined) return
      this.#busy.add(thread)
      this.#queue.next(thread)
    }
  }

  async close(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#rest)
    clearTimeout(this.#alone)
    this.#queue.clear(shuttingDownRefusal())
    const threads = [...this.#idle.splice(0), ...this.#busy]
    await Promise.all(threads.map((thread) => thread.close()))
    await this.#making
  }

  #take(signal: AbortSignal): Promise<QueryThread> {
    if (this.#stop.signal.aborted) throw shuttingDownRefusal()
    this.#rest.refresh()
    const turn = this.#queue.join(signal)
    this.startPending()
    void this.fill()
    return turn
  }

  /** Prefers the thread that was used last, because its code and graphs are in memory; lowered threads come last. */
  #next(): QueryThread | undefined {
    const best = this.#idle.findLastIndex(({ isLowered }) => !isLowered)
    return this.#idle.splice(best === -1 ? this.#idle.length - 1 : best, 1)[0]
  }

  #giveBack(thread: QueryThread): void {
    this.#busy.delete(thread)
    this.#rest.refresh()
    if (thread.isSound && !this.#isToBeRenewed(thread)) this.#idle.push(thread)
    else void thread.close()
    void this.fill()
    this.startPending()
  }

  /** A thread of a lower priority is replaced if no query waits, and not too often. */
  #isToBeRenewed({ isLowered }: QueryThread): boolean {
    const now = performance.now()
    if (!isLowered || this.#queue.length > 0 || now - this.#renewedAt < RENEWAL_MS) return false
    this.#renewedAt = now
    return true
  }

  /** Starts threads one after the other, so that this never takes more than one core. */
  async #make(): Promise<void> {
    const { log } = this.#options
    const { signal } = this.#stop
    while (!signal.aborted && this.#isMissing()) {
      const waitMs = this.#notBefore - performance.now()
      if (waitMs > 0) {
        await sleep(waitMs, undefined, { ref: false, signal }).catch(() => null)
        continue
      }
      const begun = performance.now()
      let pauseMs = RETRY_MS
      try {
        await this.#makeOne()
        pauseMs = (performance.now() - begun) * (1 / STARTING_SHARE - 1)
      } catch (error) {
        log.error({ error: messageOf(error) }, 'A SPARQL thread cannot be started')
      }
      this.#notBefore = performance.now() + pauseMs
      this.startPending()
    }
  }

  /** One thread for each query, and one more while a query takes long. */
  #needed(): number {
    const forQueries = Math.min(this.#options.threads, this.#busy.size + this.#queue.length)
    const standsBy = [...this.#busy].some(({ isSlow }) => isSlow) ? 1 : 0
    return Math.max(1, forQueries + standsBy)
  }

  #isMissing(): boolean {
    return this.#idle.length + this.#busy.size < this.#needed()
  }

  /** Ends idle threads until `left` of them stay: the ones that were used last. */
  #endIdle(remaining = 0): void {
    const tooMany = this.#idle.splice(0, Math.max(0, this.#idle.length - remaining))
    for (const thread of tooMany) void thread.close()
  }

  async #makeOne(): Promise<void> {
    const thread = new QueryThread({ ...this.#options, whenSlow: (): void => void this.fill() })
    try {
      await thread.hold(await this.#options.graphs(), RETAIN_NONE)
    } catch (error) {
      await thread.close()
      throw error
    }
    this.#alone.refresh()
    if (this.#stop.signal.aborted) await thread.close()
    else this.#idle.push(thread)
  }
}
