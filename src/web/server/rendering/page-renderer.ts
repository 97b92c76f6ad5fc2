import type { AskInProcess } from '../../../http/server/in-process.ts'
import type { Log } from '../../../platform/log.ts'
import { factsOf, SupervisedThread, type ThreadLimits } from '../../../platform/threads/supervised-thread.ts'
import { siblingModule } from '../../../platform/threads/thread.ts'
import { RENDERING, type CopyContent, type PackedAnswer, type RenderingExchanges } from './protocol.ts'

/** A page takes a tenth of a second, and the largest answers some megabytes. */
const LIMITS: ThreadLimits = { heapMegabytes: 256, openingMs: 60_000, answerMs: 20_000 }
/** After the thread has died, pages are sent without their content for this long. */
const RESTART_MS = 30_000
/** A page requests a few answers, and each can lead to further ones. */
const MAX_ANSWERS = 40

export interface RenderingParts {
  readonly ask: AskInProcess
  /** Without a final slash. */
  readonly baseUrl: string
  /** Default: pages of the service. */
  readonly copy?: CopyContent
  readonly log: Log
}

/** An answer from which a page was rendered. */
export interface UsedAnswer {
  readonly address: string
  /** Null: it cannot be revalidated. */
  readonly etag: string | null
}

export interface RenderedContent {
  readonly html: string
  readonly title: string | null
  readonly used: readonly UsedAnswer[]
}

/** Pages can show these answers; other statuses may be temporary. */
const RENDERED_STATUSES = [200, 401, 404]

const HEADERS = { Accept: 'application/json', 'Accept-Encoding': 'br, gzip' }

/** Renders the content of pages on a thread, which starts with the first page. Requests to the API stay in the process. */
export class PageRenderer {
  readonly #parts: RenderingParts
  #thread: SupervisedThread<RenderingExchanges> | null = null
  #mayStartAt = 0
  #isClosed = false

  constructor(parts: RenderingParts) {
    this.#parts = parts
  }

  /** Whether pages can be rendered, now or once the thread has started. */
  get isAvailable(): boolean {
    return this.#thread?.alive === true || (!this.#isClosed && performance.now() >= this.#mayStartAt)
  }

  /**
   * `first`: addresses that the page always requests. Returns null if visitors may not read one of them. Rejects if an answer
   * is not available now.
   */
  async render(path: string, first: readonly string[]): Promise<RenderedContent | null> {
    const thread = this.#startThread()
    const answers: (PackedAnswer & UsedAnswer)[] = []
    let addresses = first
    while (answers.length + addresses.length <= MAX_ANSWERS) {
      answers.push(...(await Promise.all(addresses.map((address) => this.#fetchAnswer(address)))))
      const failed = answers.find(({ status }) => !RENDERED_STATUSES.includes(status))
      if (failed !== undefined) throw new Error(`${failed.address} answered with ${failed.status}`)
      if (addresses === first && answers.some(({ status }) => status === 401)) return null
      const packed = answers.map(({ address, status, coding, body }) => ({ address, status, coding, body }))
      const { html, title, missing } = await thread.ask('render', {
        path,
        baseUrl: this.#parts.baseUrl,
        answers: packed,
      })
      if (html !== null) return { html, title, used: answers.map(({ address, etag }) => ({ address, etag })) }
      addresses = missing
    }
    throw new Error(`A page asks for more than ${MAX_ANSWERS} answers`)
  }

  /** Whether none of the answers has changed. */
  async isUnchanged(used: readonly UsedAnswer[]): Promise<boolean> {
    const unchanged = await Promise.all(
      used.map(async ({ address, etag }) => {
        if (etag === null) return false
        const { status } = await this.#parts.ask(address, { ...HEADERS, 'If-None-Match': etag })
        return status === 304
      }),
    )
    return !unchanged.includes(false)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.close()
  }

  async #fetchAnswer(address: string): Promise<PackedAnswer & UsedAnswer> {
    const { status, headers, body } = await this.#parts.ask(address, HEADERS)
    const encoding = headers['content-encoding']
    const coding = encoding === 'br' || encoding === 'gzip' ? encoding : 'identity'
    return { address, status, coding, body, etag: headers.etag ?? null }
  }

  #startThread(): SupervisedThread<RenderingExchanges> {
    if (this.#thread?.alive === true) return this.#thread
    const { log, copy = null } = this.#parts
    const thread = new SupervisedThread<RenderingExchanges>({
      module: siblingModule(import.meta.url, 'pages-worker'),
      protocol: RENDERING,
      data: { copy },
      limits: LIMITS,
      refuse: (death) => {
        this.#mayStartAt = performance.now() + RESTART_MS
        log.error(factsOf(death), 'The thread of the pages has failed')
        return death.cause
      },
    })
    // A service may stop while pages are rendered; publishing a tree waits for them.
    thread.hold(copy !== null)
    this.#thread = thread
    return thread
  }
}
