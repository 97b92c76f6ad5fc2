import { Buffer } from 'node:buffer'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { Coding } from '../platform/negotiation.ts'
import type { Manifest } from './release/manifest.ts'
import type { WorkerStart } from './render/protocol.ts'
import { RenderThread } from './render/render-thread.ts'

const unpack = promisify(gunzip)

/** One answer as it goes out. The tag is strong, so each coding has its own. */
export interface Answer {
  readonly mediaType: string
  readonly coding: Coding
  readonly body: Buffer
  readonly etag: string
}

/**
 * A release that is served: its rendering thread and a cache of compressed answers, bounded by
 * bytes. Everything is rendered once per coding, also when many ask at the same time.
 */
export class ServedRelease {
  readonly manifest: Manifest
  readonly #start: WorkerStart
  readonly #cache: LRUCache<string, Answer>
  readonly #rendering = new Map<string, Promise<Answer>>()
  #thread: Promise<RenderThread>

  private constructor(manifest: Manifest, start: WorkerStart, cacheBytes: number) {
    this.manifest = manifest
    this.#start = start
    this.#cache = new LRUCache({
      maxSize: cacheBytes,
      // The entry, its key and tag besides the bytes.
      sizeCalculation: ({ body }) => body.length + 500,
    })
    this.#thread = RenderThread.open(start)
  }

  /** Resolves once the release can answer. */
  static async open(
    manifest: Manifest,
    { dataDir, cacheBytes }: { readonly dataDir: string; readonly cacheBytes: number },
  ): Promise<ServedRelease> {
    const start = { dataDir, version: manifest.version }
    const release = new ServedRelease(manifest, start, cacheBytes)
    await release.#thread
    return release
  }

  /** The answer if it is at hand; never waits. */
  peek(path: string, coding: Coding): Answer | undefined {
    return this.#cache.get(coding + path)
  }

  /** The answer for a decoded path; rejects with a `Refusal` where there is none. */
  async answer(path: string, coding: Coding): Promise<Answer> {
    if (coding === 'identity') return toIdentity(await this.answer(path, 'gzip'))
    const key = coding + path
    const known = this.#cache.get(key) ?? this.#rendering.get(key)
    if (known !== undefined) return known
    const rendering = this.#render(path, coding)
    this.#rendering.set(key, rendering)
    try {
      const answer = await rendering
      this.#cache.set(key, answer)
      return answer
    } finally {
      this.#rendering.delete(key)
    }
  }

  async close(): Promise<void> {
    const thread = await this.#thread.catch(() => null)
    await thread?.close()
  }

  async #render(path: string, coding: Coding): Promise<Answer> {
    const { mediaType, body, sha256 } = await (await this.#aliveThread()).render(path, coding)
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
    return { mediaType, coding, body: bytes, etag: `"${sha256.slice(0, 32)}-${coding}"` }
  }

  /** A thread that died (out of memory, say) is replaced when it is next needed. */
  async #aliveThread(): Promise<RenderThread> {
    const thread = await this.#thread.catch(() => null)
    if (thread?.alive !== true) this.#thread = RenderThread.open(this.#start)
    return this.#thread
  }
}

async function toIdentity({ mediaType, body, etag }: Answer): Promise<Answer> {
  const coding = 'identity'
  return { mediaType, coding, body: await unpack(body), etag: etag.replace('-gzip', '') }
}
