import type { SearchSources } from '../contracts/search-feed.ts'
import { Refusal } from '../platform/errors.ts'
import {
  AskedThread,
  factsOf,
  type Death,
  type ThreadLimits,
} from '../platform/threads/asked-thread.ts'
import { siblingModule } from '../platform/threads/thread.ts'
import { SEARCH, type SearchData, type SearchExchanges } from './thread/protocol.ts'

/**
 * Most of the index lies outside the heap. A first start reads 100,000 rules in less than a minute. A question makes more than
 * half a megabyte of objects, most of which nobody looks at after it: with more room for these they are seldom gone through.
 */
const LIMITS: ThreadLimits = {
  heapMegabytes: 2048,
  youngMegabytes: 24,
  openingMs: 1_800_000,
  answerMs: 60_000,
}
const RETRY_SECONDS = 5
/** After a start that failed, the next one waits this long, and twice as long after each further one. */
const RESTART_MS = 2000
const LONGEST_RESTART_MS = 60_000
/** A thread that has answered for so long did not fail at the start. */
const STABLE_MS = 60_000
/** What has changed is saved so often, for the next start. */
const SAVE_MS = 10 * 60_000

type SearchThread = AskedThread<SearchExchanges>
export type ThreadSources = Omit<SearchSources<never>, 'readable'>

/** A thread of the search, and another one where it has died. */
export class HeldThread {
  readonly #sources: ThreadSources
  readonly #patienceMs: number
  readonly #isKeeper: boolean
  #thread: SearchThread | null = null
  #preparing: Promise<void> | null = null
  #readySince: number | null = null
  #upToDateAt: number | null = null
  #mayStartAt = 0
  #failures = 0
  #restart: NodeJS.Timeout | null = null
  #isClosed = false
  #pending = 0
  /** The digest of the release that the thread has. */
  #release: string | null = null
  #taking: Promise<void> | null = null
  #saving: NodeJS.Timeout | null = null
  #saved = Promise.resolve()

  /** `isKeeper`: whether it saves what the next start begins with. */
  constructor(sources: ThreadSources, patienceMs: number, isKeeper: boolean) {
    this.#sources = sources
    this.#patienceMs = patienceMs
    this.#isKeeper = isKeeper
  }

  get isReady(): boolean {
    return this.#readySince !== null && this.#thread?.alive === true
  }

  /** Whether it was started and cannot answer: it is reading, or has died and will start again. */
  get isPreparing(): boolean {
    return this.#thread !== null && !this.isReady
  }

  /** When it last had all that was committed, in milliseconds since 1970; null: not yet. */
  get upToDateAt(): number | null {
    return this.#upToDateAt
  }

  /** Questions that have no answer yet. */
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
      if (!this.isReady) await inTime(this.prepare(), this.#patienceMs)
      const thread = this.#started()
      // While another release is read, the old one answers; if that fails, the next search tries again.
      this.#takeOntology(thread).catch(() => undefined)
      const answer = await thread.ask(kind, question)
      // Whoever looks for something has it read first what has changed.
      if (kind !== 'texts') this.#upToDateAt = Date.now()
      return answer
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
    if (this.#restart !== null) clearTimeout(this.#restart)
    const thread = this.#thread
    if (thread === null) return
    if (this.isReady && this.#isKeeper) await this.#save()
    if (this.isReady) await thread.ask('close', null, { always: true }).catch(() => undefined)
    await thread.close(new Refusal('shutting_down', 'The service is shutting down.'))
  }

  #started(): SearchThread {
    if (this.#thread?.alive === true) return this.#thread
    if (this.#isClosed || Date.now() < this.#mayStartAt) throw notReady()
    const { feed, dumpFile, controls, controlNames, abbreviations, log } = this.#sources
    const data: SearchData = {
      feed: { module: feed.module.href, data: feed.data },
      ...{ dumpFile, controls: new Map(controls), controlNames: new Map(controlNames) },
      abbreviations: abbreviations.map(([short, long]): [string, string] => [short, long]),
    }
    this.#preparing = null
    this.#thread = new AskedThread<SearchExchanges>({
      module: siblingModule(import.meta.url, 'thread/search-worker'),
      ...{ protocol: SEARCH, limits: LIMITS, data },
      refuse: (death) => {
        log.error(factsOf(death), 'The thread of the search is given up')
        this.#startAgain(death)
        return new Refusal('answer_abandoned', 'The search had to start anew. Try again.')
      },
    })
    return this.#thread
  }

  /** Nobody has to search for that. Where it cannot start, it tries ever less often. */
  #startAgain({ wasReady }: Pick<Death, 'wasReady'>): void {
    if (this.#isClosed) return
    if (this.#readySince !== null && Date.now() - this.#readySince > STABLE_MS) this.#failures = 0
    this.#readySince = null
    const isFirst = wasReady && this.#failures === 0
    const delay = isFirst ? 0 : Math.min(LONGEST_RESTART_MS, RESTART_MS * 2 ** this.#failures)
    this.#failures += 1
    this.#mayStartAt = Date.now() + delay
    this.#restart = setTimeout(() => {
      // Why it failed has been logged.
      this.prepare().catch(() => undefined)
    }, delay).unref()
  }

  async #tryPrepare(thread: SearchThread, opened: Promise<unknown>): Promise<void> {
    try {
      await this.#prepare(thread, opened)
    } catch (error) {
      if (thread.alive) this.#startAgain({ wasReady: false })
      throw error
    } finally {
      if (this.#thread === thread) this.#preparing = null
    }
  }

  async #prepare(thread: SearchThread, opened: Promise<unknown>): Promise<void> {
    await Promise.allSettled([opened])
    await thread.ready.catch(() => {
      // Why has been logged. Starting again at once would not help where the database does not answer.
      throw notReady()
    })
    this.#release = await thread.ask('release', null)
    await this.#takeOntology(thread)
    this.#readySince = Date.now()
    this.#upToDateAt = this.#readySince
    if (!this.#isKeeper) return
    this.#saving ??= setInterval(() => void this.#save(), SAVE_MS).unref()
    // Those who wait for an answer do not wait for the disk.
    void this.#save()
  }

  async #takeOntology(thread: SearchThread): Promise<void> {
    const { ontology } = this.#sources
    const digest = ontology?.current()?.digest ?? null
    if (digest === this.#release) return
    this.#taking ??= this.#take(thread, digest).finally(() => {
      this.#taking = null
    })
    return this.#taking
  }

  async #take(thread: SearchThread, digest: string | null): Promise<void> {
    const content = digest === null ? null : ((await this.#sources.ontology?.content()) ?? null)
    await thread.ask('ontology', content)
    this.#release = content?.digest ?? null
  }

  /** What cannot be saved is read anew at the next start. One after the other, as they write the same file. */
  async #save(): Promise<void> {
    this.#saved = this.#saved.then(() => this.#saveOnce())
    return this.#saved
  }

  async #saveOnce(): Promise<void> {
    try {
      if (this.#thread?.alive === true) await this.#thread.ask('save', null)
    } catch (error) {
      this.#sources.log.warn({ err: error }, 'The index of the search cannot be saved')
    }
  }
}

async function inTime(work: Promise<void>, patienceMs: number): Promise<void> {
  const late = new Promise<'late'>((resolve) => {
    setTimeout(() => {
      resolve('late')
    }, patienceMs).unref()
  })
  if ((await Promise.race([work, late])) === 'late') throw notReady()
}

function notReady(): Refusal {
  const what = 'What can be found has not been read yet. Try again.'
  return new Refusal('search_not_ready', what, { retry_after: RETRY_SECONDS })
}
