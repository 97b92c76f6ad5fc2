import { Buffer } from 'node:buffer'
import { LRUCache } from 'lru-cache'
import type { Coding } from '../platform/negotiation.ts'
import type { ControlAssertions } from './controls/controls.ts'
import type { Manifest } from './release/manifest.ts'
import type { WorkerStart } from './render/protocol.ts'
import { RenderThread } from './render/render-thread.ts'

/** The codings that answers are kept in; identity is unpacked from gzip while it is sent. */
export type Packing = Exclude<Coding, 'identity'>

/** One answer as it is kept. */
export interface Answer {
  readonly mediaType: string
  readonly packing: Packing
  readonly body: Buffer
  /** Length in bytes and SHA-256 (hex) of the unpacked content. */
  readonly length: number
  readonly sha256: string
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
  #controls: Promise<ControlAssertions> | null = null
  #closed = false

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
  peek(path: string, packing: Packing): Answer | undefined {
    return this.#cache.get(packing + path)
  }

  /** The answer for a decoded path; rejects with a `Refusal` where there is none. */
  async answer(path: string, packing: Packing): Promise<Answer> {
    const key = packing + path
    const known = this.#cache.get(key) ?? this.#rendering.get(key)
    if (known !== undefined) return known
    const rendering = this.#render(path, packing)
    this.#rendering.set(key, rendering)
    try {
      const answer = await rendering
      this.#cache.set(key, answer)
      return answer
    } finally {
      this.#rendering.delete(key)
    }
  }

  /** What the release says of controls, worked out once. */
  async controls(): Promise<ControlAssertions> {
    this.#controls ??= this.#askControls()
    const asked = this.#controls
    try {
      return await asked
    } catch (error) {
      if (this.#controls === asked) this.#controls = null
      throw error
    }
  }

  /** Renders the given paths one after the other, so that a caller waits for one of them at most. */
  async warm(paths: readonly string[]): Promise<void> {
    for (const packing of ['gzip', 'br'] as const) {
      for (const path of paths) {
        if (!this.#closed) await this.answer(path, packing)
      }
    }
  }

  /** Ends once the answers under way are rendered; asked after that, it fails. */
  async close(): Promise<void> {
    this.#closed = true
    while (this.#rendering.size > 0) await Promise.allSettled(this.#rendering.values())
    await this.#controls?.catch(() => null)
    const thread = await this.#thread.catch(() => null)
    await thread?.close()
  }

  async #render(path: string, packing: Packing): Promise<Answer> {
    const rendered = await (await this.#aliveThread()).render(path, packing)
    const { mediaType, body, length, sha256 } = rendered
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
    return { mediaType, packing, body: bytes, length, sha256 }
  }

  async #askControls(): Promise<ControlAssertions> {
    return (await this.#aliveThread()).controls()
  }

  /** A thread that died (out of memory, say) is replaced when it is next needed. */
  async #aliveThread(): Promise<RenderThread> {
    const thread = await this.#thread.catch(() => null)
    if (this.#closed && thread?.alive !== true) throw new Error('The release is closed')
    if (thread?.alive !== true) this.#thread = RenderThread.open(this.#start)
    return this.#thread
  }
}
