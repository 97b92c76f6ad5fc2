import type { SearchSources } from '../contracts/search-feed.ts'
import type { Search } from '../contracts/search.ts'
import { append } from '../platform/append.ts'
import { Refusal } from '../platform/errors.ts'
import { AskedThread, factsOf, type ThreadLimits } from '../platform/threads/asked-thread.ts'
import { siblingModule } from '../platform/threads/thread.ts'
import { SEARCH, type SearchData, type SearchExchanges } from './thread/protocol.ts'

/** Most of the index lies outside the heap. A first start reads 100,000 rules in less than a minute. */
const LIMITS: ThreadLimits = { heapMegabytes: 2048, openingMs: 1_800_000, answerMs: 60_000 }
/** Whoever asks before everything can be found waits this long, and is then told to come again. */
const PATIENCE_MS = 10_000
const RETRY_SECONDS = 5
/** After a start that failed, the next one waits this long. */
const RESTART_MS = 2000
/** Ways from named attacks to techniques. */
const MOST_DEFENSES = 200
/** What has changed is saved so often, for the next start. */
const SAVE_MS = 10 * 60_000

/** One search across the ontology and guidance, on a thread of its own. */
export function createSearch<Asker>(
  sources: SearchSources<Asker>,
  patienceMs = PATIENCE_MS,
): Search<Asker> {
  const holder = new ThreadHolder(sources, patienceMs)
  const { readable } = sources
  return {
    unified: async (asker, request) => {
      const question = { readable: await readable(asker), request }
      const thread = await holder.thread()
      const answer = await thread.ask('unified', { ...question, defenses: null })
      if (!('defensesOf' in answer)) return answer
      const defenses = await defensesOf(answer.defensesOf, sources.ontology)
      const second = await thread.ask('unified', { ...question, defenses })
      if ('defensesOf' in second) throw new Error('The search asks twice for what it was given')
      return second
    },
    suggest: async (asker, text, limit) =>
      (await holder.thread()).ask('suggest', { readable: await readable(asker), text, limit }),
    match: async (asker, question) =>
      (await holder.thread()).ask('match', { readable: await readable(asker), question }),
    texts: async (keys) => (await holder.thread()).ask('texts', keys),
    likeness: async (text, iris) => (await holder.thread()).ask('likeness', { text, iris }),
    get isPreparing() {
      return holder.isPreparing
    },
    prepare: (opened) => holder.prepare(opened),
    close: () => holder.close(),
  }
}

type SearchThread = AskedThread<SearchExchanges>
type ThreadSources = Omit<SearchSources<never>, 'readable'>

/** Starts the thread when it is first needed, and another one where it has died. */
class ThreadHolder {
  readonly #sources: ThreadSources
  readonly #patienceMs: number
  #thread: SearchThread | null = null
  #preparing: Promise<void> | null = null
  #isReady = false
  #mayStartAt = 0
  /** The digest of the release that the thread has. */
  #release: string | null = null
  #taking: Promise<void> | null = null
  #saving: NodeJS.Timeout | null = null

  constructor(sources: ThreadSources, patienceMs: number) {
    this.#sources = sources
    this.#patienceMs = patienceMs
  }

  get isReady(): boolean {
    return this.#isReady && this.#thread?.alive === true
  }

  get isPreparing(): boolean {
    return this.#preparing !== null
  }

  /** Refuses with `search_not_ready`. */
  async thread(): Promise<SearchThread> {
    if (!this.isReady) await inTime(this.prepare(), this.#patienceMs)
    const thread = this.#started()
    // While another release is read, the old one answers; if that fails, the next search tries again.
    this.#takeOntology(thread).catch(() => undefined)
    return thread
  }

  async prepare(opened: Promise<unknown> = Promise.resolve()): Promise<void> {
    const thread = this.#started()
    this.#preparing ??= this.#prepare(thread, opened).finally(() => {
      this.#preparing = null
    })
    return this.#preparing
  }

  async close(): Promise<void> {
    if (this.#saving !== null) clearInterval(this.#saving)
    const thread = this.#thread
    if (thread === null) return
    if (this.isReady) await this.#save(thread)
    if (this.isReady) await thread.ask('close', null, { always: true }).catch(() => undefined)
    await thread.close(new Refusal('shutting_down', 'The service is shutting down.'))
  }

  #started(): SearchThread {
    if (this.#thread?.alive === true) return this.#thread
    if (Date.now() < this.#mayStartAt) throw notReady()
    const { feed, dumpFile, controls, abbreviations, log } = this.#sources
    const data: SearchData = {
      feed: { module: feed.module.href, data: feed.data },
      ...{ dumpFile, controls: new Map(controls) },
      abbreviations: abbreviations.map(([short, long]): [string, string] => [short, long]),
    }
    this.#isReady = false
    this.#preparing = null
    this.#thread = new AskedThread<SearchExchanges>({
      module: siblingModule(import.meta.url, 'thread/search-worker'),
      ...{ protocol: SEARCH, limits: LIMITS, data },
      refuse: (death) => {
        log.error(factsOf(death), 'The thread of the search is given up')
        return new Refusal('answer_abandoned', 'The search had to start anew. Try again.')
      },
    })
    return this.#thread
  }

  async #prepare(thread: SearchThread, opened: Promise<unknown>): Promise<void> {
    await Promise.allSettled([opened])
    await thread.ready.catch(() => {
      // Why has been logged. Starting again at once would not help where the database does not answer.
      this.#mayStartAt = Date.now() + RESTART_MS
      throw notReady()
    })
    this.#release = await thread.ask('release', null)
    await this.#takeOntology(thread)
    this.#isReady = true
    this.#saving ??= setInterval(() => void this.#save(thread), SAVE_MS).unref()
    await this.#save(thread)
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

  /** What cannot be saved is read anew at the next start. */
  async #save(thread: SearchThread): Promise<void> {
    try {
      await thread.ask('save', null)
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

/** Techniques that defend against attacks and weaknesses, by the IRI of these. */
async function defensesOf(
  attacks: readonly string[],
  ontology: ThreadSources['ontology'],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const defenses = (await ontology?.defenses(attacks, MOST_DEFENSES)) ?? []
  for (const { subject, technique } of defenses)
    if (found.get(subject)?.includes(technique) !== true) append(found, subject, technique)
  return found
}
