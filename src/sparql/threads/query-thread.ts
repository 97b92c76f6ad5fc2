import { Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { SupervisedThread, factsOf, type ThreadDeath } from '../../platform/threads/supervised-thread.ts'
import { siblingModule } from '../../platform/threads/thread.ts'
import { WaitLimit } from '../../platform/threads/wait-limit.ts'
import type { LoadedGraph } from '../graphs/library.ts'
import { lowerPriority, restorePriority } from './priority.ts'
import { QUERYING, type QueryExchanges, type QueryRequest } from './protocol.ts'
import { abandonedRefusal, shuttingDownRefusal } from './query-queue.ts'

export interface QueryThreadOptions {
  /** The memory of WebAssembly, which holds graphs and the intermediate results of queries. */
  readonly memoryMegabytes: number
  readonly log: Log
  /** Called when a query takes longer than most. */
  readonly whenSlow?: () => void
}

/** Heap for the answers of the engine as texts, in addition to its own memory. */
const HEAP_MEGABYTES = 512
const OPENING_MS = 60_000
const LOADING_MS = 120_000
/** A query whose client has left is stopped after this time: most are answered sooner than a new thread starts. */
const GRACE_MS = 200
/**
 * A query that takes longer gets a lower priority from then on. With a lower priority from the start, queries of a few
 * milliseconds would take several times as long on a busy machine.
 */
const QUICK_MS = 100
/** After this time, a replacement is prepared, because the thread may have to be ended. */
const SLOW_MS = 1000
/** Limit of the pinned graphs that stay loaded for the next query. */
const MAX_RETAINED_GRAPHS = 4

/** Decides which graphs a thread retains although the current query does not read them. */
interface GraphRetention {
  readonly mustStay: (iri: string) => boolean
  /** Only the few of these graphs that were used last are retained. */
  readonly mayStay: (iri: string) => boolean
}

/** A thread with graphs. It runs one query at a time, and is ended if a query takes too long. */
export class QueryThread {
  readonly #thread: SupervisedThread<QueryExchanges>
  /** Keys by IRI; the last used graph is at the end. */
  readonly #held = new Map<string, string>()
  #isBroken = false
  #threadId: number | null = null
  #isLowered = false
  #isSlow = false
  readonly #whenSlow: () => void

  constructor({ memoryMegabytes, log, whenSlow = () => undefined }: QueryThreadOptions) {
    this.#whenSlow = whenSlow
    this.#thread = new SupervisedThread({
      module: siblingModule(import.meta.url, 'query-worker'),
      protocol: QUERYING,
      data: { memoryMegabytes },
      limits: {
        heapMegabytes: memoryMegabytes + HEAP_MEGABYTES,
        openingMs: OPENING_MS,
        answerMs: LOADING_MS,
      },
      refuse: (death) => refusalFor(death, log),
    })
  }

  /** False once it has ended, or cannot be relied on. */
  get isSound(): boolean {
    return this.#thread.alive && !this.#isBroken
  }

  /** True once a slow query has lowered its priority, and the system did not let it be raised again. */
  get isLowered(): boolean {
    return this.#isLowered
  }

  /** True while its query takes so long that the thread may have to be ended. */
  get isSlow(): boolean {
    return this.#isSlow
  }

  /** Loads graphs that are missing or have changed, and removes those that are no longer needed. */
  async hold(graphs: readonly LoadedGraph[], { mustStay, mayStay }: GraphRetention): Promise<void> {
    const required = new Map(graphs.map((graph) => [graph.iri, graph]))
    const otherGraphs = [...this.#held.keys()].filter((iri) => !required.has(iri) && !mustStay(iri))
    const old = otherGraphs.filter((iri) => !mayStay(iri))
    const retained = otherGraphs.filter((iri) => mayStay(iri))
    const tooMany = retained.slice(0, Math.max(0, retained.length - MAX_RETAINED_GRAPHS))
    const stale = graphs.filter(({ iri, key }) => (this.#held.get(iri) ?? key) !== key)
    const add = graphs.filter(({ iri, key }) => this.#held.get(iri) !== key)
    const drop = [...old, ...tooMany, ...stale.map(({ iri }) => iri)]
    if (drop.length > 0 || add.length > 0) {
      const sent = add.map(({ iri, packed }) => ({ iri, packed }))
      this.#threadId = await this.#thread.ask('hold', { drop, add: sent }).catch((error: unknown) => {
        // The graphs in the thread are now in an unknown state.
        this.#isBroken = true
        throw error
      })
    }
    for (const iri of drop) this.#held.delete(iri)
    for (const { iri, key } of graphs) {
      this.#held.delete(iri)
      this.#held.set(iri, key)
    }
  }

  /** Ends the thread if the query takes too long, or if the client has left. */
  async query(
    question: QueryRequest,
    { deadlineMs, signal }: { readonly deadlineMs: number; readonly signal: AbortSignal },
  ): Promise<Uint8Array> {
    if (signal.aborted) throw abandonedRefusal()
    const waitLimit = new WaitLimit({ answerMs: deadlineMs })
    let grace: NodeJS.Timeout | undefined
    const leave = (): void => {
      grace = setTimeout(() => void this.#thread.close(abandonedRefusal()), GRACE_MS)
    }
    signal.addEventListener('abort', leave)
    const notQuick = setTimeout(() => {
      this.#lower()
    }, QUICK_MS)
    const slow = setTimeout(() => {
      this.#isSlow = true
      this.#whenSlow()
    }, SLOW_MS)
    const pendingAnswer = this.#thread.ask('query', question, { waitLimit })
    const answer = await pendingAnswer.finally(() => {
      for (const timer of [grace, notQuick, slow]) clearTimeout(timer)
      this.#isSlow = false
      signal.removeEventListener('abort', leave)
    })
    if (this.#isLowered && this.#threadId !== null) this.#isLowered = !restorePriority(this.#threadId)
    if ('body' in answer) return answer.body
    this.#isBroken = true
    const needed = answer.broken === 'memory' ? 'more memory' : 'deeper nesting or longer chains'
    throw tooDemanding(`It needs ${needed} than available.`)
  }

  #lower(): void {
    if (this.#threadId === null || !this.isSound) return
    this.#isLowered = lowerPriority(this.#threadId)
  }

  async close(): Promise<void> {
    await this.#thread.close(shuttingDownRefusal())
  }
}

export function tooSlow(deadlineMs: number): Refusal {
  const detail = `The query was stopped after ${deadlineMs / 1000} s. Ask for less at a time.`
  return new Refusal('query_too_slow', detail)
}

function tooDemanding(why: string): Refusal {
  return new Refusal('query_too_demanding', `The query was stopped. ${why} Ask for less at a time.`)
}

function refusalFor(death: ThreadDeath, log: Log): Refusal {
  const { exceeded, wasReady, busyWith } = death
  const isByQuery = wasReady && busyWith.includes('query')
  if (!isByQuery || exceeded === null) log.error(factsOf(death), 'A SPARQL thread was ended')
  if (!isByQuery) return new Refusal('answer_abandoned', 'The graphs could not be read. Try again.')
  if (exceeded?.limit === 'time') return tooSlow(exceeded.value)
  return tooDemanding('Its thread came to an end.')
}
