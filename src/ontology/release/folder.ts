import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { LRUCache } from 'lru-cache'
import { messageOf } from '../../platform/errors.ts'
import { readIfThere, syncFolder, writeDurably } from '../../platform/files/durable.ts'
import { withLock } from '../../platform/files/lock.ts'
import { makeFolder } from '../../platform/files/make-folder.ts'
import { storageRefusal } from '../../platform/storage.ts'
import {
  releasesBefore,
  formatHistory,
  parseHistory,
  withTransition,
  type EarlierRelease,
  type History,
} from './history.ts'
import { linePieces } from './line-pieces.ts'
import { formatManifest, parseManifest, type Manifest } from './manifest.ts'

/** A version names a folder, so only harmless characters, and never a leading dot. */
export const VERSION_FORM = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/

const HISTORY = 'history.json'
/** A manifest is read again when its file changes. */
const CACHED_MANIFESTS = 200

/**
 * The folder of the releases:
 *
 *     ontology/active                            the version that is served
 *     ontology/history.json                      which ones were served before it
 *     ontology/releases/<version>/manifest.json  the last file written: it makes the release
 *     ontology/releases/<version>/<digest>.nq    the graph, named for its content
 *
 * Each commit is one rename, so a crash at any moment leaves the release that was there before.
 */
