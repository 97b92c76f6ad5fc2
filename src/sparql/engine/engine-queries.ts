import type { HeldElsewhere } from '../../contracts/graphs.ts'
import { SparqlEngine } from '../../graph/engine/engine.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import type { QueryForm } from '../query/read-query.ts'
import { abandoned, WaitingLine } from '../threads/line.ts'
import { tooSlow } from '../threads/query-thread.ts'
import type { PortableQuery } from './portable.ts'
import { readResults } from './results.ts'
import { TranslationThread } from './translation-thread.ts'
import type { Translated } from './translation.ts'

export interface EngineQueryOptions {
  readonly url: string
  /** Queries that may wait, and how long each. */
  readonly queue: number
  readonly waitMs: number
  /** Whether another query may begin; see `look`. */
  readonly mayBegin: () => boolean
  readonly log: Log
}

/** A query of a graph that the engine may hold. */
export interface EngineQuestion extends PortableQuery {
  readonly form: QueryForm
  readonly graph: HeldElsewhere
  /** The media type that is wanted. */
  readonly format: string
  readonly maxRows: number
  readonly maxBytes: number
}

interface Terms {
  readonly deadlineMs: number
  readonly signal: AbortSignal
}

/** Queries at the same time: an engine has limits of its own. */
const AT_ONCE = 16
/** From so many rows or solutions on, it is asked whether they are all: many engines cut answers and do not say so. */
const MAYBE_CUT = 1000
/** What Virtuoso says of an answer that it has cut. */
const SAYS_CUT = ['X-SPARQL-MaxRows', 'X-SQL-State']
/** That an engine holds a graph is believed for so long. */
const BELIEVED_MS = 60_000
const AWAY_SECONDS = 2
const JSON_RESULTS = 'application/sparql-results+json'
const N_TRIPLES = 'application/n-triples'

/**
 * Sends queries to another engine. What comes back is answered only where it is known to be all there is; where not,
 * or where the engine cannot answer, the caller has to.
 */
export class EngineQueries {
  readonly #options: EngineQueryOptions
  readonly #engine: SparqlEngine
  readonly #line: WaitingLine<null>
  readonly #translation: TranslationThread
  readonly #held = new Map<string, { readonly isHeld: boolean; readonly until: number }>()
  #underWay = 0

  constructor(options: EngineQueryOptions) {
    const { url, queue, waitMs, log } = options
    this.#options = options
    this.#engine = new SparqlEngine({ url })
    this.#line = new WaitingLine({ most: queue, waitMs })
    this.#translation = new TranslationThread(log)
  }

  /**
   * The whole answer; null where it is not to be had from there. Refuses (`engine_unavailable`) where the engine is
   * away.
   */
  async answer(
    question: EngineQuestion,
    { deadlineMs, signal }: Terms,
  ): Promise<Uint8Array | null> {
    if (question.graph.isAway()) throw away()
    const turn = this.#line.join(signal)
    this.look()
    await turn
    const deadline = AbortSignal.timeout(deadlineMs)
    try {
      const both = AbortSignal.any([signal, deadline])
      const seconds = Math.ceil(deadlineMs / 1000)
      return await this.#ask(question, { signal: both, seconds })
    } catch (error) {
      if (signal.aborted) throw abandoned()
      if (deadline.aborted) throw tooSlow(deadlineMs)
      if (error instanceof Refusal) throw error
      // The connection broke while the answer came.
      throw new Refusal('engine_unavailable', 'The SPARQL engine broke off.', {
        retry_after: AWAY_SECONDS,
      })
    } finally {
      this.#underWay -= 1
      this.look()
    }
  }

  /** Lets those begin who may. */
  look(): void {
    while (this.#underWay < AT_ONCE && this.#line.length > 0 && this.#options.mayBegin()) {
      this.#underWay += 1
      this.#line.next(null)
    }
  }

  async close(): Promise<void> {
    this.#line.clear(new Refusal('shutting_down', 'The service is shutting down.'))
    await this.#translation.close()
  }

  async #ask(question: EngineQuestion, asked: Asked): Promise<Uint8Array | null> {
    const { form, graph, count } = question
    if (!(await this.#holds(graph, asked))) return null
    const isGraph = form === 'CONSTRUCT' || form === 'DESCRIBE'
    // What a graph was made of cannot be seen from it.
    if (isGraph && count !== null && !((await this.#count(count, graph, asked)) < MAYBE_CUT))
      return null
    const translated = await this.#fetch(question, asked)
    if (translated === null) return null
    const { body, rows } = translated
    if (rows < MAYBE_CUT || count === null) return body
    return (await this.#count(count, graph, asked)) === rows ? body : null
  }

  async #fetch(question: EngineQuestion, asked: Asked): Promise<Translated> {
    const { form, text, graph, maxBytes } = question
    const accept = form === 'CONSTRUCT' || form === 'DESCRIBE' ? N_TRIPLES : JSON_RESULTS
    const response = await this.#engine.query(text, {
      ...{ ...asked, accept, defaultGraph: graph.graph },
    })
    const body = await bodyOf(response, { accept, maxBytes })
    return body === null ? null : this.#translation.translate({ ...question, body })
  }

  /** Not a number where the engine does not say. */
  async #count(query: string, { graph }: HeldElsewhere, asked: Asked): Promise<number> {
    const response = await this.#engine.query(query, {
      ...{ ...asked, accept: JSON_RESULTS, defaultGraph: graph },
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

  /** Whether the engine has the whole graph. */
  async #holds(graph: HeldElsewhere, asked: Asked): Promise<boolean> {
    const key = `${graph.graph} ${graph.statements}`
    const known = this.#held.get(key)
    if (known !== undefined && performance.now() < known.until) return known.isHeld
    const all = 'SELECT (COUNT(*) AS ?parapetRows) WHERE { ?s ?p ?o }'
    const held = await this.#count(all, graph, asked)
    const isHeld = held === graph.statements
    if (!isHeld && known?.isHeld !== false)
      this.#options.log.warn(
        { ...graph, held },
        'The SPARQL engine does not hold a release: it is queried here',
      )
    // Releases are few; those that are gone are forgotten some time.
    if (this.#held.size > 1000) this.#held.clear()
    this.#held.set(key, { isHeld, until: performance.now() + BELIEVED_MS })
    return isHeld
  }
}

interface Asked {
  readonly signal: AbortSignal
  readonly seconds: number
}

/** Null where the engine refuses, answers with something else, says that it has cut the answer, or it is too long. */
async function bodyOf(
  response: Response,
  { accept, maxBytes }: { readonly accept: string; readonly maxBytes: number },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { status, headers } = response
  const [type = ''] = (headers.get('Content-Type') ?? '').split(';')
  const isCut = SAYS_CUT.some((name) => headers.has(name))
  const chunks: Uint8Array[] = []
  let length = 0
  if (status !== 200 || type.trim().toLowerCase() !== accept || isCut) {
    await response.body?.cancel()
    return null
  }
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop gives up the rest.
    if (length > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function away(): Refusal {
  const detail = 'The SPARQL engine does not answer. Try again.'
  return new Refusal('engine_unavailable', detail, { retry_after: AWAY_SECONDS })
}
