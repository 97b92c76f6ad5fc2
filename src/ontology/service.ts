import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, Refusal } from '../platform/errors.ts'
import { nextTurn } from '../platform/turns.ts'
import { ReleaseFolder } from './release/folder.ts'
import type { Manifest } from './release/manifest.ts'
import { LIST_PATHS } from './render/paths.ts'
import { cannotOpen } from './render/render-thread.ts'
import { ServedRelease, type ServingOptions } from './served-release.ts'
import { Trouble } from './trouble.ts'

const WATCH_MS = 2000
/** Pinned releases that stay open beside the current one. */
const MAX_PINNED = 2
/** Pinned releases that wait to be opened; each takes a core and memory while it is. */
const MAX_WAITING = 10

/**
 * The releases that are served: the active one, and older ones while somebody asks for them. An
 * ingest in another process is noticed within seconds; the old release answers until the new one is
 * open, and goes on answering if that fails. What failed is tried again.
 */
export class OntologyService {
  readonly #options: ServingOptions
  readonly #folder: ReleaseFolder
  readonly #pinned = new Map<string, Promise<ServedRelease>>()
  readonly #stop = new AbortController()
  readonly #trouble: Trouble
  readonly #pinnedTroubles = new Map<string, Trouble>()
  #starting: Promise<void> = Promise.resolve()
  #current: ServedRelease | null = null
  /** One pinned release is opened after the other. */
  #opening: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(options: ServingOptions) {
    this.#options = options
    this.#folder = new ReleaseFolder(options.dataDir)
    this.#trouble = new Trouble(this.#folder)
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
    await this.#opening
  }

  #isClosed(): boolean {
    return this.#stop.signal.aborted
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed()) {
      await sleep(WATCH_MS, undefined, { ref: false, signal: this.#stop.signal }).catch(() => null)
      await this.#follow()
    }
  }

  /** Opens the active release when it is another one than is served. */
  async #follow(): Promise<void> {
    if (this.#isClosed() || !(await this.#trouble.isWorthTrying())) return
    try {
      await this.#openActive()
      const version = this.#current?.manifest.version
      if (this.#trouble.isOver())
        this.#options.log.info({ version }, 'The active release is served again')
    } catch (error) {
      const { isNew, retryInMs } = await this.#trouble.note(error)
      // An unknown version is found in every round; it is logged once.
      const isUnknown = error instanceof Refusal && error.code === 'release_not_found'
      if (isUnknown && !isNew) return
      const facts = { error: messageOf(error), ...(!isUnknown && { retryInMs }) }
      this.#options.log.error(facts, 'The active release cannot be served')
    }
  }

  async #openActive(): Promise<void> {
    const version = await this.#folder.active()
    if (version === null) return
    const manifest = await this.#folder.manifest(version)
    if (manifest === null) {
      const detail = `The file "active" names "${version}", and there is no such release.`
      throw new Refusal('release_not_found', detail)
    }
    if (this.#isClosed() || isSame(manifest, this.#current?.manifest)) return
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
  }

  /** Renders the lists before anyone asks: they are asked for most and take longest. */
  #warm(release: ServedRelease): void {
    release.warm(LIST_PATHS).catch((error: unknown) => {
      this.#options.log.error({ error: messageOf(error) }, 'A list cannot be prepared')
    })
  }

  async #pin(version: string): Promise<ServedRelease> {
    const trouble = this.#pinnedTroubles.get(version)
    if (trouble !== undefined && !(await trouble.isWorthTrying())) throw cannotOpen(version)
    try {
      const release = await this.#findPinned(version)
      this.#pinnedTroubles.delete(version)
      return release
    } catch (error) {
      if (isForTheCaller(error)) throw error
      const noted = trouble ?? new Trouble(this.#folder, version)
      this.#pinnedTroubles.set(version, noted)
      const { retryInMs } = await noted.note(error)
      const facts = { version, error: messageOf(error), retryInMs }
      this.#options.log.error(facts, 'A pinned release cannot be opened')
      throw cannotOpen(version)
    }
  }

  async #findPinned(version: string): Promise<ServedRelease> {
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
    if (this.#waiting >= MAX_WAITING) {
      throw new Refusal(
        'overloaded',
        `${MAX_WAITING} releases are being opened already. Try again.`,
      )
    }
    const replaced = [this.#pinned.get(version), this.#leastRecent(version)]
    const opening = this.#openNext(manifest)
    this.#pinned.set(version, opening)
    opening.catch(() => {
      if (this.#pinned.get(version) === opening) this.#pinned.delete(version)
    })
    for (const old of replaced) void old?.then(retire).catch(() => null)
    return opening
  }

  /** Opens a release when those before it are open. */
  async #openNext(manifest: Manifest): Promise<ServedRelease> {
    this.#waiting += 1
    const opening = this.#opening.then(() => ServedRelease.open(manifest, this.#options))
    this.#opening = opening.catch(() => null)
    return opening.finally(() => {
      this.#waiting -= 1
    })
  }

  /** Takes out the release that was pinned first, where there would be too many with a new one. */
  #leastRecent(version: string): Promise<ServedRelease> | undefined {
    const [oldest] = this.#pinned.keys()
    if (oldest === undefined || oldest === version || this.#pinned.size < MAX_PINNED)
      return undefined
    const release = this.#pinned.get(oldest)
    this.#pinned.delete(oldest)
    return release
  }
}

/** Requests that have just been given the release can ask it before it closes. */
async function retire(release: ServedRelease): Promise<void> {
  await nextTurn()
  await release.close()
}

function isSame(manifest: Manifest, other: Manifest | undefined): boolean {
  return manifest.version === other?.version && manifest.sha256 === other.sha256
}

function isForTheCaller(error: unknown): boolean {
  const codes = ['release_not_found', 'overloaded']
  return error instanceof Refusal && codes.includes(error.code)
}
