import { messageOf, Refusal } from '../platform/errors.ts'
import { getOrMake } from '../platform/get-or-make.ts'
import type { Log } from '../platform/log.ts'
import { OpeningRetry } from './opening-retry.ts'
import type { PinnedReleases } from './pinned-releases.ts'
import type { ReleaseFolder } from './release/folder.ts'
import { isSame, type Manifest } from './release/manifest.ts'
import { unknownAmong } from './release/unknown.ts'
import { cannotOpen } from './render/render-thread.ts'
import type { ServedRelease } from './served-release.ts'

/** Requests for unknown versions may come at any rate, so the list of versions is cached this long. */
const VERSIONS_CACHE_MS = 1000

interface ReleasesByVersionOptions {
  readonly folder: ReleaseFolder
  readonly pinned: PinnedReleases
  /** The release that is served as the active one. */
  readonly current: () => ServedRelease | null
  readonly log: Log
}

/**
 * Finds a release by its version. The refusal of an unknown version names similar ones; the fault of a damaged one is
 * only logged, because it names files of this machine.
 */
export class ReleasesByVersion {
  readonly #options: ReleasesByVersionOptions
  readonly #retries = new Map<string, OpeningRetry>()
  #versions: Promise<readonly string[]> = Promise.resolve([])
  #versionsReadAt = -VERSIONS_CACHE_MS

  constructor(options: ReleasesByVersionOptions) {
    this.#options = options
  }

  async manifest(version: string): Promise<Manifest> {
    try {
      return await this.#readManifest(version)
    } catch (error) {
      throw await this.#refusalFor(version, error)
    }
  }

  /** Opens the release if necessary. */
  async release(version: string): Promise<ServedRelease> {
    const retry = this.#retries.get(version)
    if (retry !== undefined && !(await retry.isWorthTrying())) throw cannotOpen(version)
    try {
      const release = await this.#open(version)
      this.#retries.delete(version)
      return release
    } catch (error) {
      throw await this.#refusalFor(version, error)
    }
  }

  async #open(version: string): Promise<ServedRelease> {
    const manifest = await this.#readManifest(version)
    const current = this.#options.current()
    if (current !== null && isSame(manifest, current.manifest)) return current
    return this.#options.pinned.get(manifest)
  }

  async #readManifest(version: string): Promise<Manifest> {
    const manifest = await this.#options.folder.manifest(version)
    if (manifest === null) throw unknownAmong(await this.#knownVersions(), version)
    return manifest
  }

  async #knownVersions(): Promise<readonly string[]> {
    if (performance.now() - this.#versionsReadAt > VERSIONS_CACHE_MS) {
      this.#versionsReadAt = performance.now()
      this.#versions = this.#options.folder.versions()
    }
    return this.#versions
  }

  /** Logs the fault of a damaged release, unless the same files have just failed for it. */
  async #refusalFor(version: string, error: unknown): Promise<Refusal> {
    if (isCallerError(error)) return error
    const { folder, log } = this.#options
    const retry = getOrMake(this.#retries, version, () => new OpeningRetry(folder, version))
    const { isNew, retryInMs } = await retry.recordFailure(error)
    const facts = { version, error: messageOf(error), retryInMs }
    if (isNew) log.error(facts, 'A pinned release cannot be opened')
    return cannotOpen(version)
  }
}

function isCallerError(error: unknown): error is Refusal {
  const codes = ['release_not_found', 'overloaded']
  return error instanceof Refusal && codes.includes(error.code)
}
