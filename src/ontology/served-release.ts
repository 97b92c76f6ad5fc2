import { Buffer } from 'node:buffer'
import { LRUCache } from 'lru-cache'
import type { NameLookups } from '../contracts/lookup.ts'
import type { ControlAssertions, CounterPath, Defense, OntologyContent } from '../contracts/sources.ts'
import type { EngineSettings } from '../graph/engine/engine.ts'
import type { RdfForm } from '../graph/syntax/forms.ts'
import type { PackedContent, Packing } from '../http/answer/representation.ts'
import { SharedWork } from '../platform/concurrency/shared-work.ts'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { ThreadLimits } from '../platform/threads/supervised-thread.ts'
import { licenceLinks } from './licences/licences.ts'
import { OpeningRetry } from './opening-retry.ts'
import { ReleaseFolder } from './release/folder.ts'
import type { Manifest } from './release/manifest.ts'
import { limitsFor } from './render/limits.ts'
import { cannotOpen, RenderThread, type RenderThreadOptions } from './render/render-thread.ts'
import type { RenderedAnswer } from './render/render.ts'

export interface ServingOptions {
  readonly dataDir: string
  /** Size of the cache of one release. */
  readonly cacheBytes: number
  readonly log: Log
  /** The engine that holds the releases; default: each is read from the folder. */
  readonly engine?: EngineSettings | null
  /** Default: by the size of the release. */
  readonly limits?: ThreadLimits
  /** Default: the module that opens and renders releases. */
  readonly renderModule?: URL
}

interface OpenThread {
  readonly start: RenderThreadOptions
  readonly thread: RenderThread
  readonly links: readonly string[]
}

/**
 * A release that is served: its rendering thread and a cache of compressed answers, limited in bytes. Each answer is
 * rendered once per coding, also for simultaneous requests.
 */
export class ServedRelease {
  readonly manifest: Manifest
  /** Members of the Link header that every answer of the release has. */
  readonly links: readonly string[]
  readonly #start: RenderThreadOptions
  readonly #log: Log
  readonly #cache: LRUCache<string, PackedContent>
  readonly #rendering = new SharedWork<PackedContent>()
  readonly #retry: OpeningRetry
  #thread: RenderThread
  readonly #controls = new LazyValue(async () => (await this.#aliveThread()).ask('controls', null))
  readonly #content = new LazyValue(async () => (await this.#aliveThread()).ask('content', null))
  #closed = false

