import { requireKnown, tablesAt, type TableShape } from '../../guidance/backup.ts'
import type { TaskDisplay } from '../progress.ts'
import { openSecret } from './key.ts'
import type { BackupManifest } from './manifest.ts'
import { openBackup, rowsOf, textOf, unusableRefusal, type Backup } from './unpack.ts'

/** Reads a whole backup, and refuses it with the reason if it could not be restored. */
export async function verifyBackup(
  file: string,
  options: { readonly passphrase: string | null; readonly display: TaskDisplay },
): Promise<BackupManifest> {
  const backup = await openBackup(file)
  try {
    const { database, ontology, imports, key } = backup.manifest
    await requireTables(backup.manifest)
    for (const [index, table] of database.tables.entries()) {
      options.display.update('Reading tables', index, database.tables.length)
      await readAll(rowsOf(backup.read(table.part), table))
    }
    for (const { version, manifest, graph } of ontology.releases) {
      options.display.update(`Reading release ${version}`, 0, null)
      await readAll(backup.read(manifest))
      await readAll(backup.read(graph))
    }
    for (const { part } of imports) await readAll(backup.read(part))
    if (key.part !== null) await readKey(backup, options.passphrase)
    return backup.manifest
  } finally {
    backup.close()
  }
}

/** The secret in a backup; null if there is none, or it is encrypted and no passphrase was given. */
export async function readKey({ manifest: { key }, read }: Backup, passphrase: string | null): Promise<string | null> {
  if (key.part === null) return null
  const text = await textOf(read(key.part))
  if (key.kind === 'plain') return text
  return passphrase === null ? null : openSecret(text, passphrase)
}

/** Refuses a backup whose tables differ from its schema, or whose schema is unknown. */
export async function requireTables({ database }: BackupManifest): Promise<void> {
  requireKnown(database.migrations)
  const expected = (await tablesAt(database.migrations)).map(describeTable).sort()
  const shapes = database.tables.map(describeTable).sort()
  const missing = expected.find((table) => !shapes.includes(table))
  if (missing !== undefined) throw unusableRefusal(`This table is not in the backup: ${missing}`)
  const other = shapes.find((table) => !expected.includes(table))
  if (other !== undefined || shapes.length !== expected.length)
    throw unusableRefusal(`This table of the backup does not belong to its schema: ${other ?? 'twice'}`)
}

function describeTable({ name, columns }: TableShape): string {
  const described = columns.map(({ name: column, kind, nullable }) =>
    [column, kind, ...(nullable ? ['or null'] : [])].join(' '),
  )
  return `${name} (${described.sort().join(', ')})`
}

async function readAll(content: AsyncIterable<unknown>): Promise<void> {
  const iterator = content[Symbol.asyncIterator]()
  while ((await iterator.next()).done !== true);
}
