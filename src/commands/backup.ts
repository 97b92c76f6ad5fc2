import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../platform/errors.ts'
import { isFolder } from '../platform/files/file-kinds.ts'
import { readSecrets, readSettings } from '../platform/settings/settings.ts'
import type { BackupManifest } from './backups/manifest.ts'
import { backupName, removeOldBackups } from './backups/old-backups.ts'
import { readPassphrase } from './backups/passphrase.ts'
import { programVersion } from './backups/program-version.ts'
import { verifyBackup } from './backups/verify-backup.ts'
import { writeBackup, type KeyChoice } from './backups/write-backup.ts'
import { UsageRefusal, type OptionValues, positiveInteger, runCommand } from './command.ts'
import { withDisplay } from './progress.ts'

const USAGE = `Usage: npm run backup -- --out FILE|FOLDER [options]
       npm run backup -- --verify FILE [--passphrase-file FILE]

Saves the database as it is at this moment, the releases of the ontology and files that wait to be imported, in one
file. The same settings as for the service apply; it may be running.

  --out FILE              a new file, or a folder for a file named by the time
  --replace               replace the file if it exists
  --keep N                of the backups in the folder, keep the latest N
  --key KIND              how to include the secret key: none (default), plain or encrypted
  --passphrase-file FILE  passphrase of the key: the first line of this file, or of standard input with -
  --verify FILE           read all of a backup and check that it can be restored`

const OPTIONS = {
  out: { type: 'string' },
  replace: { type: 'boolean', default: false },
  keep: { type: 'string' },
  key: { type: 'string', default: 'none' },
  'passphrase-file': { type: 'string' },
  verify: { type: 'string' },
} as const

const KEYS = {
  none: 'The backup does not include the key: keep a copy of the key elsewhere.',
  plain: 'The backup includes the key unencrypted: keep the file as secret as the key.',
  encrypted: 'The backup includes the key, encrypted.',
}

type Values = OptionValues<typeof OPTIONS>

await runCommand({ usage: USAGE, options: OPTIONS }, async (values) => {
  if ((values.out === undefined) === (values.verify === undefined))
    throw new UsageRefusal('Give either --out or --verify.')
  return values.verify === undefined ? save(values.out ?? '', values) : verify(values.verify, values)
})

async function save(out: string, values: Values): Promise<string> {
  const intoFolder = await isFolder(out)
  const keep = values.keep === undefined ? null : positiveInteger('keep', values.keep)
  if (keep !== null && !intoFolder) throw new UsageRefusal(`--keep: ${out} is not a folder.`)
  const file = intoFolder ? join(out, backupName(new Date())) : out
  if (!values.replace && (await stat(file).catch(() => null)) !== null)
    throw new Refusal('target_not_empty', `${file} already exists: choose another name, or --replace.`)
  const key = await keyChoice(values)
  const { dataDir } = readSettings()
  const sources = { ...readSecrets(), dataDir, version: programVersion() }
  const manifest = await withDisplay('rows', async (display) => writeBackup(file, sources, { key, display }))
  const removed = keep === null ? 0 : await removeOldBackups(out, keep)
  const removedNote = removed === 0 ? '' : ` Older backups removed: ${removed}.`
  return `${file}: ${describeBackup(manifest)}${removedNote}`
}

async function verify(file: string, values: Values): Promise<string> {
  const passphrase = await readPassphrase(values['passphrase-file'])
  const manifest = await withDisplay('tables', async (display) => verifyBackup(file, { passphrase, display }))
  return `${file} can be restored: ${describeBackup(manifest)}`
}

async function keyChoice({ key, 'passphrase-file': file }: Values): Promise<KeyChoice> {
  if (key === 'none' || key === 'plain') {
    if (file === undefined) return { kind: key, passphrase: null }
    throw new UsageRefusal('--passphrase-file: needs --key encrypted.')
  }
  if (key !== 'encrypted') throw new UsageRefusal(`--key ${key}: none, plain or encrypted.`)
  const passphrase = await readPassphrase(file)
  if (passphrase !== null) return { kind: key, passphrase }
  throw new UsageRefusal('--key encrypted: needs --passphrase-file.')
}

function describeBackup({ takenAt, database, ontology, key }: BackupManifest): string {
  const rows = database.tables.reduce((sum, table) => sum + table.rows, 0)
  const lost = ontology.leftOut.map(
    ({ version, reason }) => ` Release ${version} is damaged and not included: ${reason}.`,
  )
  return (
    `${rows} rows of ${database.tables.length} tables (${database.dialect}, ${database.migrations.at(-1) ?? ''}) ` +
    `as of ${takenAt}, ${ontology.releases.length} releases.${lost.join('')} ${KEYS[key.kind]}`
  )
}
