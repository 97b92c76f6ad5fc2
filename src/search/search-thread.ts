import type { SearchSources } from '../contracts/search-feed.ts'
import { backoffMs } from '../platform/concurrency/backoff.ts'
import { withinTime } from '../platform/concurrency/within-time.ts'
import { WorkQueue } from '../platform/concurrency/work-queue.ts'
import { Refusal } from '../platform/errors.ts'
import {
  SupervisedThread,
  factsOf,
  type ThreadDeath,
  type ThreadLimits,
} from '../platform/threads/supervised-thread.ts'
import { siblingModule } from '../platform/threads/thread.ts'
import { OntologyUpdater } from './ontology-updater.ts'
import { SEARCH, type SearchData, type SearchExchanges } from './thread/protocol.ts'

/**
 * Most of the index lies outside the heap. A first start reads 100,000 rules in less than a minute. The young
 * generation is large, because a query makes more than half a megabyte of short-lived objects.
 */
const LIMITS: ThreadLimits = {
  heapMegabytes: 2048,
  youngMegabytes: 24,
  openingMs: 1_800_000,
  answerMs: 60_000,
}
const RETRY_SECONDS = 5
/** The delay of the next start after failed starts. */
const RESTARTS = { firstMs: 2000, longestMs: 60_000 }
/** A thread that has run for this time did not fail at its start. */
const STABLE_MS = 60_000
/** Interval of checking for another served release of the ontology. */
const FOLLOW_MS = 500
/** Changes are saved this often, for the next start. */
const SAVE_MS = 10 * 60_000

type RunningThread = SupervisedThread<SearchExchanges>
export type ThreadSources = Omit<SearchSources<never>, 'readableComponents'>

/** A thread of the search, which is started again after it has died. */
export class SearchThread {
  readonly #sources: ThreadSources
  readonly #maxWaitMs: number
  readonly #savesIndex: boolean
  #thread: RunningThread | null = null
  #preparing: Promise<void> | null = null
  #readySince: number | null = null
  /** Written by the thread, see `SearchData`; 0 before the first time. */
  readonly #upToDateAt = new BigInt64Array(new SharedArrayBuffer(8))
  #mayStartAt = 0
  #failures = 0
  #restart: NodeJS.Timeout | null = null
  #isClosed = false
  #pending = 0
  readonly #updater: OntologyUpdater
  #following: NodeJS.Timeout | null = null
  #saving: NodeJS.Timeout | null = null
  readonly #saves = new WorkQueue()

  /** `savesIndex`: whether it saves the index for the next start. */
  constructor(sources: ThreadSources, maxWaitMs: number, savesIndex: boolean) {
    this.#sources = sources
    this.#updater = new OntologyUpdater(sources)
    this.#maxWaitMs = maxWaitMs
    this.#savesIndex = savesIndex
  }

  get isReady(): boolean {
    return this.#readySince !== null && this.#thread?.alive === true
  }

  /** Whether the started thread cannot answer: it is reading the index, or has died and will be restarted. */
  get isPreparing(): boolean {
    return this.#thread !== null && !this.isReady
  }