  private constructor({ start, thread, links }: OpenThread, { cacheBytes, log }: ServingOptions) {
    this.manifest = start.manifest
    this.links = links
    this.#start = start
    this.#log = log
    this.#retry = new OpeningRetry(new ReleaseFolder(start.dataDir), start.manifest.version)
    this.#cache = new LRUCache({
      maxSize: cacheBytes,
      // The entry, its key and tag besides the bytes.
      sizeCalculation: ({ body }) => body.length + 500,
    })
    this.#thread = thread
  }

  /** Resolves once the release can answer. */
  static async open(manifest: Manifest, options: ServingOptions): Promise<ServedRelease> {
    const { dataDir, log, engine, renderModule: module } = options
    const limits = options.limits ?? (await limitsFor(new ReleaseFolder(dataDir), manifest))
    const start = { dataDir, manifest, engine, limits, log, module }
    const thread = new RenderThread(start)
    await thread.opened
    const links = licenceLinks(await thread.ask('licences', null))
    return new ServedRelease({ start, thread, links }, options)
  }

  /** The answer if it is cached; never waits. */
  peek(path: string, packing: Packing): PackedContent | undefined {
    return this.#cache.get(packing + path)
  }

  /**
   * Answers a decoded path, that of a record in a form of RDF if one is given. Rejects with a `Refusal` if the path does
   * not exist.
   */
  async answer(path: string, packing: Packing, form: RdfForm | null = null): Promise<PackedContent> {
    const key = packing + (form ?? '') + path
    const cached = this.#cache.get(key)
    if (cached !== undefined) return cached
    return this.#rendering.run(key, async () => {
      const answer = await this.#render(path, packing, form)
      this.#cache.set(key, answer)
      return answer
    })
  }

  /** The statements of the release about controls, computed once. */
  async controls(): Promise<ControlAssertions> {
    return this.#controls.get()
  }

  /** The release as documents, computed once. */
  async content(): Promise<OntologyContent> {
    return this.#content.get()
  }

  /** Resolves names to records; null for an unknown name. */
  async lookUp(names: readonly string[]): Promise<NameLookups> {
    return (await this.#aliveThread()).ask('lookUp', names)
  }

  /** Known names that are similar to unknown ones. */
  async nearest(names: readonly string[]): Promise<readonly (readonly string[])[]> {
    return (await this.#aliveThread()).ask('nearest', names)
  }

  /** The offensive techniques that some techniques counter. */
  async counters(techniques: readonly string[], limit: number): Promise<readonly CounterPath[]> {
    return (await this.#aliveThread()).ask('counters', { techniques, limit })
  }

  /** The techniques that defend some subjects. */
  async defenses(subjects: readonly string[], limit: number): Promise<readonly Defense[]> {
    return (await this.#aliveThread()).ask('defenses', { subjects, limit })
  }

  /** The answers in memory, and their bytes. */
  get cached(): { readonly answers: number; readonly bytes: number } {
    return { answers: this.#cache.size, bytes: this.#cache.calculatedSize }
  }

  /** Memory in bytes: the heap of the thread with its WebAssembly, and the cached answers. */
  async memory(): Promise<number> {
    const cached = this.#cache.calculatedSize
    if (!this.#thread.alive) return cached
    const { heap, external } = await this.#thread
      .ask('memory', null, { always: true })
      .catch(() => ({ heap: 0, external: 0 }))
    return heap + external + cached
  }

  /** Renders the given paths one after the other, so that a caller waits for one of them at most. */
  async warm(paths: readonly string[]): Promise<void> {
    for (const packing of ['gzip', 'br'] as const) {
      for (const path of paths) {
        if (!this.#closed) await this.answer(path, packing)
      }
    }
  }

  /** Closes once pending answers are rendered; later requests fail. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#rendering.settled()
    await Promise.all([this.#controls.settled(), this.#content.settled()])
    await this.#thread.close()
  }

  async #render(path: string, packing: Packing, form: RdfForm | null): Promise<PackedContent> {
    const thread = await this.#aliveThread()
    return toContent(await thread.ask('render', { path, coding: packing, form }))
  }

  /** A thread that died (out of memory, say) is replaced when it is next needed. */
  async #aliveThread(): Promise<RenderThread> {
    if (this.#thread.alive) return this.#thread
    if (!(await this.#retry.isWorthTrying())) throw cannotOpen(this.manifest.version)
    return this.#reopenThread()
  }

  #reopenThread(): RenderThread {
    if (this.#thread.alive) return this.#thread
    if (this.#closed) throw new Error('The release is closed')
    this.#thread = new RenderThread(this.#start)
    this.#thread.opened.then(
      () => this.#retry.clear(),
      async (error: unknown) => {
        if (this.#closed) return
        const { retryInMs } = await this.#retry.recordFailure(error)
        this.#log.error({ error: messageOf(error), retryInMs }, 'Release cannot be opened again')
      },
    )
    return this.#thread
  }
}

/** An answer of a thread, whose bytes arrive as a plain array. */
export function toContent({ mediaType, body, length, sha256 }: RenderedAnswer): PackedContent {
  return { mediaType, body: Buffer.from(body.buffer, body.byteOffset, body.length), length, sha256 }
}

/** A value that is computed at the first request; after a failure, again at the next one. */
class LazyValue<T> {
  readonly #work: () => Promise<T>
  #value: Promise<T> | null = null

  constructor(work: () => Promise<T>) {
    this.#work = work
  }

  async get(): Promise<T> {
    this.#value ??= this.#work()
    const value = this.#value
    try {
      return await value
    } catch (error) {
      if (this.#value === value) this.#value = null
      throw error
    }
  }

  /** Resolves when no computation is running. */
  async settled(): Promise<void> {
    await this.#value?.catch(() => null)
  }
}
