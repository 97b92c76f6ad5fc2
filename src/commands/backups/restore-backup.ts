import { createWriteStream, existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, readdir, rename, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { keyFile, requireEmpty, restoreDatabase, databaseAddress, type DatabaseAddress } from '../../guidance/backup.ts'
import { Refusal } from '../../platform/errors.ts'
import { syncFolder } from '../../platform/files/durable.ts'
import { makeDataFolder, makeFolder } from '../../platform/files/make-folder.ts'
import type { TaskDisplay } from '../progress.ts'
import type { BackupManifest, BackupPart } from './manifest.ts'
import { undoOnSignal } from './signals.ts'
import { STAGE } from './stage.ts'
import { openBackup, rowsOf, textOf, unusableRefusal, type Backup } from './unpack.ts'
import { readKey, requireTables } from './verify-backup.ts'

export interface RestoreTarget {
  readonly dataDir: string
  /** As `SERVICE_DATABASE_URL`. */
  readonly databaseUrl: string | null
  /** As `SERVICE_SECRET_KEY`. */
  readonly secretKey: string | null
}

/** The field of a manifest that identifies the graph. */
const graphIdentity = z.looseObject({ sha256: z.string() })

interface RestoreOptions {
  readonly withKey: boolean
  readonly passphrase: string | null
  readonly display: TaskDisplay
}

/** A new disk may have a `lost+found`, and the operator may have placed the key before. */
const ALLOWED_NAMES = new Set(['lost+found', 'secret.key'])

/** Restores a backup into an empty data folder and an empty database, completely or not at all. */
export async function restoreBackup(
  file: string,
  target: RestoreTarget,
  options: RestoreOptions,
): Promise<BackupManifest> {
  const backup = await openBackup(file)
  try {
    await requireTables(backup.manifest)
    const address = databaseAddress(target.databaseUrl, target.dataDir)
    await requireEmptyFolder(target.dataDir)
    await requireEmpty(address)
    const secret = await chooseSecret(backup, target, options)
    await new Restore(backup, target.dataDir, options.display).run(address, secret)
    return backup.manifest
  } finally {
    backup.close()
  }
}

async function requireEmptyFolder(dataDir: string): Promise<void> {
  const names = existsSync(dataDir) ? await readdir(dataDir) : []
  const [first] = names.filter((name) => !ALLOWED_NAMES.has(name))
  if (first === undefined) return
  const why =
    first === STAGE
      ? 'a restore is running or was interrupted; remove it if none is running'
      : 'restore into an empty one'
  throw new Refusal('target_not_empty', `The data folder ${dataDir} has ${first}: ${why}.`)
}

/** The secret to put into the data folder; null: none. */
async function chooseSecret(
  backup: Backup,
  { secretKey, dataDir }: RestoreTarget,
  { withKey, passphrase }: RestoreOptions,
): Promise<string | null> {
  if (!withKey || backup.manifest.key.kind === 'none') return null
  const secret = await readKey(backup, passphrase)
  if (secret === null)
    throw new Refusal(
      'usage',
      'The key in the backup is encrypted: name the file of its passphrase, or restore --without-key.',
    )
  const file = keyFile(dataDir)
  const currentSecret = secretKey ?? (existsSync(file) ? readFileSync(file, 'utf8') : null)
  if (currentSecret === null) return secret
  if (currentSecret === secret) return null
  throw new Refusal(
    'target_not_empty',
    `${secretKey === null ? file : 'SERVICE_SECRET_KEY'} has a different key from the backup: ` +
      'remove it, or restore --without-key.',
  )
}

class Restore {
  readonly #backup: Backup
  readonly #dataDir: string
  readonly #stage: string
  readonly #display: TaskDisplay
  /** Paths that were moved into place, and are removed if the restore fails. */
  readonly #placed: string[] = []

  constructor(backup: Backup, dataDir: string, display: TaskDisplay) {
    this.#backup = backup
    this.#dataDir = dataDir
    this.#stage = join(dataDir, STAGE)
    this.#display = display
  }

  async run(address: DatabaseAddress, secret: string | null): Promise<void> {
    const isNew = !existsSync(this.#dataDir)
    makeDataFolder(this.#dataDir)
    await mkdir(this.#stage)
    const clear = (): void => {
      rmSync(this.#stage, { recursive: true, force: true })
    }
    try {
      await undoOnSignal(clear, async () => {
        await this.#stageFiles(secret)
        await restoreDatabase(address, this.#databaseCopy(), () => this.#placeFiles())
      })
      clear()
    } catch (error) {
      clear()
      for (const path of this.#placed) rmSync(path, { recursive: true, force: true })
      if (isNew) await rmdir(this.#dataDir).catch(() => undefined)
      throw error
    }
  }

  #databaseCopy(): Parameters<typeof restoreDatabase>[1] {
    const { migrations, tables } = this.#backup.manifest.database
    const parts = new Map(tables.map((table) => [table.name, table]))
    const [read, display] = [this.#backup.read, this.#display]
    return {
      migrations,
      tables,
      rows: async function* ({ name }) {
        const table = parts.get(name)
        if (table === undefined || table.rows === 0) return
        let done = 0
        for await (const rows of rowsOf(read(table.part), table)) {
          display.update(`Restoring ${name}`, done, table.rows)
          yield rows
          done += rows.length
        }
      },
    }
  }

  async #stageFiles(secret: string | null): Promise<void> {
    const { ontology, imports } = this.#backup.manifest
    for (const { version, graphFile, manifest, graph } of ontology.releases) {
      this.#display.update(`Restoring release ${version}`, 0, null)
      const home = join('ontology', 'releases', version)
      const { sha256 } = graphIdentity.parse(JSON.parse(await textOf(this.#backup.read(manifest))))
      if (sha256 !== graph.sha256) throw unusableRefusal(`${graph.name} is not the graph of ${version}`)
      await this.#stagePart(graph, join(home, graphFile))
      await this.#stagePart(manifest, join(home, 'manifest.json'))
    }
    const { active, history } = ontology
    if (history !== null) await this.#stageText(history, join('ontology', 'history.json'))
    if (active !== null) await this.#stageText(`${active}\n`, join('ontology', 'active'))
    for (const { file, part } of imports) await this.#stagePart(part, join('imports', file))
    if (secret !== null) await this.#stageText(secret, 'secret.key')
  }

  async #stagePart(part: BackupPart, name: string): Promise<void> {
    const file = createWriteStream(this.#stagePath(name), restoreModeOf(name))
    await pipeline(this.#backup.read(part), file)
  }

  async #stageText(text: string, name: string): Promise<void> {
    await writeFile(this.#stagePath(name), text, restoreModeOf(name))
  }

  #stagePath(name: string): string {
    const path = join(this.#stage, name)
    makeFolder(dirname(path))
    return path
  }

  async #placeFiles(): Promise<void> {
    for (const name of await readdir(this.#stage)) {
      const path = join(this.#dataDir, name)
      await rename(join(this.#stage, name), path)
      this.#placed.push(path)
    }
    await syncFolder(this.#dataDir)
  }
}

/** Files are flushed to the disk; only releases may be read by others. */
function restoreModeOf(name: string): { readonly mode: number; readonly flush: true } {
  return { mode: name.startsWith('ontology') ? 0o666 : 0o600, flush: true }
}
