import { availableParallelism } from 'node:os'
import { SearchThread, type ThreadSources } from './search-thread.ts'
import type { SearchExchanges } from './thread/protocol.ts'

/** Each has the whole index in memory. */
const MAX_THREADS = Math.min(2, availableParallelism())
/** Additional threads are closed after this time without need. */
const REST_MS = 120_000
/** The workload is measured this often within that time: every 5 s. */
const LOOKS_PER_REST = 24
/** A thread is added if the existing ones work for more than this share of the time. */
const BUSY = 0.7

/**
 * The search threads. Each sees everything that was committed before a query, so any of them can answer. The first runs
 * always. Another is started from the saved index when the first is busy, and closed when it is no longer needed.
 */
export class SearchThreads {
  readonly #first: SearchThread
  readonly #others: SearchThread[] = []
  readonly #restTimer: NodeJS.Timeout
  readonly #addThread: () => SearchThread
  readonly #maxThreads: number
  readonly #lookMs: number
  #isClosed = false
  readonly #workload = new Workload(() => this.#ready().length)

  constructor(sources: ThreadSources, maxWaitMs: number, restMs = REST_MS) {
    this.#lookMs = restMs / LOOKS_PER_REST
    this.#restTimer = setTimeout(() => void this.#closeOthers(), restMs).unref()
    this.#first = new SearchThread(sources, maxWaitMs, sources.writesDump ?? true)
    this.#addThread = () => new SearchThread(sources, maxWaitMs, false)
    // Without a saved index, each thread would have to read everything.
    this.#maxThreads = sources.dumpFile === null ? 1 : MAX_THREADS
  }

  get isPreparing(): boolean {
    return this.#first.isPreparing && !this.#others.some(({ isReady }) => isReady)
  }

  /** Time of the thread that checked most recently. */
  get upToDateAt(): number | null {
    const times = [this.#first, ...this.#others].flatMap(({ upToDateAt }) => upToDateAt ?? [])
    return times.length === 0 ? null : Math.max(...times)
  }

  /** Rejects if the first thread cannot get ready, unless it was closed meanwhile. */
  async prepare(opened: Promise<unknown>): Promise<void> {
    await this.#first.prepare(opened).catch((error: unknown) => {
      if (!this.#isClosed) throw error
    })
  }

  /** Refuses with `search_not_ready`. */
  async ask<K extends keyof SearchExchanges>(
    kind: K,
    question: SearchExchanges[K]['question'],
  ): Promise<SearchExchanges[K]['answer']> {
    const [first = this.#first, ...others] = this.#ready()
    const idlest = others.reduce((a, b) => (b.pending < a.pending ? b : a), first)
    const isBusy = this.#workload.sinceMs > this.#lookMs && this.#workload.takeShare() > BUSY
    // While this thread reads changes, another would have to read the same.
    if (isBusy && !idlest.isBehind) this.#addThreadIfAllowed()
    return this.#workload.track(idlest.ask(kind, question))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#restTimer)
    await Promise.all([this.#first, ...this.#others].map((thread) => thread.close()))
  }

  #ready(): readonly SearchThread[] {
    return [this.#first, ...this.#others].filter(({ isReady }) => isReady)
  }

  /** Requests are answered by the existing threads until the new one is ready. */
  #addThreadIfAllowed(): void {
    this.#restTimer.refresh()
    if (this.#others.length + 1 >= this.#maxThreads) return
    const other = this.#addThread()
    this.#others.push(other)
    // Why it failed has been logged, and it tries again.
    other.prepare().catch(() => undefined)
  }

  /** Waits until the other threads have no pending queries. */
  async #closeOthers(): Promise<void> {
    if (this.#others.some(({ pending }) => pending > 0)) this.#restTimer.refresh()
    else await Promise.all(this.#others.splice(0).map((thread) => thread.close()))
  }
}

/** Measures the workload; 1 is one thread that works all the time. */
class Workload {
  #running = 0
  #startedAt = performance.now()
  #countedAt = this.#startedAt
  #workedMs = 0
  readonly #threads: () => number

  /** `threads`: the number of threads that are ready. */
  constructor(threads: () => number) {
    this.#threads = threads
  }

  /** Milliseconds since the last measurement began. */
  get sinceMs(): number {
    return performance.now() - this.#startedAt
  }

  /** The workload since the last call. */
  takeShare(): number {
    this.#count(0)
    const share = this.#workedMs / this.sinceMs
    this.#startedAt = this.#countedAt
    this.#workedMs = 0
    return share
  }

  async track<T>(work: Promise<T>): Promise<T> {
    this.#count(1)
    try {
      return await work
    } finally {
      this.#count(-1)
    }
  }

  /** Adds up the working time of the threads; requests that wait add nothing. */
  #count(change: number): void {
    const now = performance.now()
    this.#workedMs += Math.min(this.#running, this.#threads()) * (now - this.#countedAt)
    this.#countedAt = now
    this.#running += change
  }
}
