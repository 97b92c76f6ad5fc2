import { existsSync, statSync } from 'node:fs'
import type { Log } from '../../platform/log.ts'
import type { Database } from '../database/database.ts'
import { keyFile } from './keys.ts'

const LOST_KEY_MESSAGE =
  'The key of a database that is in use was missing, so another one is made. Every session, personal access ' +
  'token and mailed link has ended, and the secrets of webhooks and one-time codes cannot be read any more. To get ' +
  'them back, stop the service and restore the file from a backup.'

interface KeyLocation {
  readonly database: Database
  readonly secretKey: string | null
  readonly dataDir: string
  readonly log: Log
}

/** A warning when the key is missing but the database is in use; must be called before another key is made. */
export async function noticeLostKey({ database, secretKey, dataDir, log }: KeyLocation): Promise<string | null> {
  const file = keyFile(dataDir)
  if (secretKey !== null || existsSync(file)) return null
  const people = await database.read.selectFrom('users').select('id').limit(1).execute()
  if (people.length === 0) return null
  log.error({ file }, LOST_KEY_MESSAGE)
  return `${file}: ${LOST_KEY_MESSAGE}`
}

/** A reader of these files can act as every user. Windows has no such modes. */
export function warnIfOthersCanRead(files: readonly string[], log: Log): void {
  if (process.platform === 'win32') return
  for (const file of files) {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats === undefined || (stats.mode & 0o077) === 0) continue
    log.warn({ file, mode: (stats.mode & 0o777).toString(8) }, 'Other users may read this file. Run chmod 600 on it')
  }
}
