import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { messageOf, Refusal } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { ReleaseFolder } from './release/folder.ts'
import type { Manifest } from './release/manifest.ts'
import { LIST_PATHS } from './render/paths.ts'
import { ServedRelease } from './served-release.ts'

const WATCH_MS = 2000
/** Pinned releases that stay open beside the current one. */
const MAX_PINNED = 2

export interface OntologyOptions {
  readonly dataDir: string
  /** Bound of the compressed answers kept for one release. */
  readonly cacheBytes: number
  readonly log: Log
}

/**
 * The releases that are served: the active one, and older ones while somebody asks for them. An
 * ingest in another process is noticed within seconds; the old release answers until the new one is
 * open, and goes on answering if that fails.
 */
export class OntologyService {
  readonly #options: OntologyOptions
  readonly #folder: ReleaseFolder
  readonly #pinned = new Map<string, Promise<ServedRelease>>()
  readonly #stop = new AbortController()
  #starting: Promise<void> = Promise.resolve()
  #current: ServedRelease | null = null
  /** Digest of the release that failed to open, so that it is not tried for ever. */
  #broken: string | null = null

  constructor(options: OntologyOptions) {
    this.#options = options
    this.#folder = new ReleaseFolder(options.dataDir)
  }

  /** Opens the active release if there is one, then keeps watch. Requests wait for it meanwhile. */
  async start(): Promise<void> {
    this.#starting = this.#follow()
    await this.#starting
    void this.#watch()
  }

  /** The release that is served, or null before the first ingest. */
  get current(): ServedRelease | null {
    return this.#current
  }

  /** The active release, or a pinned one by its version. Refuses where there is none. */
  async release(version: string | null): Promise<ServedRelease> {
    if (version !== null) return this.#pin(version)
    await this.#starting
    if (this.#current !== null) return this.#current
    throw new Refusal('no_release', 'Nothing has been ingested yet, or it could not be opened.')
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#starting
    await this.#current?.close()
    this.#current = null
    for (const pinned of this.#pinned.values()) {
      await pinned.then((release) => release.close()).catch(() => null)
    }
  }

  #isClosed(): boolean {
    return this.#stop.signal.aborted
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed()) {
      await sleep(WATCH_MS, undefined, { ref: false, signal: this.#stop.signal }).catch(() => null)
      await this.#follow().catch((error: unknown) => {
        this.#options.log.error({ error: messageOf(error) }, 'The active release cannot be read')
      })
    }
  }

  /** Opens the active release when it is another one than is served. */
  async #follow(): Promise<void> {
    const version = await this.#folder.active()
    const manifest = version === null ? null : await this.#folder.manifest(version)
    if (manifest === null || this.#isClosed()) return
    if (isSame(manifest, this.#current?.manifest) || manifest.sha256 === this.#broken) return
    try {
      const opened = await ServedRelease.open(manifest, this.#options)
      if (this.#isClosed()) {
        await opened.close()
        return
      }
      const old = this.#current
      this.#current = opened
      this.#options.log.info({ version, statements: manifest.counts.statements }, 'Release is open')
      this.#warm(opened)
      if (old !== null) await retire(old)
    } catch (error) {
      this.#broken = manifest.sha256
      this.#options.log.error({ version, error: messageOf(error) }, 'Release cannot be opened')
    }
  }

  /** The lists are asked for most and take longest, so they are at hand before anyone asks. */
  #warm(release: ServedRelease): void {
    release.warm(LIST_PATHS).catch((error: unknown) => {
      this.#options.log.error({ error: messageOf(error) }, 'A list cannot be prepared')
    })
  }

  async #pin(version: string): Promise<ServedRelease> {
    const manifest = await this.#folder.manifest(version)
    if (manifest === null) {
      const versions = [...(await this.#folder.versions())].sort().join(', ')
      const known = versions === '' ? '' : ` There are: ${versions}.`
      throw new Refusal('release_not_found', `There is no release "${version}".${known}`)
    }
    const known = this.#pinned.get(version)
    if (known !== undefined && isSame(manifest, (await known).manifest)) return known
    return this.#open(manifest)
  }

  async #open(manifest: Manifest): Promise<ServedRelease> {
    const { version } = manifest
    const replaced = [this.#pinned.get(version), this.#leastRecent(version)]
    const opening = ServedRelease.open(manifest, this.#options)
    this.#pinned.set(version, opening)
    opening.catch(() => this.#pinned.delete(version))
    for (const old of replaced) void old?.then(retire).catch(() => null)
    return opening
  }

  /** Takes out the release that has been pinned longest, when there are too many with a new one. */
  #leastRecent(version: string): Promise<ServedRelease> | undefined {
    const [oldest] = this.#pinned.keys()
    if (oldest === undefined || oldest === version || this.#pinned.size < MAX_PINNED)
      return undefined
    const release = this.#pinned.get(oldest)
    this.#pinned.delete(oldest)
    return release
  }
}

/** Requests that have just been given the release get to ask it before it closes. */
async function retire(release: ServedRelease): Promise<void> {
  await nextTurn()
  await release.close()
}

function isSame(manifest: Manifest, other: Manifest | undefined): boolean {
  return manifest.version === other?.version && manifest.sha256 === other.sha256
}
