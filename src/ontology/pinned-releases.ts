import { nextTurn } from '../platform/concurrency/turns.ts'
import { WorkQueue } from '../platform/concurrency/work-queue.ts'
import type { Log } from '../platform/log.ts'
import { ReleaseFolder } from './release/folder.ts'
import { isSame, type Manifest } from './release/manifest.ts'
import { ServedRelease, type ServingOptions } from './served-release.ts'

/** Limit of the pinned releases that wait to be opened. Opening one takes a core and memory. */
const MAX_WAITING = 10
/** A release that alone exceeds the limit of memory is closed after this time without a request. */
const IDLE_MS = 60_000
/**
 * Estimated memory of a release before it is measured, for each byte of its graph. The figure is that of D3FEND: the
 * graph is once in the store with its indexes, and once more in tables.
 */
const BYTES_PER_BYTE = 20
const BYTES_AT_LEAST = 40_000_000

interface OpenPinnedRelease {
  readonly release: ServedRelease
  /** Memory in bytes, as last measured. */
  bytes: number
  usedAt: number
  measuredAt: number
}

export interface PinnedOptions extends ServingOptions {
  /** Memory that open releases besides the active one may take together. */
  readonly releasesBytes: number
}

/**
 * Keeps releases open beside the active one, within a limit of memory: the heap of each thread with its WebAssembly, and
 * its cache of answers. The least recently used release is closed first. One that alone exceeds the limit is open alone.
 */
