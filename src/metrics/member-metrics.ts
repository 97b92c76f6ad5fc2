import type { Figure } from '../platform/figures.ts'
import type { Log } from '../platform/log.ts'
import type { MetricsInJson } from './combined-metrics.ts'
import { registryOf } from './registry.ts'
import { RequestMeter } from './request-meter.ts'

/** The metrics of one of several processes, which another one tells. */
export class MemberMetrics {
  readonly requests: RequestMeter
  readonly tell: () => Promise<MetricsInJson>

  constructor(figures: readonly Figure[], log: Log) {
    const registry = registryOf(figures, log)
    this.requests = new RequestMeter(registry)
    this.tell = async () => (await registry.getMetricsAsJSON()).map((metric) => ({ ...metric }))
  }
}