export class ReleaseFolder {
  /** The folder itself; its file `active` changes when another release is activated. */
  readonly root: string
  readonly #manifests = new LRUCache<string, { stamp: string; manifest: Manifest }>({
    max: CACHED_MANIFESTS,
  })
  /** Whether graphs are as their manifests say, by their paths. */
  readonly #intactness = new LRUCache<string, { stamp: string; intact: Promise<boolean> }>({
    max: CACHED_MANIFESTS,
  })
  readonly #beforeCommit: (name: string) => void

  /** `beforeCommit` is called with the name of each file before it is renamed; a throw there acts like a crash. */
  constructor(dataDir: string, beforeCommit: (name: string) => void = () => undefined) {
    this.root = join(dataDir, 'ontology')
    this.#beforeCommit = beforeCommit
  }

  /** The active version; null before the first ingest, and if the file with its name is lost. */
  async active(): Promise<string | null> {
    const text = await readIfThere(join(this.root, 'active'))
    return text === null ? null : text.trim()
  }

  /** Makes a version the active one, and adds the previous one to the history. */
  async activate(version: string): Promise<void> {
    const history = await this.#history()
    // If the name of the active version is lost, the history still has it.
    const from = (await this.active()) ?? history.at(-1)?.to ?? null
    if (from !== null && from !== version) {
      await this.#commitHistory(withTransition(history, { from, to: version, at: new Date().toISOString() }))
    }
    await this.#commitActive(version)
  }

  /**
   * Lists the versions that were active before, the latest first, whether they still exist or not. If no version is
   * active, the first is the one that was active last.
   */
  async earlier(): Promise<readonly EarlierRelease[]> {
    return [...releasesBefore(await this.active(), await this.#history())]
  }

  /** Whether there are releases, or were some: then a missing name of the active version is a loss. */
  async isUsed(): Promise<boolean> {
    return (await this.versions()).length > 0 || (await this.#history()).length > 0
  }

  /** Makes an earlier release the active one; the history after it is forgotten. */
  async rollback({ version, history }: EarlierRelease): Promise<void> {
    await this.#commitActive(version)
    await this.#commitHistory(history)
  }

  /** The manifest of a version, or null where there is no such release. */
  async manifest(version: string): Promise<Manifest | null> {
    if (!VERSION_FORM.test(version)) return null
    const file = join(this.#home(version), 'manifest.json')
    const stamp = await stampOf(file)
    const cached = this.#manifests.get(version)
    if (cached?.stamp === stamp) return cached.manifest
    const text = await readIfThere(file)
    if (text === null) return null
    const manifest = parseManifest(text, file)
    this.#manifests.set(version, { stamp, manifest })
    return manifest
  }

  /** All versions, in no particular order; also those whose manifest is damaged. */
  async versions(): Promise<readonly string[]> {
    const entries = await readdir(join(this.root, 'releases'), { withFileTypes: true }).catch(() => [])
    return entries
      .filter((entry) => entry.isDirectory() && VERSION_FORM.test(entry.name))
      .map(({ name }) => name)
      .filter((name) => existsSync(join(this.#home(name), 'manifest.json')))
  }

  /**
   * Text that changes with the files of a release and with the name of the active one; without a version, of the
   * release that is active. Never fails: error messages of files are part of the text.
   */
  async stamp(version?: string): Promise<string> {
    const name = version ?? (await this.active().catch(() => null)) ?? ''
    const home = this.#home(VERSION_FORM.test(name) ? name : '')
    const names = await readdir(home).catch(() => [])
    const files = names.sort().map((file) => join(home, file))
    return (await Promise.all([join(this.root, 'active'), ...files].map(stampOf))).join('\n')
  }

  /** Canonical N-Quads of a release. */
  async graph(manifest: Manifest): Promise<string> {
    return readFile(this.graphPath(manifest), 'utf8')
  }

  /** The graph in pieces of whole lines. */
  graphPieces(manifest: Manifest): Iterable<string> {
    return linePieces(this.graphPath(manifest))
  }

  /** Size of a release's graph in bytes. */
  async graphBytes(manifest: Manifest): Promise<number> {
    return (await stat(this.graphPath(manifest))).size
  }

  /** Whether the graph of a release exists and has the digest of its manifest. */
  async isIntact(manifest: Manifest): Promise<boolean> {
    const hash = createHash('sha256').setEncoding('hex')
    try {
      await pipeline(createReadStream(this.graphPath(manifest)), hash)
    } catch {
      return false
    }
    return hash.read() === manifest.sha256
  }

  /** Whether the graph is intact; it is read again only if its file has changed. */
  async seemsIntact(manifest: Manifest): Promise<boolean> {
    const path = this.graphPath(manifest)
    const stamp = `${await stampOf(path)} ${manifest.sha256}`
    const cached = this.#intactness.get(path)
    if (cached?.stamp === stamp) return cached.intact
    const intact = this.isIntact(manifest)
    this.#intactness.set(path, { stamp, intact })
    return intact
  }

  /** Removes a release. The manifest is removed first, because a folder without one is not a release. */
  async remove(version: string): Promise<void> {
    const home = this.#home(version)
    await rm(join(home, 'manifest.json'))
    await syncFolder(home)
    await rm(home, { recursive: true, force: true })
  }

  /** Adds or replaces a release; the manifest is the commit, leftovers are removed after it. */
  async write(manifest: Manifest, nquads: string): Promise<void> {
    const home = this.#home(manifest.version)
    makeFolder(home)
    try {
      await this.#commit(home, manifest.graphFile, nquads)
      await this.#commit(home, 'manifest.json', formatManifest(manifest))
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
   * Runs a task while no other process writes releases. Refuses if the lock is not free after `waitMs`; a lock whose
   * owner was killed does not count.
   */
  async exclusively<T>(task: () => Promise<T>, waitMs = 0): Promise<T> {
    return withLock({ lock: join(this.root, '.lock'), activity: 'is writing releases', waitMs }, task)
  }

  async #history(): Promise<History> {
    return parseHistory(await readIfThere(join(this.root, HISTORY)))
  }

  async #commitHistory(history: History): Promise<void> {
    await this.#commit(this.root, HISTORY, formatHistory(history))
  }

  async #commitActive(version: string): Promise<void> {
    await this.#commit(this.root, 'active', `${version}\n`)
  }

  async #commit(folder: string, name: string, content: string): Promise<void> {
    this.#beforeCommit(name)
    await writeDurably(folder, name, content)
  }

  /** Removes graphs that no manifest names, so that they take no space. */
  async #dropUnnamed(version: string): Promise<void> {
    const names = await readdir(this.#home(version)).catch((): string[] => [])
    if (!names.includes('manifest.json')) await rm(this.#home(version), { recursive: true, force: true })
  }

  /** Path of the graph of a release. */
  graphPath({ version, graphFile }: Manifest): string {
    return join(this.#home(version), graphFile)
  }

  #home(version: string): string {
    return join(this.root, 'releases', version)
  }
}

async function stampOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file)
    return `${file} ${ino} ${size} ${mtimeMs}`
  } catch (error) {
    return `${file} ${messageOf(error)}`
  }
}
