import { nextTurn } from '../platform/concurrency/turns.ts'
import { WorkQueue } from '../platform/concurrency/work-queue.ts'
import type { Log } from '../platform/log.ts'
import { ReleaseFolder } from './release/folder.ts'
import { isSame, type Manifest } from './release/manifest.ts'
import { ServedRelease, type ServingOptions } from './served-release.ts'

/** Pinned releases that wait to be opened; each takes a core and memory while it is. */
const MAX_WAITING = 10
/** One that is larger than the bound by itself stays for as long as somebody uses it, and so much longer. */
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
 * Releases that stay open beside the active one, within a bound of memory: the heap of each thread with its
 * WebAssembly, and its cache of answers. What was used least recently is closed first. One that is larger
 * than the bound is open alone.
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

  /** The release of a manifest; opened where it is not. */
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

  /** Gives a release away that is open; null where it is not. */
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

  /** Measures those that were used meanwhile, and closes what is too much or no longer there. */
  async review(): Promise<void> {
    if (this.#reviewing) return
    this.#reviewing = true
    await this.#review().finally(() => (this.#reviewing = false))
  }

  async #review(): Promise<void> {
    for (const [version, open] of this.#open) {
      const there = await this.#folder.manifest(version).catch(() => null)
      if (this.#open.get(version) !== open) continue
      if (there === null || !isSame(there, open.release.manifest)) this.#drop(version, open)
      else if (open.usedAt > open.measuredAt) await this.#measure(open)
    }
    this.#makeRoom(0)
    this.#dropIdleGiant()
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
    const done = (): void => {
      if (this.#opening.get(manifest.version) === opening) this.#opening.delete(manifest.version)
    }
    opening.then(done, done)
    return opening
  }

  async #openNow(manifest: Manifest): Promise<ServedRelease> {
    this.#makeRoom(this.#known.get(manifest.sha256) ?? (await this.#guess(manifest)))
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

  async #guess(manifest: Manifest): Promise<number> {
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

  /** Closes what was used least recently until so much more fits; the last one only where something comes. */
  #makeRoom(coming: number): void {
    const { releasesBytes } = this.#options
    let taken = coming
    for (const { bytes } of this.#open.values()) taken += bytes
    for (const [version, open] of this.#open) {
      if (taken <= releasesBytes || (coming === 0 && this.#open.size === 1)) return
      taken -= open.bytes
      this.#drop(version, open)
    }
  }

  #dropIdleGiant(): void {
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

/** Requests that have just been given the release can ask it before it closes. */
export async function retire(release: ServedRelease): Promise<void> {
  await nextTurn()
  await release.close()
}
