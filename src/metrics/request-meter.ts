import { Counter, Histogram, type Registry } from 'prom-client'
import type { MeasuredRequest, RequestMeter as Meter } from '../http/server/request-log.ts'

/** In seconds: answers take from less than a millisecond to the deadlines of exports. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** Counts requests by the patterns of their paths, and how long they took. */
export class RequestMeter implements Meter {
  /** By status. Counted without the library, because its labels would take as long as such an answer. */
  readonly #fromMemory: Record<number, number> = {}
  readonly #over: Histogram<'method' | 'route' | 'status'>

  constructor(registry: Registry) {
    this.#over = new Histogram({
      name: 'parapet_http_request_seconds',
      help: 'Time of requests until the last byte was sent, without answers from memory. The route of unknown paths is "none".',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS,
      registers: [registry],
    })
    const counts = this.#fromMemory
    new Counter({
      name: 'parapet_http_memory_answers_total',
      help: 'Requests of the ontology that were answered from memory.',
      labelNames: ['status'],
      registers: [registry],
      collect() {
        this.reset()
        for (const [status, count] of Object.entries(counts)) this.inc({ status }, count)
      },
    })
  }

  fromMemory(status: number): void {
    this.#fromMemory[status] = (this.#fromMemory[status] ?? 0) + 1
  }

  over({ method, route, status, ms }: MeasuredRequest): void {
    const knownMethod = METHODS.has(method) ? method : 'other'
    this.#over.observe({ method: knownMethod, route: route ?? 'none', status }, ms / 1000)
  }
}
