import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../platform/errors.ts'

/** These files are created after the database, so they prove that there was one. */
const LATER_FILES = ['uploads', 'imports', 'secret.key']

/**
 * Refuses to create a database if there was one before. If a disk is not mounted, a backup is incomplete or a setting is
 * wrong, the service would otherwise start without any accounts.
 */
export function refuseMissing(file: string, dataDir: string): void {
  // Read before the size of the file, because another process may be starting here for the first time.
  const presentFiles = LATER_FILES.map((name) => join(dataDir, name)).filter((path) => existsSync(path))
  const log = `${file}-wal`
  const files = sizeOf(log) > 0 ? [...presentFiles, log] : presentFiles
  if (files.length === 0 || sizeOf(file) > 0) return
  throw new Refusal(
    'database_missing',
    `${file} is ${existsSync(file) ? 'empty' : 'missing'}, but ${files.join(', ')} ` +
      'says that there was a database. Restore it, or correct SERVICE_DATABASE_URL or SERVICE_DATA_DIR. ' +
      'To begin with an empty database, start the service once with --new.',
  )
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
