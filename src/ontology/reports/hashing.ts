import type { EngineSettings } from '../../graph/engine/engine.ts'
import { SharedWork } from '../../platform/concurrency/shared-work.ts'
import { WorkQueue } from '../../platform/concurrency/work-queue.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { DerivedFiles } from '../derived/derived-files.ts'
import { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import type { HashedPath, HashedPaths } from '../render/hash-paths.ts'
import { limitsFor } from '../render/limits.ts'
import { RenderThread } from '../render/render-thread.ts'
import type { ServingOptions } from '../served-release.ts'
import { hashesPieces } from './hashes.ts'

/** Limit of the releases that wait for their hashes. Each takes a core for ten seconds or more. */
const MAX_WAITING = 8
/** Interval at which the thread reports its progress. */
const PORTION_MS = 1000

/**
 * Hashes of all answers of releases. They are computed once for each release, on a separate thread, so that they delay no
 * answer, and are cached in the data folder.
 */
export class Hashing {
  readonly #options: ServingOptions
  readonly #portionMs: number
  readonly #log: Log
  readonly #cache: DerivedFiles
  readonly #running = new SharedWork<string>()
  readonly #queue = new WorkQueue({
    tasks: MAX_WAITING,
    refusal: `Hashes of ${MAX_WAITING} releases are already being computed. Try again.`,
  })
  #thread: RenderThread | null = null
  #closed = false

  constructor(options: ServingOptions, portionMs = PORTION_MS) {
    this.#options = options
    this.#portionMs = portionMs
    this.#log = options.log
    this.#cache = new DerivedFiles(new ReleaseFolder(options.dataDir).root)
  }

  /** Key of the current source of the hashes. An engine spells some values differently from the folder. */
  keyOf({ version, sha256 }: Manifest): string {
    return [version, sha256, this.#options.engine?.url ?? ''].join(' ')
  }

  /** The document, as it is sent. */
  async of(manifest: Manifest): Promise<string> {
    return this.#running.run(this.keyOf(manifest), () => this.#find(manifest))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#thread?.close()
    await this.#running.settled()
  }

  async #find(manifest: Manifest): Promise<string> {
    const { version, sha256, prefixes, releaseDate } = manifest
    const { engine = null } = this.#options
    const inputs = [version, sha256, releaseDate, JSON.stringify(prefixes), engine?.url ?? '']
    const name = { kind: 'hashes', inputs } as const
    const cached = await this.#cache.read(name)
    if (cached !== null) return cached
    const text = await this.#queue.run(() => this.#make(manifest, engine))
    await this.#cache.write(name, text).catch((error: unknown) => {
      this.#log.warn({ version, error: messageOf(error) }, 'Hashes cannot be stored in the folder')
    })
    return text
  }

  async #make(manifest: Manifest, engine: EngineSettings | null): Promise<string> {
    const { dataDir, log, renderModule: module } = this.#options
    const limits = this.#options.limits ?? (await limitsFor(new ReleaseFolder(dataDir), manifest))
    if (this.#closed) throw new Refusal('answer_abandoned', 'The service is closing. Try again.')
    const thread = new RenderThread({ dataDir, manifest, engine, limits, log, module })
    this.#thread = thread
    try {
      await thread.opened
      const hashes: HashedPath[] = []
      for (let next: number | null = 0; next !== null;) {
        const portion: HashedPaths = await thread.ask('hashes', { from: next, forMs: this.#portionMs })
        hashes.push(...portion.hashes)
        next = portion.next
      }
      return [...hashesPieces(manifest, hashes)].join('')
    } finally {
      this.#thread = null
      await thread.close()
    }
  }
}