  /** The last time at which all commits were indexed, in milliseconds since 1970; null before the first time. */
  get upToDateAt(): number | null {
    const time = Number(Atomics.load(this.#upToDateAt, 0))
    return time === 0 ? null : time
  }

  /** Whether it has not been up to date for longer than a query waits. */
  get isBehind(): boolean {
    return Date.now() - (this.upToDateAt ?? 0) > this.#maxWaitMs
  }

  /** Number of unanswered requests. */
  get pending(): number {
    return this.#pending
  }

  /** Refuses with `search_not_ready`. */
  async ask<K extends keyof SearchExchanges>(
    kind: K,
    question: SearchExchanges[K]['question'],
  ): Promise<SearchExchanges[K]['answer']> {
    this.#pending += 1
    try {
      const prepared = async (): Promise<true> => this.prepare().then(() => true)
      if (!this.isReady && !(await withinTime(prepared(), this.#maxWaitMs, false))) throw notReady()
      return await this.#started().ask(kind, question)
    } finally {
      this.#pending -= 1
    }
  }

  async prepare(opened: Promise<unknown> = Promise.resolve()): Promise<void> {
    const thread = this.#started()
    this.#preparing ??= this.#tryPrepare(thread, opened)
    return this.#preparing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#saving !== null) clearInterval(this.#saving)
    if (this.#following !== null) clearInterval(this.#following)
    if (this.#restart !== null) clearTimeout(this.#restart)
    const thread = this.#thread
    if (thread === null) return
    if (this.isReady && this.#savesIndex) await this.#save()
    if (this.isReady) await thread.ask('close', null, { always: true }).catch(() => undefined)
    await thread.close(new Refusal('shutting_down', 'The service is shutting down.'))
  }

  #started(): RunningThread {
    if (this.#thread?.alive === true) return this.#thread
    if (this.#isClosed || Date.now() < this.#mayStartAt) throw notReady()
    const { feed, dumpFile, controls, controlNames, abbreviations, log } = this.#sources
    const data: SearchData = {
      feed: { module: feed.module.href, data: feed.data },
      dumpFile,
      upToDateAt: this.#upToDateAt,
      controls: new Map(controls),
      controlNames: new Map(controlNames),
      abbreviations: abbreviations.map(([short, long]): [string, string] => [short, long]),
    }
    this.#preparing = null
    this.#thread = new SupervisedThread<SearchExchanges>({
      module: siblingModule(import.meta.url, 'thread/search-worker'),
      protocol: SEARCH,
      limits: LIMITS,
      data,
      refuse: (death) => {
        log.error(factsOf(death), 'The thread of the search has failed')
        this.#restartLater(death)
        return new Refusal('answer_abandoned', 'The search was restarted. Try again.')
      },
    })
    return this.#thread
  }

  /** Restarts the thread without waiting for a query; with growing delays if it cannot start. */
  #restartLater({ wasReady }: Pick<ThreadDeath, 'wasReady'>): void {
    if (this.#isClosed) return
    if (this.#readySince !== null && Date.now() - this.#readySince > STABLE_MS) this.#failures = 0
    this.#readySince = null
    const isFirst = wasReady && this.#failures === 0
    this.#failures += 1
    const delay = isFirst ? 0 : backoffMs(this.#failures, RESTARTS)
    this.#mayStartAt = Date.now() + delay
    this.#restart = setTimeout(() => {
      // Why it failed has been logged.
      this.prepare().catch(() => undefined)
    }, delay).unref()
  }

  async #tryPrepare(thread: RunningThread, opened: Promise<unknown>): Promise<void> {
    try {
      await this.#prepare(thread, opened)
    } catch (error) {
      if (thread.alive) this.#restartLater({ wasReady: false })
      throw error
    } finally {
      if (this.#thread === thread) this.#preparing = null
    }
  }

  async #prepare(thread: RunningThread, opened: Promise<unknown>): Promise<void> {
    await Promise.allSettled([opened])
    await thread.ready.catch(() => {
      // The reason has been logged. An immediate restart would not help if the database does not answer.
      throw notReady()
    })
    const { release, damage } = await thread.ask('opened', null)
    if (damage !== null) this.#warnOfDamage(damage)
    await this.#updater.begin(thread, release)
    this.#readySince = Date.now()
    this.#following ??= setInterval(() => void this.#follow(), FOLLOW_MS).unref()
    if (!this.#savesIndex) return
    this.#saving ??= setInterval(() => void this.#save(), SAVE_MS).unref()
    // Requests do not wait for the disk.
    void this.#save()
  }

  #warnOfDamage(damage: string): void {
    const { log, dumpFile } = this.#sources
    const message = 'The file of the search index is damaged. Everything was read from the database instead.'
    log.warn({ file: dumpFile, damage }, message)
  }

  async #follow(): Promise<void> {
    if (this.#thread !== null && this.isReady) await this.#updater.follow(this.#thread)
  }

  /**
   * Saves one after the other, because all write the same file. If saving fails, the next start reads the records
   * again.
   */
  async #save(): Promise<void> {
    return this.#saves.run(() => this.#saveOnce())
  }

  async #saveOnce(): Promise<void> {
    try {
      if (this.#thread?.alive === true) await this.#thread.ask('save', null)
    } catch (error) {
      this.#sources.log.warn({ err: error }, 'The index of the search cannot be saved')
    }
  }
}

function notReady(): Refusal {
  const message = 'The search index is not ready yet. Try again.'
  return new Refusal('search_not_ready', message, { retry_after: RETRY_SECONDS })
}
