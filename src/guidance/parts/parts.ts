import type { Log } from '../../platform/log.ts'
import type { GuidanceSettings } from '../../platform/settings/guidance-settings.ts'
import type { StorageWatch } from '../../platform/storage-watch.ts'
import type { Database } from '../database/database.ts'
import type { Keys } from './keys.ts'
import type { Limits } from './limits.ts'

/** What the operations work with. */
export interface Parts {
  readonly database: Database
  readonly storage: StorageWatch
  readonly settings: GuidanceSettings
  readonly keys: Keys
  /** What to tell whoever starts the program when the key has gone; null: it was there. */
  readonly lostKey: string | null
  readonly limits: Limits
  readonly log: Log
  /** Without a final slash. */
  readonly baseUrl: string
  /** Of this program. */
  readonly version: string
  /** Of Express. */
  readonly frameworkVersion: string
}
