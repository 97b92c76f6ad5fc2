import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import type { PackedContent } from '../../../http/answer/representation.ts'
import { SharedWork } from '../../../platform/concurrency/shared-work.ts'
import type { Log } from '../../../platform/log.ts'
import { PageRenderer, type RenderingParts, type UsedAnswer } from './page-renderer.ts'
import { withContent } from './with-content.ts'

const pack = promisify(gzip)

/** A request waits no longer for the content of a page, because the browser can render it. */
const MAX_WAIT_MS = 1000
/** Limit of pages that are rendered at the same time; others are sent without their content. */
const MAX_AT_ONCE = 8
const CACHE_BYTES = 16 * 2 ** 20
/** A cached document is sent without revalidation for this long. */
const FRESH_MS = 10_000
const MAX_ADDRESS_LENGTH = 1000
const BUSY_LOG_MS = 60_000

interface CachedDocument {
  /** The document that the content was put into. */
  readonly document: string
  readonly content: PackedContent
  readonly used: readonly UsedAnswer[]
  checkedAt: number
}

export interface PageRequest {
  /** Path and query. */
  readonly path: string
  /** The document without content. */
  readonly document: string
  /** Addresses of the API that the page begins with. */
  readonly answers: readonly string[]
}

/**
 * Documents with the content of their page, rendered without a session and the same for everybody. They are cached until
 * one of their answers changes.
 */
export class RenderedDocuments {
  readonly #renderer: PageRenderer
  readonly #freshMs: number
  readonly #log: Log
  readonly #renderings = new SharedWork<CachedDocument | null>()
  readonly #cache = new LRUCache<string, CachedDocument>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ content, document }, path) => content.body.length + document.length + path.length,
  })
  #busyLoggedAt = -Infinity

  constructor(parts: RenderingParts, freshMs = FRESH_MS) {
    this.#freshMs = freshMs
    this.#renderer = new PageRenderer(parts)
    this.#log = parts.log
  }

  /** Null if the document has to be sent without content; the log says why. */
  async documentOf(request: PageRequest): Promise<PackedContent | null> {
    if (request.path.length > MAX_ADDRESS_LENGTH) return null
    const cached = this.#cache.get(request.path)
    if (cached?.document === request.document && performance.now() - cached.checkedAt < this.#freshMs)
      return cached.content
    if (!this.#renderer.isAvailable || this.#isBusy()) return null
    const rendering = this.#renderings
      .run(request.path, () => this.#render(request))
      .catch((error: unknown) => {
        this.#log.warn(
          { err: error, path: addressOf(request) },
          'A page is sent without its content: it cannot be rendered',
        )
        return null
      })
    return this.#withTimeout(request, rendering)
  }

  async close(): Promise<void> {
    await this.#renderer.close()
  }

  #isBusy(): boolean {
    if (this.#renderings.size < MAX_AT_ONCE) return false
    const now = performance.now()
    if (now - this.#busyLoggedAt > BUSY_LOG_MS) {
      this.#busyLoggedAt = now
      this.#log.warn('Pages are sent without their content: too many are rendered')
    }
    return true
  }

  async #withTimeout(request: PageRequest, rendering: Promise<CachedDocument | null>): Promise<PackedContent | null> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        this.#log.warn({ path: addressOf(request) }, 'A page is sent without its content: it took too long')
        resolve(null)
      }, MAX_WAIT_MS)
    })
    const first = await Promise.race([rendering, late])
    clearTimeout(timer)
    // A request that shares this work may have had a document with another head.
    return first?.document === request.document ? first.content : null
  }

  async #render({ path, document, answers }: PageRequest): Promise<CachedDocument | null> {
    const cached = this.#cache.get(path)
    if (cached?.document === document && (await this.#renderer.isUnchanged(cached.used))) {
      cached.checkedAt = performance.now()
      return cached
    }
    const checkedAt = performance.now()
    const rendered = await this.#renderer.render(path, answers)
    if (rendered === null) return null
    const content = await packedDocument(withContent(document, rendered))
    const rendering = { document, content, used: rendered.used, checkedAt }
    this.#cache.set(path, rendering)
    return rendering
  }
}

/** Leaves out the query, which may contain anything. */
function addressOf({ path }: PageRequest): string {
  return path.split('?')[0] ?? ''
}

async function packedDocument(text: string): Promise<PackedContent> {
  return {
    mediaType: 'text/html; charset=utf-8',
    body: await pack(text),
    length: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  }
}
