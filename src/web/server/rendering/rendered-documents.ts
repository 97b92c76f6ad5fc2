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

/** Nobody waits longer for the content of a page: a browser can make it itself. */
const LONGEST_MS = 1000
/** Pages that are made at the same time; others are sent without their content. */
const MOST_AT_ONCE = 8
const KEPT_BYTES = 16 * 2 ** 20
/** A document that was compared with its answers within this time is sent without another comparison. */
const FRESH_MS = 10_000
const LONGEST_ADDRESS = 1000
const BUSY_LOG_MS = 60_000

interface KeptDocument {
  /** The document that the content was put into. */
  readonly document: string
  readonly content: PackedContent
  readonly used: readonly UsedAnswer[]
  lookedAt: number
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
 * Documents with the content of their page. They are the same for everybody: what is on them is asked for without a
 * session. They are kept as long as the answers that they were made of stay the same.
 */
export class RenderedDocuments {
  readonly #renderer: PageRenderer
  readonly #freshMs: number
  readonly #log: Log
  readonly #making = new SharedWork<KeptDocument | null>()
  readonly #kept = new LRUCache<string, KeptDocument>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ content, document }, path) => content.body.length + document.length + path.length,
  })
  #saidBusyAt = -Infinity

  constructor(parts: RenderingParts, freshMs = FRESH_MS) {
    this.#freshMs = freshMs
    this.#renderer = new PageRenderer(parts)
    this.#log = parts.log
  }

  /** Null where the document has to be sent as it is; the log says why. */
  async documentOf(request: PageRequest): Promise<PackedContent | null> {
    if (request.path.length > LONGEST_ADDRESS) return null
    const kept = this.#kept.get(request.path)
    if (kept?.document === request.document && performance.now() - kept.lookedAt < this.#freshMs) return kept.content
    if (!this.#renderer.isThere || this.#isBusy()) return null
    const made = this.#making
      .run(request.path, () => this.#make(request))
      .catch((error: unknown) => {
        this.#log.warn(
          { err: error, path: shown(request) },
          'A page is sent without its content: it cannot be rendered',
        )
        return null
      })
    return this.#inTime(request, made)
  }

  async close(): Promise<void> {
    await this.#renderer.close()
  }

  #isBusy(): boolean {
    if (this.#making.size < MOST_AT_ONCE) return false
    const now = performance.now()
    if (now - this.#saidBusyAt > BUSY_LOG_MS) {
      this.#saidBusyAt = now
      this.#log.warn('Pages are sent without their content: too many are rendered')
    }
    return true
  }

  async #inTime(request: PageRequest, made: Promise<KeptDocument | null>): Promise<PackedContent | null> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        this.#log.warn({ path: shown(request) }, 'A page is sent without its content: it took too long')
        resolve(null)
      }, LONGEST_MS)
    })
    const first = await Promise.race([made, late])
    clearTimeout(timer)
    // A request that shares this work may have had a document with another head.
    return first?.document === request.document ? first.content : null
  }

  async #make({ path, document, answers }: PageRequest): Promise<KeptDocument | null> {
    const kept = this.#kept.get(path)
    if (kept?.document === document && (await this.#renderer.isUnchanged(kept.used))) {
      kept.lookedAt = performance.now()
      return kept
    }
    const lookedAt = performance.now()
    const rendered = await this.#renderer.render(path, answers)
    if (rendered === null) return null
    const content = await packedDocument(withContent(document, rendered))
    const made = { document, content, used: rendered.used, lookedAt }
    this.#kept.set(path, made)
    return made
  }
}

/** The query of an address may be anything. */
function shown({ path }: PageRequest): string {
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
