import { join } from 'node:path'
import { makeDataFolder, PRIVATE_MODE } from '../../platform/files/make-folder.ts'
import type { Log } from '../../platform/log.ts'
import type { Secrets } from '../../platform/settings/guidance-settings.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { backupName, removeOldBackups } from './old-backups.ts'
import { programVersion } from './program-version.ts'
import { writeBackup } from './write-backup.ts'

/** Older automatic backups are removed. */
const MAX_AUTOMATIC_BACKUPS = 3

interface UpgradeParts {
  readonly settings: Settings
  readonly secrets: Secrets
  readonly log: Log
}

/** Makes a backup in the data folder before the database is upgraded, unless the settings disable it. */
export function beforeUpgrade({ settings, secrets, log }: UpgradeParts): () => Promise<void> {
  const { dataDir } = settings
  return async () => {
    if (!settings.guidance.upgradeBackup) return
    const folder = join(dataDir, 'backups')
    makeDataFolder(folder, PRIVATE_MODE)
    const file = join(folder, backupName(new Date()))
    const sources = { ...secrets, dataDir, version: programVersion() }
    try {
      await writeBackup(file, sources, { key: { kind: 'none', passphrase: null }, display: NO_PROGRESS })
    } catch (error) {
      log.error({ file }, 'The backup has failed, so nothing is changed (SERVICE_UPGRADE_BACKUP_ENABLED)')
      throw error
    }
    await removeOldBackups(folder, MAX_AUTOMATIC_BACKUPS)
    log.warn({ file }, 'A backup was made before the database is upgraded')
  }
}

const NO_PROGRESS = { update: () => undefined, stop: () => undefined }
