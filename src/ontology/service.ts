import type { EngineSettings } from '../graph/engine/engine.ts'
import { messageOf, Refusal, type RefusalCode } from '../platform/errors.ts'
import { EngineWatch } from './engine-watch.ts'
import { OpeningRetry } from './opening-retry.ts'
import { PinnedReleases, retire, type PinnedOptions } from './pinned-releases.ts'
import { FolderChange } from './release/folder-change.ts'
import { ReleaseFolder } from './release/folder.ts'
import { isSame, type Manifest } from './release/manifest.ts'
import { explainNoneActive } from './release/unknown.ts'
import { ReleasesByVersion } from './releases-by-version.ts'
import { LIST_PATHS } from './render/paths.ts'
import { Reports, type ReportOptions } from './reports/reports.ts'
import { ServedRelease } from './served-release.ts'

const WATCH_MS = 2000
/**
 * Background work waits this long, so that requests right after a start or a change of the release are answered
 * quickly.
 */
const PREPARE_MS = 15_000
const RETRY_SECONDS = 2
/** Refusals of the name in the file `active`. */
const UNKNOWN: readonly RefusalCode[] = ['release_not_found', 'no_release']

export interface OntologyOptions extends PinnedOptions, ReportOptions {
  /** Delay before the reports on a new active release are made; null: at the first request. */
  readonly prepareMs?: number | null
  /** Whether lists are rendered before the first request; default: true. */
  readonly rendersListsEarly?: boolean
}

/**
 * The releases that are served: the active one, and older ones while they are requested. Changes of the folder by other
 * processes are noticed within seconds. The old release answers until the new one is open, and if that fails, until
 * another attempt succeeds.
 */
export class OntologyService {
  /** The reports on the releases. */
  readonly reports: Reports
  readonly #options: OntologyOptions
  readonly #engineSettings: EngineSettings | null
  readonly folder: ReleaseFolder
  readonly #pinned: PinnedReleases
  readonly #byVersion: ReleasesByVersion
  readonly #stop = new AbortController()
  readonly #change: FolderChange
  readonly #retry: OpeningRetry
  #starting: Promise<void> = Promise.resolve()
  #current: ServedRelease | null = null
  /** Why no release is active though there are some; null if one is, and before the first ingest. */
  #inactive: string | null = null
  /** The release that was opened from the folder because the engine was away. */
  #substitute: ServedRelease | null = null
  #following: Promise<void> = Promise.resolve()
  #engine: EngineWatch | null = null
  #preparing: NodeJS.Timeout | undefined

