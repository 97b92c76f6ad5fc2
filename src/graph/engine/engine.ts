import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { backoffMs } from '../../platform/concurrency/backoff.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

/** A SPARQL endpoint that holds releases in place of the embedded store. */
export const engineSettings = z.object({
  /** Address of the endpoint (SPARQL 1.1 Protocol). */
  url: z.string(),
  /** IRI of the graph that holds a release; `{version}` stands for its version. */
  graph: z.string(),
})

export type EngineSettings = z.output<typeof engineSettings>

/** The graph of the engine that holds a version. */
export function graphOf({ graph }: EngineSettings, version: string): string {
  return graph.replaceAll('{version}', () => encodeURIComponent(version))
}

interface EngineOptions {
  /** For each try. */
  readonly deadlineMs?: number
  readonly tries?: number
  /** Before the second try; before each further one twice as long. */
  readonly pauseMs?: number
}

/** A query with the headers of its request. */
interface EngineQuery {
  readonly accept: string
  readonly signal?: AbortSignal
  /** Replaces the engine's own default graph. */
  readonly defaultGraph?: string
  /** Time after which the caller no longer waits, for engines that stop then (another Parapet does). */
  readonly seconds?: number
}

const DEADLINE_MS = 60_000
const MAX_ATTEMPTS = 3
const PAUSE_MS = 200
const LONGEST_PAUSE_MS = 5000
/** Statuses of a service that is down or overloaded: another attempt may succeed. */
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504])
/** Maximum length of a quoted error message of the engine. */
const MAX_MESSAGE = 500

/** Sends queries to the endpoint, with a deadline, several attempts and a circuit breaker. */
export class SparqlEngine {
  readonly url: string
  readonly #breaker = new CircuitBreaker()
  readonly #options: Required<EngineOptions>

  constructor({ url }: Pick<EngineSettings, 'url'>, options: EngineOptions = {}) {
    this.url = url
    this.#options = { deadlineMs: DEADLINE_MS, tries: MAX_ATTEMPTS, pauseMs: PAUSE_MS, ...options }
  }

  /** Whether it has failed several times in a row, and not answered since. */
  get isAway(): boolean {
    return this.#breaker.isOpen
  }

  /**
   * Sends a query by POST and returns the response of the engine, whatever its status. Refuses with `engine_unavailable`
   * if the engine does not answer.
   */
  async query(text: string, { accept, signal, defaultGraph, seconds }: EngineQuery): Promise<Response> {
    const graph = defaultGraph === undefined ? {} : { 'default-graph-uri': defaultGraph }
    return this.fetch(this.url, {
      method: 'POST',
      headers: {
        Accept: accept,
        'Content-Type': 'application/x-www-form-urlencoded',
        ...(seconds !== undefined && { 'Query-Timeout': String(seconds) }),
      },
      body: new URLSearchParams({ query: text, ...graph }).toString(),
      ...(signal !== undefined && { signal }),
    })
  }

  /** Works like the global `fetch`, for requests that can be repeated safely. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    let failure = 'it has failed several times'
    for (let attempt = 1; attempt <= this.#options.tries; attempt += 1) {
      if (this.#breaker.waitMs > 0) break
      this.#breaker.beginAttempt()
      const reply = await this.#try(input, init)
      if (typeof reply !== 'string') return reply
      failure = reply
      if (attempt < this.#options.tries)
        await sleep(backoffMs(attempt, { firstMs: this.#options.pauseMs, longestMs: LONGEST_PAUSE_MS }))
    }
    throw this.#refuse(failure)
  }

  /** Returns the response, or the reason why there is none. */
  async #try(input: string | URL | Request, init: RequestInit): Promise<Response | string> {
    const deadline = AbortSignal.timeout(this.#options.deadlineMs)
    const callerSignal = init.signal ?? undefined
    const signal = callerSignal === undefined ? deadline : AbortSignal.any([callerSignal, deadline])
    try {
      const response = await fetch(input, { ...init, signal })
      if (!RETRYABLE_STATUSES.has(response.status)) {
        this.#breaker.succeeded()
        return response
      }
      this.#breaker.failed()
      await response.body?.cancel()
      return `it answered with ${response.status}`
    } catch (error) {
      // The caller cancelled the request, so this is not a failure of the engine.
      if (callerSignal?.aborted === true) throw error
      this.#breaker.failed()
      return messageOf(error instanceof Error ? (error.cause ?? error) : error).slice(0, MAX_MESSAGE)
    }
  }

  #refuse(failure: string): Refusal {
    const seconds = Math.max(1, Math.ceil(this.#breaker.waitMs / 1000))
    return new Refusal('engine_unavailable', `The SPARQL engine does not answer: ${failure}.`, {
      retry_after: seconds,
    })
  }
}
