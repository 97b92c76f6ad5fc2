import { openCounters } from './guidance/counters.ts'
import type { Log } from './platform/log.ts'
import type { Settings } from './platform/settings/settings.ts'
import { Members } from './processes/members.ts'
import { onStop } from './processes/signals.ts'
import { schedulesOf } from './schedules.ts'

/** Leads several processes that serve, until they have ended. */
export async function lead(settings: Settings, log: Log): Promise<void> {
  const { metrics: address, processes: count, drainMs } = settings
  const combined = address && new (await import('./metrics/combined-metrics.ts')).CombinedMetrics()
  const members = new Members({ count, counters: openCounters(settings.guidance), drainMs, log, metrics: combined })
  const open: { close(): Promise<void> }[] = [...schedulesOf(settings, log)]
  if (address !== null && combined !== null) {
    const { Metrics } = await import('./metrics/metrics.ts')
    const metrics = new Metrics(members.figures, {
      ...address,
      log,
      others: () => combined.gather(members.metricsSources),
    })
    open.push(metrics)
    await metrics.listen()
  }
  onStop(log, {
    begin: () => {
      members.stop()
    },
    atOnce: () => {
      members.kill()
    },
  })
  members.start()
  process.exitCode = await members.exitStatus
  for (const closeable of open) await closeable.close()
}
