import { LRUCache } from 'lru-cache'
import type { PackedContent, Packing } from '../../http/answer/representation.ts'
import { SharedWork } from '../../platform/concurrency/shared-work.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { formatPublicManifest } from '../administration/public-manifest.ts'
import { findManifests, listReleases } from '../administration/releases.ts'
import { Comparisons } from '../changes/comparisons.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import { renderPieces, type RenderedAnswer } from '../render/render.ts'
import { toContent, type ServingOptions } from '../served-release.ts'
import { atomFeed, FEED_TYPE } from './feed.ts'
import { Hashing } from './hashing.ts'
import { formatList } from './list.ts'

/** Enough for some dozens of compressed comparisons. */
const CACHE_BYTES = 32 * 1024 * 1024
const JSON_TYPE = 'application/json; charset=utf-8'

export interface ReportOptions extends ServingOptions {
  /** Without a final slash. */
  readonly baseUrl: string
}

/** The inputs of reports. */
interface Sources {
  readonly folder: ReleaseFolder
  /** Refuses a version that does not exist. */
  manifest(version: string): Promise<Manifest>
}

/** Reports on releases: their list, feed and manifests, the changes between two, and the hashes of their answers. */
export class Reports {
  readonly #sources: Sources
  readonly #baseUrl: string
  readonly #log: Log
  readonly #comparisons: Comparisons
  readonly #hashing: Hashing
  readonly #cache = new LRUCache<string, PackedContent>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ body }) => body.length + 500,
  })
  readonly #running = new SharedWork<PackedContent>()

  constructor(sources: Sources, options: ReportOptions) {
    this.#sources = sources
    this.#baseUrl = options.baseUrl
    this.#log = options.log
    this.#comparisons = new Comparisons(options)
    this.#hashing = new Hashing(options)
  }

  async list(packing: Packing): Promise<PackedContent> {
    const text = formatList(await listReleases(this.#sources.folder))
    return toContent(await renderPieces([text], JSON_TYPE, packing))
  }

  async feed(packing: Packing): Promise<PackedContent> {
    const releases = await findManifests(this.#sources.folder)
    const text = atomFeed(releases, this.#baseUrl)
    return toContent(await renderPieces([text], FEED_TYPE, packing))
  }

  /** The manifest of a release, for `releases fetch`. */
  async manifest(version: string, packing: Packing): Promise<PackedContent> {
    const text = formatPublicManifest(await this.#sources.manifest(version))
    return toContent(await renderPieces([text], JSON_TYPE, packing))
  }

  async changes(
    pair: { readonly from: string; readonly to: string; readonly form: 'json' | 'csv' },
    packing: Packing,
  ): Promise<PackedContent> {
    const { form } = pair
    const from = await this.#sources.manifest(pair.from)
    const to = await this.#sources.manifest(pair.to)
    const key = ['changes', form, keyOf(from), keyOf(to)].join(' ')
    return this.#once(key, packing, async () => {
      try {
        return await this.#comparisons.compare({ from, to, form, coding: packing })
      } catch (error) {
        if (error instanceof Refusal) throw error
        // Either of them may have been removed meanwhile.
        await this.#sources.manifest(pair.from)
        await this.#sources.manifest(pair.to)
        this.#log.error({ error: messageOf(error) }, 'Two releases cannot be compared')
        const detail = `Releases ${pair.from} and ${pair.to} cannot be compared; the log has the reason.`
        throw new Refusal('release_unusable', detail)
      }
    })
  }

  /** Computes in advance what takes long: the changes from the previous release, then the hashes, which take longest. */
  async prepare(version: string): Promise<void> {
    const releases = await findManifests(this.#sources.folder)
    const before = releases[releases.findIndex((release) => release.version === version) + 1]
    if (before !== undefined) await this.changes({ from: before.version, to: version, form: 'json' }, 'gzip')
    await this.hashes(version, 'gzip')
  }

  /** Sizes and digests of all answers of a release. The first time, all of them are rendered. */
  async hashes(version: string, packing: Packing): Promise<PackedContent> {
    const manifest = await this.#sources.manifest(version)
    return this.#once(`hashes ${this.#hashing.keyOf(manifest)}`, packing, async () => {
      return renderPieces([await this.#hashing.of(manifest)], JSON_TYPE, packing)
    })
  }

  async close(): Promise<void> {
    await Promise.all([this.#comparisons.close(), this.#hashing.close()])
    await this.#running.settled()
  }

  /** Makes an answer once, also for simultaneous requests. */
  async #once(key: string, packing: Packing, make: () => Promise<RenderedAnswer>): Promise<PackedContent> {
    const packed = `${packing} ${key}`
    const cached = this.#cache.get(packed)
    if (cached !== undefined) return cached
    return this.#running.run(packed, async () => {
      const answer = toContent(await make())
      this.#cache.set(packed, answer)
      return answer
    })
  }
}

function keyOf({ version, sha256 }: Manifest): string {
  return `${version} ${sha256}`
}
