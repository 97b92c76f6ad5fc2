import type { EngineGraph } from '../../contracts/graphs.ts'
import { SparqlEngine } from '../../graph/engine/engine.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { QueryForm } from '../query/read-query.ts'
import { abandonedRefusal, QueryQueue, shuttingDownRefusal } from '../threads/query-queue.ts'
import { tooSlow } from '../threads/query-thread.ts'
import type { PortableQuery } from './portable.ts'
import { readResults } from './results.ts'
import { TranslationThread } from './translation-thread.ts'
import type { TranslatedAnswer } from './translation.ts'

export interface EngineQueryOptions {
  readonly url: string
  /** Queries that may wait, and how long each. */
  readonly queue: number
  readonly waitMs: number
  /** Whether another query may start; see `startPending`. */
  readonly mayBegin: () => boolean
  readonly log: Log
}

/** A query of a graph that the engine may hold. */
export interface EngineQuery extends PortableQuery {
  readonly form: QueryForm
  readonly graph: EngineGraph
  /** Media type of the answer. */
  readonly format: string
  readonly maxRows: number
  readonly maxBytes: number
}

interface AnswerLimits {
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** Queries at the same time: an engine has limits of its own. */
const CONCURRENT_QUERIES = 16
/** From this many rows or solutions on, the engine counts them: many engines cut answers without an error. */
const ROWS_THAT_MAY_BE_CUT = 1000
/** Virtuoso sends one of these headers with an answer that it has cut. */
const CUT_ANSWER_HEADERS = ['X-SPARQL-MaxRows', 'X-SQL-State']
/** After this time, the engine is asked again if it holds a graph. */
const HELD_GRAPH_TTL_MS = 60_000
const AWAY_SECONDS = 2
const JSON_RESULTS = 'application/sparql-results+json'
const N_TRIPLES = 'application/n-triples'

/**
 * Sends queries to another engine. Its answer is used only if it is known to be complete; otherwise the caller has to
 * answer the query itself.
 */
export class EngineQueries {
  readonly #options: EngineQueryOptions
  readonly #engine: SparqlEngine
  readonly #queue: QueryQueue<null>
  readonly #translation: TranslationThread
  readonly #heldGraphs = new Map<string, { readonly isHeld: boolean; readonly until: number }>()
  #running = 0

  constructor(options: EngineQueryOptions) {
    const { url, queue, waitMs, log } = options
    this.#options = options
    this.#engine = new SparqlEngine({ url })
    this.#queue = new QueryQueue({ maxWaiting: queue, waitMs })
    this.#translation = new TranslationThread(log)
  }

  /**
   * The complete answer; null if the engine has none. Refuses (`engine_unavailable`) if the engine does not respond.
   */
  async answer(question: EngineQuery, { deadlineMs, signal }: AnswerLimits): Promise<Uint8Array | null> {
    if (question.graph.isUnavailable()) throw engineAway()
    const turn = this.#queue.join(signal)
    this.startPending()
    await turn
    const deadline = AbortSignal.timeout(deadlineMs)
    try {
      const either = AbortSignal.any([signal, deadline])
      return await this.#ask(question, { signal: either, seconds: Math.ceil(deadlineMs / 1000) })
    } catch (error) {
      if (signal.aborted) throw abandonedRefusal()
      if (deadline.aborted) throw tooSlow(deadlineMs)
      if (error instanceof Refusal) throw error
      // The connection was lost during the answer.
      throw new Refusal('engine_unavailable', 'The SPARQL engine broke off its answer.', {
        retry_after: AWAY_SECONDS,
      })
    } finally {
      this.#running -= 1
      this.startPending()
    }
  }

  /** Starts waiting queries while there is capacity. */
  startPending(): void {
    while (this.#running < CONCURRENT_QUERIES && this.#queue.length > 0 && this.#options.mayBegin()) {
      this.#running += 1
      this.#queue.next(null)
    }
  }

