import { open, readdir, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import {
  findSecret,
  lineOf,
  databaseAddress,
  withSnapshot,
  type Snapshot,
  type TableCopy,
} from '../../guidance/backup.ts'
import { openReleases, ReleaseFolder } from '../../ontology/index.ts'
import { hasCode, Refusal } from '../../platform/errors.ts'
import type { TaskDisplay } from '../progress.ts'
import { sealSecret } from './key.ts'
import { FORMAT, type BackupManifest, type BackupRelease, type BackupTable } from './manifest.ts'
import { packInto, type Packer } from './pack.ts'

export interface BackupSources {
  readonly dataDir: string
  /** As `SERVICE_DATABASE_URL`. */
  readonly databaseUrl: string | null
  /** As `SERVICE_SECRET_KEY`. */
  readonly secretKey: string | null
  /** Version of the program. */
  readonly version: string
}

/** Whether and how the backup contains the secret from which keys are derived. */
export interface KeyChoice {
  readonly kind: 'none' | 'plain' | 'encrypted'
  /** The passphrase that encrypts the secret; null for another choice. */
  readonly passphrase: string | null
}

/** Saves an instance to a file, also while services use it; returns the manifest of the file. */
export async function writeBackup(
  file: string,
  sources: BackupSources,
  options: { readonly key: KeyChoice; readonly display: TaskDisplay },
): Promise<BackupManifest> {
  const key = await keyPart(sources, options.key)
  // Opened before the database is read: an import that ends in between has stored its benchmarks there.
  const uploads = await openUploads(join(sources.dataDir, 'imports'))
  try {
    return await packInto(file, async (packer) => {
      const { database, takenAt } = await packDatabase(packer, sources, options.display)
      const ontology = await packReleases(packer, sources.dataDir, options.display)
      const imports: BackupManifest['imports'] = []
      for (const { name, handle } of uploads)
        imports.push({ file: name, part: await packer.add(`imports/${name}`, contentOf(handle)) })
      const part = key === null ? null : await packer.add(key.name, bytesOf(key.text))
      const described = { kind: options.key.kind, part }
      return {
        format: FORMAT,
        program: sources.version,
        takenAt,
        database,
        ontology,
        imports,
        key: described,
      }
    })
  } finally {
    for (const { handle } of uploads) await handle.close()
  }
}

async function keyPart(
  { secretKey, dataDir }: BackupSources,
  key: KeyChoice,
): Promise<{ readonly name: string; readonly text: string } | null> {
  if (key.kind === 'none') return null
  const secret = findSecret(secretKey, dataDir)
  if (secret === null) throw new Refusal('usage', '--key: there is no key yet; it is made when the service starts.')
  if (key.passphrase === null) return { name: 'secret.key', text: secret }
  return { name: 'secret.key.json', text: await sealSecret(secret, key.passphrase) }
}

async function openUploads(folder: string): Promise<readonly { readonly name: string; readonly handle: FileHandle }[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  })
  const files: { name: string; handle: FileHandle }[] = []
  for (const name of names.sort()) {
    const handle = await open(join(folder, name)).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return null
      throw error
    })
    if (handle !== null) files.push({ name, handle })
  }
  return files
}

async function packDatabase(
  packer: Packer,
  { databaseUrl, dataDir }: BackupSources,
  display: TaskDisplay,
): Promise<{ readonly database: BackupManifest['database']; readonly takenAt: string }> {
  return withSnapshot(databaseAddress(databaseUrl, dataDir), async (snapshot) => {
    const takenAt = new Date().toISOString()
    const tables: BackupTable[] = []
    for (const table of snapshot.tables) {
      const onProgress = (done: number): void => {
        display.update(`Saving ${table.name}`, done, table.rows)
      }
      const name = `tables/${table.name}.ndjson`
      const part = await packer.add(name, linesOf(snapshot, table, onProgress))
      const columns = table.columns.map((column) => ({ ...column }))
      const { rows, lastId } = table
      tables.push({ name: table.name, columns, rows, lastId, part })
    }
    const { dialect, migrations } = snapshot
    return { database: { dialect, migrations: [...migrations], tables }, takenAt }
  })
}

async function* linesOf(
  snapshot: Snapshot,
  table: TableCopy,
  onProgress: (done: number) => void,
): AsyncGenerator<Uint8Array, void> {
  let done = 0
  for await (const rows of snapshot.rows(table)) {
    yield Buffer.from(rows.map((row) => lineOf(row, table)).join(''))
    done += rows.length
    onProgress(done)
  }
}

async function packReleases(
  packer: Packer,
  dataDir: string,
  display: TaskDisplay,
): Promise<BackupManifest['ontology']> {
  const openedReleases = await openReleases(new ReleaseFolder(dataDir))
  const releases: BackupRelease[] = []
  try {
    for (const release of openedReleases.releases) {
      const { version, graphFile } = release
      display.update(`Saving release ${version}`, releases.length, openedReleases.releases.length)
      const home = `releases/${version}`
      const manifest = await packer.add(`${home}/manifest.json`, bytesOf(release.manifestText))
      const graph = await packer.add(`${home}/${graphFile}`, release.graph())
      releases.push({ version, graphFile, manifest, graph })
    }
  } finally {
    for (const { close } of openedReleases.releases) await close()
  }
  return {
    active: openedReleases.active,
    history: openedReleases.history,
    releases,
    leftOut: openedReleases.leftOut.map((release) => ({ ...release })),
  }
}

async function* contentOf(handle: FileHandle): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false }))
    if (chunk instanceof Uint8Array) yield chunk
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(text))
}
