import type { AskInProcess } from '../../../http/server/in-process.ts'
import type { Log } from '../../../platform/log.ts'
import { factsOf, SupervisedThread, type ThreadLimits } from '../../../platform/threads/supervised-thread.ts'
import { siblingModule } from '../../../platform/threads/thread.ts'
import { RENDERING, type CopyContent, type PackedAnswer, type RenderingExchanges } from './protocol.ts'

/** A page takes a tenth of a second, and the largest answers some megabytes. */
const LIMITS: ThreadLimits = { heapMegabytes: 256, openingMs: 60_000, answerMs: 20_000 }
/** After it has died, pages are sent without their content for so long. */
const RESTART_MS = 30_000
/** A page asks for a few answers; each can lead to others. */
const MOST_ANSWERS = 40

export interface RenderingParts {
  readonly ask: AskInProcess
  /** Without a final slash. */
  readonly baseUrl: string
  /** Default: pages of the service. */
  readonly copy?: CopyContent
  readonly log: Log
}

/** An answer that a page was made of. */
export interface UsedAnswer {
  readonly address: string
  /** Null where nobody can ask whether it has changed. */
  readonly etag: string | null
}

export interface RenderedContent {
  readonly html: string
  readonly title: string | null
  readonly used: readonly UsedAnswer[]
}

/** The page shows what there is, and what only shows after signing in. Anything else may pass. */
const SHOWN = [200, 401, 404]

const HEADERS = { Accept: 'application/json', 'Accept-Encoding': 'br, gzip' }

/** Renders the content of pages on a thread, which starts with the first page. Answers are asked for in process. */
export class PageRenderer {
  readonly #parts: RenderingParts
  #thread: SupervisedThread<RenderingExchanges> | null = null
  #mayStartAt = 0
  #isClosed = false

  constructor(parts: RenderingParts) {
    this.#parts = parts
  }

  /** Whether it can be asked, now or once it has started. */
  get isThere(): boolean {
    return this.#thread?.alive === true || (!this.#isClosed && performance.now() >= this.#mayStartAt)
  }

  /**
   * `first`: what the page is known to ask for; null where visitors are refused any of it. Rejects where an answer cannot be
   * had now.
   */
  async render(path: string, first: readonly string[]): Promise<RenderedContent | null> {
    const thread = this.#started()
    const answers: (PackedAnswer & UsedAnswer)[] = []
    let wanted = first
    while (answers.length + wanted.length <= MOST_ANSWERS) {
      answers.push(...(await Promise.all(wanted.map((address) => this.#answerTo(address)))))
      const failed = answers.find(({ status }) => !SHOWN.includes(status))
      if (failed !== undefined) throw new Error(`${failed.address} answered with ${failed.status}`)
      if (wanted === first && answers.some(({ status }) => status === 401)) return null
      const given = answers.map(({ address, status, coding, body }) => ({ address, status, coding, body }))
      const { html, title, missing } = await thread.ask('render', {
        path,
        baseUrl: this.#parts.baseUrl,
        answers: given,
      })
      if (html !== null) return { html, title, used: answers.map(({ address, etag }) => ({ address, etag })) }
      wanted = missing
    }
    throw new Error(`A page asks for more than ${MOST_ANSWERS} answers`)
  }

  /** Whether all answers are what they were. */
  async isUnchanged(used: readonly UsedAnswer[]): Promise<boolean> {
    const same = await Promise.all(
      used.map(async ({ address, etag }) => {
        if (etag === null) return false
        const { status } = await this.#parts.ask(address, { ...HEADERS, 'If-None-Match': etag })
        return status === 304
      }),
    )
    return !same.includes(false)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#thread?.close()
  }

  async #answerTo(address: string): Promise<PackedAnswer & UsedAnswer> {
    const { status, headers, body } = await this.#parts.ask(address, HEADERS)
    const packed = headers['content-encoding']
    const coding = packed === 'br' || packed === 'gzip' ? packed : 'identity'
    return { address, status, coding, body, etag: headers.etag ?? null }
  }

  #started(): SupervisedThread<RenderingExchanges> {
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
    // A service stops whether or not pages are rendered; a tree is finished only with them.
    thread.hold(copy !== null)
    this.#thread = thread
    return thread
  }
}
