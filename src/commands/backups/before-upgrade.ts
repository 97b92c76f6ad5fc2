import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../platform/log.ts'
import type { Secrets } from '../../platform/settings/guidance-settings.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { backupName, removeOld } from './kept.ts'
import { programVersion } from './program-version.ts'
import { writeBackup } from './write-backup.ts'

/** Of those that are made by themselves. */
const KEPT = 3

interface Upgraded {
  readonly settings: Settings
  readonly secrets: Secrets
  readonly log: Log
}

/** Makes a backup in the data folder, before the database is brought up to date, unless the settings say otherwise. */
export function beforeUpgrade({ settings, secrets, log }: Upgraded): () => Promise<void> {
  const { dataDir } = settings
  return async () => {
    if (!settings.guidance.upgradeBackup) return
    const folder = join(dataDir, 'backups')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, backupName(new Date()))
    const sources = { ...secrets, dataDir, version: programVersion() }
    try {
      const key = { kind: 'none', passphrase: null } as const
      await writeBackup(file, sources, { key, display: SILENT })
    } catch (error) {
      log.error(
        { file },
        'There is no backup, so nothing is changed (SERVICE_UPGRADE_BACKUP_ENABLED)',
      )
      throw error
    }
    await removeOld(folder, KEPT)
    log.warn({ file }, 'A backup was made before the database is brought up to date')
  }
}

const SILENT = { update: () => undefined, stop: () => undefined }
