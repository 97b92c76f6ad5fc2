import { AggregatorRegistry, type Registry } from 'prom-client'
import { withinTime } from '../platform/concurrency/within-time.ts'

/** Metrics in the form of `getMetricsAsJSON` of `prom-client`. */
export type MetricsInJson = readonly Readonly<Record<string, unknown>>[]

/** A process that reports its metrics. */
export interface MetricsSource {
  readonly number: number
  readonly read: () => Promise<MetricsInJson>
}

/** If a process does not answer in this time, its last values are used. */
const TIMEOUT_MS = 5000
/** Types that only grow. Counts of ended processes are kept, so that no sum decreases. */
const GROWING_TYPES = new Set<unknown>(['counter', 'histogram'])
/** The maximum of these metrics is reported, so that other processes do not hide a blocked one. */
const LAG_PREFIX = 'nodejs_eventloop_lag_'

/** The metrics of several processes. */
export class CombinedMetrics {
  /** By number. */
  readonly #last = new Map<number, MetricsInJson>()
  #ended: MetricsInJson = []

  async gather(sources: readonly MetricsSource[]): Promise<readonly MetricsInJson[]> {
    const answers = sources.map(async ({ number, read }) => {
      const metrics = await withinTime(read(), TIMEOUT_MS, null).catch(() => null)
      if (metrics !== null) this.#last.set(number, metrics)
    })
    await Promise.all(answers)
    return [...this.#last.values(), this.#ended]
  }

  /** Keeps the counts of a process that has ended. */
  async keep(number: number): Promise<void> {
    const last = this.#last.get(number)
    if (last === undefined) return
    this.#last.delete(number)
    const growing = last.filter(({ type }) => GROWING_TYPES.has(type))
    const sum = await combineMetrics([this.#ended, growing]).getMetricsAsJSON()
    this.#ended = sum.map((metric) => ({ ...metric }))
  }
}

/** Combines the metrics of several processes. */
export function combineMetrics(sources: readonly MetricsInJson[]): Registry {
  const alike = sources.map((metrics) =>
    metrics.map((metric) =>
      String(metric['name']).startsWith(LAG_PREFIX) ? { ...metric, aggregator: 'max' } : metric,
    ),
  )
  return AggregatorRegistry.aggregate(alike)
}