  constructor(options: OntologyOptions) {
    const engineNow = (): EngineSettings | null => this.#engineNow()
    this.#options = {
      ...options,
      // While the engine does not answer, releases are read from the folder, which has the same content.
      get engine() {
        return engineNow()
      },
    }
    this.#engineSettings = options.engine ?? null
    this.#pinned = new PinnedReleases(this.#options)
    this.folder = new ReleaseFolder(options.dataDir)
    this.#byVersion = new ReleasesByVersion({
      folder: this.folder,
      pinned: this.#pinned,
      current: () => this.#current,
      log: options.log,
    })
    this.reports = new Reports(
      {
        folder: this.folder,
        manifest: (version) => this.manifest(version),
      },
      this.#options,
    )
    this.#retry = new OpeningRetry(this.folder)
    this.#change = new FolderChange(this.folder.root)
  }

  /** Opens the active release if there is one, then keeps watch. Requests wait for it meanwhile. */
  async start(): Promise<void> {
    this.#starting = this.#watchEngine().then(() => this.follow())
    await this.#starting
    void this.#watch()
  }

  /** Opens the release that is active now, if it is another one than is served. */
  async follow(): Promise<void> {
    const following = this.#following.then(() => this.#follow())
    this.#following = following
    await following
  }

  /** The release that is served, or null before the first ingest. */
  get current(): ServedRelease | null {
    return this.#current
  }

  /**
   * The release that is served, once the start is over; null before the first ingest. Refuses (`release_unusable`) while
   * the active one is not open, and if its name is lost.
   */
  async opened(): Promise<ServedRelease | null> {
    await this.#starting
    if (this.#current !== null) return this.#current
    const version = await this.folder.active()
    if (version === null && this.#inactive === null) return null
    const detail =
      this.#inactive ?? `Release ${version ?? ''} is not open. Try again; if this stays, the log has the reason.`
    throw new Refusal('release_unusable', detail, { retry_after: RETRY_SECONDS })
  }

  /** The active release, or a pinned one by its version. Refuses if there is none. */
  async release(version: string | null): Promise<ServedRelease> {
    if (version !== null) return this.#byVersion.release(version)
    await this.#starting
    if (this.#current !== null) return this.#current
    const detail = this.#inactive ?? 'Nothing has been ingested yet, or it could not be opened.'
    throw new Refusal('no_release', detail)
  }

  /** Whether the active release cannot be served; the one before it may answer meanwhile. */
  get isFaulty(): boolean {
    return this.#retry.hasFailed
  }

  /** Reads the manifest of a version. Refuses unknown and damaged ones. */
  manifest(version: string): Promise<Manifest> {
    return this.#byVersion.manifest(version)
  }

  /** The file of the graph of a release, which has this name. */
  async graphFile(version: string, name: string): Promise<{ readonly path: string; readonly sha256: string }> {
    const manifest = await this.manifest(version)
    if (manifest.graphFile === name) return { path: this.folder.graphPath(manifest), sha256: manifest.sha256 }
    const detail = `Release ${version} has another graph: /releases/${version}/manifest.json names it.`
    throw new Refusal('route_not_found', detail)
  }

  /** Whether the engine that holds the releases answers; null without an engine. */
  get engine(): 'answers' | 'away' | null {
    if (this.#engine === null) return null
    return this.#engine.isAway ? 'away' : 'answers'
  }

  /** Memory of open releases besides the active one, in bytes by version. */
  get pinnedSizes(): ReadonlyMap<string, number> {
    return this.#pinned.sizes
  }

  async close(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#preparing)
    this.#change.close()
    this.#engine?.close()
    await this.#starting
    await this.#following
    await this.#current?.close()
    this.#current = null
    await this.#pinned.close()
    await this.reports.close()
  }

  /** Resolves when it is known whether the engine answers. */
  async #watchEngine(): Promise<void> {
    const { log } = this.#options
    if (this.#engineSettings === null) return
    // A release that could not be opened during the outage is opened at once.
    const onRecovery = (): void => {
      this.#retry.clear()
      void this.follow()
    }
    this.#engine = new EngineWatch(this.#engineSettings, { log, onRecovery })
    await this.#engine.firstProbe
  }

  #engineNow(): EngineSettings | null {
    return this.#engine?.isAway === true ? null : this.#engineSettings
  }

  #isClosed(): boolean {
    return this.#stop.signal.aborted
  }

  async #watch(): Promise<void> {
    while (!this.#isClosed()) {
      await this.#change.next(WATCH_MS)
      await this.follow()
      void this.#pinned.review()
    }
  }

  /** Opens the active release when it is another one than is served. */
  async #follow(): Promise<void> {
    if (this.#isClosed() || !(await this.#retry.isWorthTrying())) return
    try {
      await this.#openActive()
      const version = this.#current?.manifest.version
      if (this.#retry.clear()) this.#options.log.info({ version }, 'The active release is served again')
    } catch (error) {
      const { isNew, retryInMs } = await this.#retry.recordFailure(error)
      // A name that is unknown or missing is found in every round; it is logged once.
      const isUnknown = error instanceof Refusal && UNKNOWN.includes(error.code)
      if (isUnknown && !isNew) return
      const facts = { error: messageOf(error), ...(!isUnknown && { retryInMs }) }
      this.#options.log.error(facts, 'The active release cannot be served')
    }
  }

  /** Null before the first ingest. Refuses where the file that names the active release is lost. */
  async #activeManifest(): Promise<Manifest | null> {
    const version = await this.folder.active()
    const isLost = version === null && (await this.folder.isUsed())
    this.#inactive = isLost ? await explainNoneActive(this.folder) : null
    if (this.#inactive !== null) throw new Refusal('no_release', this.#inactive)
    if (version === null) return null
    const manifest = await this.folder.manifest(version)
    if (manifest !== null) return manifest
    const detail = `The file "active" names "${version}", and there is no such release.`
    throw new Refusal('release_not_found', detail)
  }

  async #openActive(): Promise<void> {
    const manifest = await this.#activeManifest()
    if (manifest === null || this.#isClosed() || this.#isServed(manifest)) return
    const isSubstitute = this.#engineSettings !== null && this.#engineNow() === null
    const opened = this.#pinned.take(manifest) ?? (await ServedRelease.open(manifest, this.#options))
    if (this.#isClosed()) {
      await opened.close()
      return
    }
    const replaced = this.#replace(opened, isSubstitute)
    if (this.#options.rendersListsEarly !== false) this.#warm(opened)
    this.#prepareLater(manifest.version)
    await replaced
  }

  /** The previous active release stays open for its requests, unless it was a substitute for another one. */
  async #replace(opened: ServedRelease, isSubstitute: boolean): Promise<void> {
    const { version, counts } = opened.manifest
    const old = this.#current
    const wasSubstitute = old !== null && old === this.#substitute
    this.#current = opened
    this.#substitute = isSubstitute ? opened : null
    this.#options.log.info({ version, statements: counts.statements }, 'Release is open')
    if (old === null) return
    if (wasSubstitute) await retire(old)
    else this.#pinned.adopt(old)
  }

  /** A substitute does not count once the engine answers again. */
  #isServed(manifest: Manifest): boolean {
    const isBack = this.#current === this.#substitute && this.#engineNow() !== null
    return isSame(manifest, this.#current?.manifest) && !isBack
  }

  /** Runs in the background, on other threads. A request that comes earlier makes the report itself. */
  #prepareLater(version: string): void {
    clearTimeout(this.#preparing)
    const prepare = async (): Promise<void> => {
      await this.reports.prepare(version).catch((error: unknown) => {
        if (this.#isClosed()) return
        this.#options.log.warn({ version, error: messageOf(error) }, 'The reports on a release cannot be prepared')
      })
    }
    const { prepareMs = PREPARE_MS } = this.#options
    if (prepareMs === null) return
    this.#preparing = setTimeout(() => void prepare(), prepareMs).unref()
  }

  /** Renders the lists before anyone asks: they are asked for most and take longest. */
  #warm(release: ServedRelease): void {
    release.warm(LIST_PATHS).catch((error: unknown) => {
      this.#options.log.error({ error: messageOf(error) }, 'A list cannot be prepared')
    })
  }
}
