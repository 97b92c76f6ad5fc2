import { AggregatorRegistry, type Registry } from 'prom-client'

/** As `getMetricsAsJSON` of `prom-client` has them. */
export type MetricsInJson = readonly Readonly<Record<string, unknown>>[]

/** A process that tells its metrics. */
export interface MetricsSource {
  readonly number: number
  readonly tell: () => Promise<MetricsInJson>
}

/** A process that does not answer in this time counts with its last values. */
const PATIENCE_MS = 5000
/** Kinds that only grow. The counts of processes that have ended are kept, so that no sum falls. */
const GROWING = new Set<unknown>(['counter', 'histogram'])
/** A process that waits is not hidden by others that do not. */
const LAG = 'nodejs_eventloop_lag_'

/** The metrics of several processes. */
export class CombinedMetrics {
  /** By number. */
  readonly #last = new Map<number, MetricsInJson>()
  #ended: MetricsInJson = []

  async gather(sources: readonly MetricsSource[]): Promise<readonly MetricsInJson[]> {
    const told = sources.map(async ({ number, tell }) => {
      const metrics = await inTime(tell()).catch(() => null)
      if (metrics !== null) this.#last.set(number, metrics)
    })
    await Promise.all(told)
    return [...this.#last.values(), this.#ended]
  }

  /** Keeps what a process has counted that has ended. */
  async keep(number: number): Promise<void> {
    const last = this.#last.get(number)
    if (last === undefined) return
    this.#last.delete(number)
    const growing = last.filter(({ type }) => GROWING.has(type))
    const sum = await combined([this.#ended, growing]).getMetricsAsJSON()
    this.#ended = sum.map((metric) => ({ ...metric }))
  }
}

/** All of them as one. */
export function combined(all: readonly MetricsInJson[]): Registry {
  const alike = all.map((metrics) =>
    metrics.map((metric) => (String(metric['name']).startsWith(LAG) ? { ...metric, aggregator: 'max' } : metric)),
  )
  return AggregatorRegistry.aggregate(alike)
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => {
      reject(new Error('late'))
    }, PATIENCE_MS)
  })
  return Promise.race([answer, tooLate]).finally(() => {
    clearTimeout(late)
  })
}
