import { join } from 'node:path'
import { makeDataFolder, PRIVATE } from '../../platform/files/make-folder.ts'
import type { Log } from '../../platform/log.ts'
import type { Secrets } from '../../platform/settings/guidance-settings.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { backupName, removeOld } from './kept.ts'
import { programVersion } from './program-version.ts'
import { writeBackup } from './write-backup.ts'

/** Number of automatic backups that are kept. */
const KEPT = 3

interface UpgradeParts {
  readonly settings: Settings
  readonly secrets: Secrets
  readonly log: Log
}

/** Makes a backup in the data folder, before the database is brought up to date, unless the settings say otherwise. */
export function beforeUpgrade({ settings, secrets, log }: UpgradeParts): () => Promise<void> {
  const { dataDir } = settings
  return async () => {
    if (!settings.guidance.upgradeBackup) return
    const folder = join(dataDir, 'backups')
    makeDataFolder(folder, PRIVATE)
    const file = join(folder, backupName(new Date()))
    const sources = { ...secrets, dataDir, version: programVersion() }
    try {
      const key = { kind: 'none', passphrase: null } as const
      await writeBackup(file, sources, { key, display: SILENT })
    } catch (error) {
      log.error({ file }, 'The backup has failed, so nothing is changed (SERVICE_UPGRADE_BACKUP_ENABLED)')
      throw error
    }
    await removeOld(folder, KEPT)
    log.warn({ file }, 'A backup was made before the database is upgraded')
  }
}

const SILENT = { update: () => undefined, stop: () => undefined }
