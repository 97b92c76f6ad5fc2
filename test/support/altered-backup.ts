import { open } from 'node:fs/promises'
import type { BackupManifest } from '../../src/commands/backups/manifest.ts'
import { packInto, type Packer } from '../../src/commands/backups/pack.ts'
import { openBackup, textOf } from '../../src/commands/backups/unpack.ts'

/** Copies a backup with changed rows or a changed manifest. */
export async function altered(
  file: string,
  change: {
    readonly rows?: (table: string, text: string) => string
    readonly manifest?: (manifest: BackupManifest) => BackupManifest
  },
): Promise<string> {
  const { manifest, read, close } = await openBackup(file)
  const other = `${file}.altered.zip`
  const copied = async (packer: Packer): Promise<BackupManifest> => {
    const tables: BackupManifest['database']['tables'] = []
    for (const table of manifest.database.tables) {
      const text = await textOf(read(table.part))
      const changed = change.rows?.(table.name, text) ?? text
      const part = await packer.add(table.part.name, bytesOf(changed))
      tables.push({ ...table, part, rows: changed.split('\n').length - 1 })
    }
    const same = { ...manifest, database: { ...manifest.database, tables } }
    return change.manifest?.(same) ?? same
  }
  await packInto(other, copied)
  close()
  return other
}

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(text))
}

/** Damages one bit. */
export async function flip(file: string, offset: number): Promise<void> {
  const handle = await open(file, 'r+')
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, offset)
  await handle.write(Buffer.from([(byte[0] ?? 0) ^ 1]), 0, 1, offset)
  await handle.close()
}
