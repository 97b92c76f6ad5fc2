import type { Figure } from '../platform/figures.ts'
import type { Log } from '../platform/log.ts'
import type { MetricsInJson } from './combined-metrics.ts'
import { registryOf } from './registry.ts'
import { RequestMeter } from './request-meter.ts'

/** The metrics of one of several processes, which the leading process reports. */
export class MemberMetrics {
  readonly requests: RequestMeter
  readonly read: () => Promise<MetricsInJson>

  constructor(figures: readonly Figure[], log: Log) {
    const registry = registryOf(figures, log)
    this.requests = new RequestMeter(registry)
    this.read = async () => (await registry.getMetricsAsJSON()).map((metric) => ({ ...metric }))
  }
}
