import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../platform/errors.ts'

/** Folder for the files of a restore until it is complete. */
export const STAGE = '.restoring'

/** Refuses a data folder with an unfinished restore, which would otherwise look like a new instance. */
export function refuseHalfRestored(dataDir: string): void {
  const stage = join(dataDir, STAGE)
  if (!existsSync(stage)) return
  throw new Refusal(
    'folder_unusable',
    `${stage} says that a restore is running or was interrupted. Wait for it; if none is running, empty ${dataDir} ` +
      '(but for its secret.key) and restore again.',
  )
}
