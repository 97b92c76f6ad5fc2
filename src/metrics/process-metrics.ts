import { GCProfiler } from 'node:v8'
import { Gauge, Histogram, type Registry } from 'prom-client'
import eventLoopLag from 'prom-client/lib/metrics/eventLoopLag.js'
import heapSizeAndUsed from 'prom-client/lib/metrics/heapSizeAndUsed.js'
import heapSpacesSizeAndUsed from 'prom-client/lib/metrics/heapSpacesSizeAndUsed.js'
import osMemoryHeap from 'prom-client/lib/metrics/osMemoryHeap.js'
import processCpuTotal from 'prom-client/lib/metrics/processCpuTotal.js'
import processHandles from 'prom-client/lib/metrics/processHandles.js'
import processMaxFileDescriptors from 'prom-client/lib/metrics/processMaxFileDescriptors.js'
import processOpenFileDescriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js'
import processRequests from 'prom-client/lib/metrics/processRequests.js'
import processResources from 'prom-client/lib/metrics/processResources.js'
import processStartTime from 'prom-client/lib/metrics/processStartTime.js'
import version from 'prom-client/lib/metrics/version.js'

const LIBRARY_COLLECTORS = [
  processCpuTotal,
  processStartTime,
  osMemoryHeap,
  processOpenFileDescriptors,
  processMaxFileDescriptors,
  eventLoopLag,
  processResources,
  processHandles,
  processRequests,
  heapSizeAndUsed,
  heapSpacesSizeAndUsed,
  version,
]
/** The library ends the names of these gauges with `_total`, as only counters should: Prometheus's checks complain. */
const RENAMED_METRICS: Readonly<Record<string, string>> = {
  nodejs_active_handles_total: 'nodejs_all_active_handles',
  nodejs_active_requests_total: 'nodejs_all_active_requests',
  nodejs_active_resources_total: 'nodejs_all_active_resources',
}
/** Milliseconds. */
const EVENT_LOOP_PRECISION = 10
/** Interval at which records are read; unread records take a few kilobytes for each collection. */
const READ_INTERVAL_MS = 10_000
const BUCKETS = [0.001, 0.01, 0.1, 1, 2, 5]
/** Kinds of garbage collections by their names in V8. */
const KINDS: Readonly<Record<string, string>> = {
  Scavenge: 'minor',
  MinorMarkCompact: 'minor',
  MarkSweepCompact: 'major',
  IncrementalMarking: 'incremental',
  ProcessWeakCallbacks: 'weakcb',
}

/**
 * Registers the metrics of `collectDefaultMetrics`, except that three have other names and garbage collections are
 * observed in another way: the library's observer wakes the event loop after each, which costs 5 % of an answer from
 * memory.
 */
export function collectProcessMetrics(registry: Registry): void {
  const config = { eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION }
  for (const collect of LIBRARY_COLLECTORS) collect(registry, config)
  for (const [name, plain] of Object.entries(RENAMED_METRICS)) rename(registry, name, plain)
  collectGarbageCollections(registry)
}

/** Reports a gauge of the library under another name. */
function rename(registry: Registry, name: string, plain: string): void {
  const gauge = registry.getSingleMetric(name)
  if (gauge === undefined) return
  registry.removeSingleMetric(name)
  new Gauge({
    name: plain,
    help: `All of ${name.replace(/_total$/, '')}.`,
    registers: [registry],
    async collect() {
      const { values } = await gauge.get()
      for (const { value } of values) this.set(value)
    },
  })
}

function collectGarbageCollections(registry: Registry): void {
  let profiler = startProfiler()
  const durations = new Histogram({
    name: 'nodejs_gc_duration_seconds',
    help: 'Garbage collection duration by kind, one of major, minor, incremental or weakcb.',
    labelNames: ['kind'],
    buckets: BUCKETS,
    registers: [registry],
    collect: () => {
      observeCollections()
    },
  })
  const observeCollections = (): void => {
    const { statistics } = profiler.stop()
    profiler = startProfiler()
    for (const { gcType, cost } of statistics) durations.observe({ kind: KINDS[gcType] ?? 'other' }, cost / 1e6)
  }
  setInterval(observeCollections, READ_INTERVAL_MS).unref()
}

function startProfiler(): GCProfiler {
  const profiler = new GCProfiler()
  profiler.start()
  return profiler
}
