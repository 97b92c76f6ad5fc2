import { Counter, Gauge, Registry } from 'prom-client'
import { withinTime } from '../platform/concurrency/within-time.ts'
import { messageOf } from '../platform/errors.ts'
import type { Figure, FigureValue } from '../platform/figures.ts'
import type { Log } from '../platform/log.ts'
import { collectProcessMetrics } from './process-metrics.ts'

const PREFIX = 'parapet_'
/** Limit for reading one figure, so that a database that does not answer does not block the others. */
const TIMEOUT_MS = 2000

/** A registry with the metrics of the process and the figures. */
export function registryOf(figures: readonly Figure[], log: Log): Registry {
  const registry = new Registry()
  collectProcessMetrics(registry)
  for (const figure of figures) register(registry, figure, log)
  return registry
}

function register(registry: Registry, figure: Figure, log: Log): void {
  const { name, help, kind, labels = [], across: aggregator = 'sum' } = figure
  const options = {
    name: PREFIX + name,
    help,
    labelNames: [...labels],
    aggregator,
    registers: [registry],
  }
  if (kind === 'gauge') {
    new Gauge({
      ...options,
      async collect() {
        const readings = await read(figure, log)
        forget(this, labels)
        for (const { labels: figureLabels = {}, value } of readings) this.set({ ...figureLabels }, value)
      },
    })
  } else {
    new Counter({
      ...options,
      async collect() {
        const readings = await read(figure, log)
        forget(this, labels)
        for (const { labels: figureLabels = {}, value } of readings) this.inc({ ...figureLabels }, value)
      },
    })
  }
}

/** Removes old values. A reset alone would leave a zero for metrics without labels. */
function forget(metric: Pick<Gauge, 'reset' | 'remove'>, labels: readonly string[]): void {
  if (labels.length === 0) metric.remove()
  else metric.reset()
}

/** Reads a figure; empty if it cannot be read, so that the others are still reported. */
async function read({ name, read: readings }: Figure, log: Log): Promise<readonly FigureValue[]> {
  try {
    const values = await withinTime(Promise.resolve(readings()), TIMEOUT_MS, null)
    if (values === null) throw new Error(`no answer within ${TIMEOUT_MS} ms`)
    return values
  } catch (error) {
    log.warn({ figure: name, reason: messageOf(error) }, 'A figure cannot be read')
    return []
  }
}
