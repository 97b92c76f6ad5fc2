import { readSecrets, readSettings } from '../platform/settings/settings.ts'
import { readPassphrase } from './backups/passphrase.ts'
import { restoreBackup } from './backups/restore-backup.ts'
import { UsageRefusal, runCommand } from './command.ts'
import { withDisplay } from './progress.ts'

const USAGE = `Usage: npm run restore -- FILE [options]

Restores a backup into an empty data folder (SERVICE_DATA_DIR) and an empty database (SERVICE_DATABASE_URL). A backup
of SQLite can be restored to PostgreSQL, and the other way round. All of it is restored, or nothing.

  --to URL                the database, instead of that of the settings: postgres://… or file:PATH
  --passphrase-file FILE  passphrase of the key: the first line of this file, or of standard input with -
  --without-key           do not restore the key of the backup`

const OPTIONS = {
  to: { type: 'string' },
  'passphrase-file': { type: 'string' },
  'without-key': { type: 'boolean', default: false },
} as const

const OPERANDS = { least: 1, most: 1, missing: 'Name one file.' }

await runCommand({ usage: USAGE, options: OPTIONS, operands: OPERANDS }, async (values, operands) => {
  const [file = ''] = operands
  const { to } = values
  if (to !== undefined && !/^(?:postgres(?:ql)?:\/\/|file:)./.test(to))
    throw new UsageRefusal(`--to ${to}: must begin with postgres:// or file:.`)
  const passphrase = await readPassphrase(values['passphrase-file'])
  const { dataDir } = readSettings()
  const { secretKey, databaseUrl } = readSecrets()
  const target = { dataDir, databaseUrl: to ?? databaseUrl, secretKey }
  return withDisplay('rows', async (display) => {
    const withKey = !values['without-key']
    const { takenAt, key } = await restoreBackup(file, target, { withKey, passphrase, display })
    const next = [
      ...(to === undefined ? [] : ['Start the service with this SERVICE_DATABASE_URL.']),
      ...(key.kind === 'none' || !withKey
        ? ['Restore the key, too: with another key, every session, token and link becomes invalid.']
        : []),
    ]
    return [`Restored as of ${takenAt}, to ${dataDir}.`, ...next].join(' ')
  })
})
