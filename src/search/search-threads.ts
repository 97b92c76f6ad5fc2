import { availableParallelism } from 'node:os'
import { HeldThread, type ThreadSources } from './held-thread.ts'
import type { SearchExchanges } from './thread/protocol.ts'

/** Each has the whole index in memory. */
const MOST_THREADS = Math.min(2, availableParallelism())
/** After so long in which nobody had to wait for another question, one is left. */
const REST_MS = 120_000

/**
 * The threads of the search. Each sees all that was committed before a question, so that it does not matter which one is
 * asked. The first is there from the start, another one from when somebody asks while it is busy: that begins
 * with what the first one has saved, and ends when it is no longer needed.
 */
export class SearchThreads {
  readonly #first: HeldThread
  readonly #others: HeldThread[] = []
  readonly #rest: NodeJS.Timeout
  readonly #addThread: () => HeldThread
  readonly #most: number

  constructor(sources: ThreadSources, patienceMs: number, restMs = REST_MS) {
    this.#rest = setTimeout(() => void this.#endOthers(), restMs).unref()
    this.#first = new HeldThread(sources, patienceMs, sources.writesDump ?? true)
    this.#addThread = () => new HeldThread(sources, patienceMs, false)
    // Without a file each would have to read everything.
    this.#most = sources.dumpFile === null ? 1 : MOST_THREADS
  }

  get isPreparing(): boolean {
    return this.#first.isPreparing && !this.#others.some(({ isReady }) => isReady)
  }

  /** Of the thread that was asked last. */
  get upToDateAt(): number | null {
    const times = [this.#first, ...this.#others].flatMap(({ upToDateAt }) => upToDateAt ?? [])
    return times.length === 0 ? null : Math.max(...times)
  }

  async prepare(opened: Promise<unknown>): Promise<void> {
    await this.#first.prepare(opened)
  }

  /** Refuses with `search_not_ready`. */
  async ask<K extends keyof SearchExchanges>(
    kind: K,
    question: SearchExchanges[K]['question'],
  ): Promise<SearchExchanges[K]['answer']> {
    const [first = this.#first, ...others] = [this.#first, ...this.#others].filter(
      ({ isReady }) => isReady,
    )
    const idlest = others.reduce((a, b) => (b.pending < a.pending ? b : a), first)
    if (idlest.isReady && idlest.pending > 0) this.#grow()
    return idlest.ask(kind, question)
  }

  async close(): Promise<void> {
    clearTimeout(this.#rest)
    await Promise.all([this.#first, ...this.#others].map((thread) => thread.close()))
  }

  /** Whoever asks meanwhile is answered by those that there are. */
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
