import { availableParallelism } from 'node:os'
import { SearchThread, type ThreadSources } from './search-thread.ts'
import type { SearchExchanges } from './thread/protocol.ts'

/** Each has the whole index in memory. */
const MOST_THREADS = Math.min(2, availableParallelism())
/** After so long in which one would have done, one is left. */
const REST_MS = 120_000
/** How busy they are is looked at over a part of that: 5 s. */
const LOOKS = 24
/** A thread that is at work for this part of the time makes others wait. One that is added has to be worth what it takes. */
const BUSY = 0.7

/**
 * The threads of the search. Each sees all that was committed before a question, so that it does not matter which one is
 * asked. The first is there from the start, another one from when it is at work most of the time: that begins
 * with what the first one has saved, and ends when it is no longer needed.
 */
export class SearchThreads {
  readonly #first: SearchThread
  readonly #others: SearchThread[] = []
  readonly #rest: NodeJS.Timeout
  readonly #addThread: () => SearchThread
  readonly #most: number
  readonly #lookMs: number
  #isClosed = false
  readonly #workload = new Workload(() => this.#ready().length)

  constructor(sources: ThreadSources, patienceMs: number, restMs = REST_MS) {
    this.#lookMs = restMs / LOOKS
    this.#rest = setTimeout(() => void this.#endOthers(), restMs).unref()
    this.#first = new SearchThread(sources, patienceMs, sources.writesDump ?? true)
    this.#addThread = () => new SearchThread(sources, patienceMs, false)
    // Without a file each would have to read everything.
    this.#most = sources.dumpFile === null ? 1 : MOST_THREADS
  }

  get isPreparing(): boolean {
    return this.#first.isPreparing && !this.#others.some(({ isReady }) => isReady)
  }

  /** Time of the thread that checked most recently. */
  get upToDateAt(): number | null {
    const times = [this.#first, ...this.#others].flatMap(({ upToDateAt }) => upToDateAt ?? [])
    return times.length === 0 ? null : Math.max(...times)
  }

  /** Rejects where it cannot get ready; not where it was closed meanwhile, as by a start that was refused. */
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
    const isBusy = this.#workload.sinceMs > this.#lookMs && this.#workload.take() > BUSY
    // Another thread would have to read the same that this one is behind with.
    if (isBusy && !idlest.isBehind) this.#grow()
    return this.#workload.during(idlest.ask(kind, question))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#rest)
    await Promise.all([this.#first, ...this.#others].map((thread) => thread.close()))
  }

  #ready(): readonly SearchThread[] {
    return [this.#first, ...this.#others].filter(({ isReady }) => isReady)
  }

  /** Requests are answered by the existing threads until the new one is ready. */
  #grow(): void {
    this.#rest.refresh()
    if (this.#others.length + 1 >= this.#most) return
    const other = this.#addThread()
    this.#others.push(other)
    // Why it failed has been logged, and it tries again.
    other.prepare().catch(() => undefined)
  }

  /** None that still has something to answer. */
  async #endOthers(): Promise<void> {
    if (this.#others.some(({ pending }) => pending > 0)) this.#rest.refresh()
    else await Promise.all(this.#others.splice(0).map((thread) => thread.close()))
  }
}

/** How much those who ask give to do, where one thread that never rests has 1. */
class Workload {
  #underWay = 0
  #begun = performance.now()
  #counted = this.#begun
  #workedMs = 0
  readonly #threads: () => number

  /** `threads`: how many can be asked at present. */
  constructor(threads: () => number) {
    this.#threads = threads
  }

  /** How long ago it was taken. */
  get sinceMs(): number {
    return performance.now() - this.#begun
  }

  /** Since it was taken last. */
  take(): number {
    this.#count(0)
    const share = this.#workedMs / this.sinceMs
    this.#begun = this.#counted
    this.#workedMs = 0
    return share
  }

  async during<T>(work: Promise<T>): Promise<T> {
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
    this.#workedMs += Math.min(this.#underWay, this.#threads()) * (now - this.#counted)
    this.#counted = now
    this.#underWay += change
  }
}