  async close(): Promise<void> {
    this.#queue.clear(shuttingDownRefusal())
    await this.#translation.close()
  }

  async #ask(question: EngineQuery, limits: EngineCallLimits): Promise<Uint8Array | null> {
    const { form, graph, count } = question
    if (!(await this.#holds(graph, limits))) return null
    const isGraph = form === 'CONSTRUCT' || form === 'DESCRIBE'
    // The number of solutions behind a graph cannot be seen from the graph, so it is counted first.
    if (isGraph && count !== null && !((await this.#count(count, graph, limits)) < ROWS_THAT_MAY_BE_CUT)) return null
    const translated = await this.#fetch(question, limits)
    if (translated === null) return null
    const { body, rows } = translated
    if (rows < ROWS_THAT_MAY_BE_CUT || count === null) return body
    return (await this.#count(count, graph, limits)) === rows ? body : null
  }

  async #fetch(question: EngineQuery, limits: EngineCallLimits): Promise<TranslatedAnswer> {
    const { form, text, graph, maxBytes } = question
    const accept = form === 'CONSTRUCT' || form === 'DESCRIBE' ? N_TRIPLES : JSON_RESULTS
    const response = await this.#engine.query(text, {
      ...limits,
      accept,
      defaultGraph: graph.graph,
    })
    const body = await bodyOf(response, { accept, maxBytes })
    return body === null ? null : this.#translation.translate({ ...question, body })
  }

  /** NaN if the engine does not return a count. */
  async #count(query: string, { graph }: EngineGraph, limits: EngineCallLimits): Promise<number> {
    const response = await this.#engine.query(query, {
      ...limits,
      accept: JSON_RESULTS,
      defaultGraph: graph,
    })
    const body = await bodyOf(response, { accept: JSON_RESULTS, maxBytes: 10_000 })
    if (body === null) return NaN
    try {
      const [row] = readResults(new TextDecoder().decode(body), 'SELECT').rows
      return Number(row?.['parapetRows']?.value)
    } catch {
      return NaN
    }
  }

  /** Compares the number of statements, because a load that is under way leaves part of a graph. */
  async #holds(graph: EngineGraph, limits: EngineCallLimits): Promise<boolean> {
    const key = `${graph.graph} ${graph.statements}`
    const cached = this.#heldGraphs.get(key)
    if (cached !== undefined && performance.now() < cached.until) return cached.isHeld
    const countQuery = 'SELECT (COUNT(*) AS ?parapetRows) WHERE { ?s ?p ?o }'
    const size = await this.#count(countQuery, graph, limits)
    const isHeld = size === graph.statements
    if (!isHeld && cached?.isHeld !== false)
      this.#options.log.warn({ ...graph, held: size }, 'The SPARQL engine does not hold a release: it is queried here')
    // There are few releases. Clearing the map forgets those that were removed.
    if (this.#heldGraphs.size > 1000) this.#heldGraphs.clear()
    this.#heldGraphs.set(key, { isHeld, until: performance.now() + HELD_GRAPH_TTL_MS })
    return isHeld
  }
}

interface EngineCallLimits {
  readonly signal: AbortSignal
  readonly seconds: number
}

/** Null if the engine refuses, sends another format, says that it has cut the answer, or if the answer is too long. */
async function bodyOf(
  response: Response,
  { accept, maxBytes }: { readonly accept: string; readonly maxBytes: number },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { status, headers } = response
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';')
  const isCut = CUT_ANSWER_HEADERS.some((name) => headers.has(name))
  const chunks: Uint8Array[] = []
  let length = 0
  if (status !== 200 || type.trim().toLowerCase() !== accept || isCut) {
    await response.body?.cancel()
    return null
  }
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop cancels the rest.
    if (length > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function engineAway(): Refusal {
  const detail = 'The SPARQL engine does not answer. Try again.'
  return new Refusal('engine_unavailable', detail, { retry_after: AWAY_SECONDS })
}
