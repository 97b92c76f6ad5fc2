import { join } from 'node:path'
import type { Log } from './platform/log.ts'
import type { Settings } from './platform/settings/settings.ts'
import { siblingModule } from './platform/threads/thread.ts'
import { SyncSchedule } from './sync/schedule.ts'

/** Scheduled jobs, which run in only one of the processes. */
export function schedulesOf({ sync: { everyMs }, dataDir }: Settings, log: Log): readonly SyncSchedule[] {
  if (everyMs === null) return []
  const command = siblingModule(import.meta.url, 'commands/sync')
  return [new SyncSchedule({ folder: join(dataDir, 'sync'), everyMs, command, log })]
}