export class PinnedReleases {
  readonly #options: PinnedOptions
  readonly #folder: ReleaseFolder
  readonly #log: Log
  /** By version, the one that was used last at the end. */
  readonly #open = new Map<string, OpenPinnedRelease>()
  readonly #opening = new Map<string, Promise<ServedRelease>>()
  /** Memory of releases when they were measured last, by digest, so that space is made before one is opened. */
  readonly #known = new Map<string, number>()
  readonly #retiring = new Set<Promise<void>>()
  readonly #queue = new WorkQueue({
    tasks: MAX_WAITING,
    refusal: `${MAX_WAITING} releases are already being opened. Try again.`,
  })
  #reviewing = false
  #closed = false

  constructor(options: PinnedOptions) {
    this.#options = options
    this.#folder = new ReleaseFolder(options.dataDir)
    this.#log = options.log
  }

  /** Memory of open releases, by version; the last used one is at the end. */
  get sizes(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#open, ([version, { bytes }]) => [version, bytes]))
  }

  /** The release of a manifest; opens it if necessary. */
  async get(manifest: Manifest): Promise<ServedRelease> {
    const { version } = manifest
    const open = this.#open.get(version)
    if (open !== undefined && isSame(manifest, open.release.manifest)) {
      this.#use(version, open)
      return open.release
    }
    const opening = this.#opening.get(version)
    if (opening !== undefined && isSame(manifest, (await opening).manifest)) return opening
    return this.#start(manifest)
  }

  /** Hands an open release over to the caller, who closes it; null if it is not open. */
  take(manifest: Manifest): ServedRelease | null {
    const open = this.#open.get(manifest.version)
    if (open === undefined || !isSame(manifest, open.release.manifest)) return null
    this.#open.delete(manifest.version)
    return open.release
  }

  /** Keeps the previous active release open for further requests, if memory allows. */
  adopt(release: ServedRelease): void {
    const open = this.#add(release, this.#known.get(release.manifest.sha256) ?? 0)
    open.measuredAt = 0
    void this.review()
  }

  /** Measures the releases that were used since, and closes those that exceed the limit or no longer exist. */
  async review(): Promise<void> {
    if (this.#reviewing) return
    this.#reviewing = true
    await this.#review().finally(() => (this.#reviewing = false))
  }

  async #review(): Promise<void> {
    for (const [version, open] of this.#open) {
      const manifest = await this.#folder.manifest(version).catch(() => null)
      if (this.#open.get(version) !== open) continue
      if (manifest === null || !isSame(manifest, open.release.manifest)) this.#drop(version, open)
      else if (open.usedAt > open.measuredAt) await this.#measure(open)
    }
    this.#makeRoom(0)
    this.#closeIdleOversized()
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#opening.values())
    await this.#queue.settled()
    for (const [version, open] of this.#open) this.#drop(version, open)
    await Promise.all(this.#retiring)
  }

  #start(manifest: Manifest): Promise<ServedRelease> {
    const opening = this.#queue.run(() => this.#openNow(manifest))
    this.#opening.set(manifest.version, opening)
    const forgetOpening = (): void => {
      if (this.#opening.get(manifest.version) === opening) this.#opening.delete(manifest.version)
    }
    opening.then(forgetOpening, forgetOpening)
    return opening
  }

  async #openNow(manifest: Manifest): Promise<ServedRelease> {
    this.#makeRoom(this.#known.get(manifest.sha256) ?? (await this.#estimate(manifest)))
    const release = await ServedRelease.open(manifest, this.#options)
    const bytes = await release.memory()
    this.#add(release, bytes)
    this.#remember(manifest, bytes)
    if (bytes > this.#options.releasesBytes) {
      const { version } = manifest
      const facts = { version, megabytes: Math.ceil(bytes / 2 ** 20) }
      this.#log.warn(facts, 'This release alone is larger than SERVICE_RELEASES_MB')
    }
    this.#makeRoom(0)
    return release
  }

  async #estimate(manifest: Manifest): Promise<number> {
    const bytes = await this.#folder.graphBytes(manifest).catch(() => 0)
    return Math.max(BYTES_AT_LEAST, BYTES_PER_BYTE * bytes)
  }

  #add(release: ServedRelease, bytes: number): OpenPinnedRelease {
    const { version } = release.manifest
    const replaced = this.#open.get(version)
    if (replaced !== undefined) this.#drop(version, replaced)
    const now = performance.now()
    const open = { release, bytes, usedAt: now, measuredAt: now }
    this.#open.set(version, open)
    if (this.#closed) this.#drop(version, open)
    return open
  }

  #use(version: string, open: OpenPinnedRelease): void {
    open.usedAt = performance.now()
    this.#open.delete(version)
    this.#open.set(version, open)
  }

  async #measure(open: OpenPinnedRelease): Promise<void> {
    open.measuredAt = performance.now()
    open.bytes = await open.release.memory()
    this.#remember(open.release.manifest, open.bytes)
  }

  #remember({ sha256 }: Manifest, bytes: number): void {
    this.#known.delete(sha256)
    this.#known.set(sha256, bytes)
    const [oldest] = this.#known.keys()
    if (this.#known.size > 1000 && oldest !== undefined) this.#known.delete(oldest)
  }

  /** Closes the least recently used releases until `coming` bytes fit. If none are coming, one release may stay. */
  #makeRoom(coming: number): void {
    const { releasesBytes } = this.#options
    let usedBytes = coming
    for (const { bytes } of this.#open.values()) usedBytes += bytes
    for (const [version, open] of this.#open) {
      if (usedBytes <= releasesBytes || (coming === 0 && this.#open.size === 1)) return
      usedBytes -= open.bytes
      this.#drop(version, open)
    }
  }

  #closeIdleOversized(): void {
    const [first] = this.#open
    if (first === undefined) return
    const [version, open] = first
    const isIdle = performance.now() - open.usedAt > IDLE_MS
    if (isIdle && open.bytes > this.#options.releasesBytes) this.#drop(version, open)
  }

  #drop(version: string, { release }: OpenPinnedRelease): void {
    this.#open.delete(version)
    const retiring = retire(release).finally(() => this.#retiring.delete(retiring))
    this.#retiring.add(retiring)
  }
}

/** Closes a release after the current turn, so that requests that have just received it can still use it. */
export async function retire(release: ServedRelease): Promise<void> {
  await nextTurn()
  await release.close()
}
