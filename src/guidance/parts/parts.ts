import type { Log } from '../../platform/log.ts'
import type { GuidanceSettings } from '../../platform/settings/guidance-settings.ts'
import type { StorageWatch } from '../../platform/storage-watch.ts'
import type { Database } from '../database/database.ts'
import type { Keys } from './keys.ts'
import type { Limits } from './limits.ts'

/** All endpoints of guidance may use these parts. */
export interface Parts {
  readonly database: Database
  readonly storage: StorageWatch
  readonly settings: GuidanceSettings
  readonly keys: Keys
  /** The warning that the key was missing at the start; null: it was there. */
  readonly lostKey: string | null
  readonly limits: Limits
  readonly log: Log
  /** Without a final slash. */
  readonly baseUrl: string
  /** The version of this program. */
  readonly version: string
  /** The commit that the program was built from; null if unknown. */
  readonly commit: string | null
  /** The version of Express. */
  readonly frameworkVersion: string
}
