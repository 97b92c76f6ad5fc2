import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode, messageOf, Refusal } from '../../platform/errors.ts'
import { storageRefusal } from '../../platform/storage.ts'
import { parseManifest, type Manifest } from './manifest.ts'

/** A version names a folder, so only harmless characters, and never a leading dot. */
export const VERSION_FORM = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/

/**
 * Where releases live:
 *
 *     ontology/active                            the version that is served
 *     ontology/releases/<version>/manifest.json  the last file written: it makes the release
 *     ontology/releases/<version>/<digest>.nq    the graph, named for its content
 *
 * Each commit is one rename, so a crash at any moment leaves the release that was there before.
 */
export class ReleaseFolder {
  readonly #root: string
  readonly #beforeCommit: (name: string) => void

  /** `beforeCommit` is called with the name of each file before it is renamed; a throw there acts like a crash. */
  constructor(dataDir: string, beforeCommit: (name: string) => void = () => undefined) {
    this.#root = join(dataDir, 'ontology')
    this.#beforeCommit = beforeCommit
  }

  /** The version that is served, or null before the first ingest. */
  async active(): Promise<string | null> {
    const text = await readIfThere(join(this.#root, 'active'))
    return text === null ? null : text.trim()
  }

  async activate(version: string): Promise<void> {
    await this.#commit(this.#root, 'active', `${version}\n`)
  }

  /** The manifest of a version, or null where there is no such release. */
  async manifest(version: string): Promise<Manifest | null> {
    if (!VERSION_FORM.test(version)) return null
    const file = join(this.#home(version), 'manifest.json')
    const text = await readIfThere(file)
    return text === null ? null : parseManifest(text, file)
  }

  /** All versions, in no particular order; also those whose manifest is damaged. */
  async versions(): Promise<readonly string[]> {
    const entries = await readdir(join(this.#root, 'releases'), { withFileTypes: true }).catch(
      () => [],
    )
    return entries
      .filter((entry) => entry.isDirectory() && VERSION_FORM.test(entry.name))
      .map(({ name }) => name)
      .filter((name) => existsSync(join(this.#home(name), 'manifest.json')))
  }

  /**
   * Text that changes with the files of a release and with the name of the active one; without a version, of the
   * release that is active. Never fails: what cannot be read is part of it.
   */
  async stamp(version?: string): Promise<string> {
    const name = version ?? (await this.active().catch(() => null)) ?? ''
    const home = this.#home(VERSION_FORM.test(name) ? name : '')
    const names = await readdir(home).catch(() => [])
    const files = names.sort().map((file) => join(home, file))
    return (await Promise.all([join(this.#root, 'active'), ...files].map(stampOf))).join('\n')
  }

  /** Canonical N-Quads of a release. */
  async graph(manifest: Manifest): Promise<string> {
    return readFile(join(this.#home(manifest.version), manifest.graphFile), 'utf8')
  }

  /** Size of a release's graph in bytes. */
  async graphBytes(manifest: Manifest): Promise<number> {
    return (await stat(join(this.#home(manifest.version), manifest.graphFile))).size
  }

  /** Adds or replaces a release; the manifest is the commit, leftovers are removed after it. */
  async write(manifest: Manifest, nquads: string): Promise<void> {
    const home = this.#home(manifest.version)
    await mkdir(home, { recursive: true })
    try {
      await this.#commit(home, manifest.graphFile, nquads)
      await this.#commit(home, 'manifest.json', `${JSON.stringify(manifest, null, 2)}\n`)
    } catch (error) {
      if (storageRefusal(error) !== null) await this.#dropUnnamed(manifest.version)
      throw error
    }
    const keep = ['manifest.json', manifest.graphFile]
    const names = await readdir(home)
    const leftovers = names.filter((name) => !keep.includes(name))
    await Promise.all(leftovers.map((name) => rm(join(home, name), { force: true })))
  }

  /**
   * Runs a task while no other process writes releases. Refuses when one does; a lock whose owner
   * is gone (killed) does not count.
   */
  async exclusively<T>(task: () => Promise<T>): Promise<T> {
    await mkdir(this.#root, { recursive: true }).catch(refuseFolder)
    const lock = join(this.#root, '.lock')
    await takeLock(lock)
    try {
      return await task()
    } finally {
      await rm(lock, { force: true })
    }
  }

  async #commit(folder: string, name: string, content: string): Promise<void> {
    this.#beforeCommit(name)
    await writeDurably(folder, name, content)
  }

  /** Removes graphs that no manifest names, so that they take no space. */
  async #dropUnnamed(version: string): Promise<void> {
    const names = await readdir(this.#home(version)).catch((): string[] => [])
    if (!names.includes('manifest.json'))
      await rm(this.#home(version), { recursive: true, force: true })
  }

  #home(version: string): string {
    return join(this.#root, 'releases', version)
  }
}

async function takeLock(lock: string): Promise<void> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
    const owner = Number(await readIfThere(lock))
    if (isRunning(owner)) break
    await rm(lock, { force: true })
  }
  throw new Refusal('folder_unusable', `Another ingest is writing releases (${lock}).`)
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists, but belongs to somebody else.
    return hasCode(error, 'EPERM')
  }
}

/** Writes beside the target, waits for the disk, then renames: the file is whole or unchanged. */
async function writeDurably(folder: string, name: string, content: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${name}.${process.pid}.tmp`)
  try {
    const file = await open(draft, 'w')
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, join(folder, name))
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  const directory = await open(folder, 'r')
  await directory.sync().finally(() => directory.close())
}

async function stampOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file)
    return `${file} ${ino} ${size} ${mtimeMs}`
  } catch (error) {
    return `${file} ${messageOf(error)}`
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    return refuseFolder(error)
  }
}

function refuseFolder(error: unknown): never {
  throw new Refusal('folder_unusable', `SERVICE_DATA_DIR cannot be used: ${messageOf(error)}.`)
}
