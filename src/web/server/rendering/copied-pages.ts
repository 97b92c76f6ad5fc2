import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InProcessAnswer } from '../../../http/server/in-process.ts'
import { hasCode, messageOf } from '../../../platform/errors.ts'
import { relativeFile } from '../../../platform/files/relative-file.ts'
import type { Log } from '../../../platform/log.ts'
import { PATHS } from '../../paths/paths.ts'
import { RENDERED_PAGES } from '../../paths/rendered-pages.ts'
import { PageRenderer } from './page-renderer.ts'
import type { CopyContent } from './protocol.ts'
import { withContent } from './with-content.ts'

interface CopyParts {
  /** The folder of the tree. */
  readonly out: string
  /** Future address of the tree, without a final slash. */
  readonly baseUrl: string
  readonly content: CopyContent
  /** Pages that are rendered at the same time. */
  readonly threads: number
  readonly log: Log
}

/** A page among published files. */
interface EmptyPage {
  /** Its address below the beginning of the tree, with a slash at the end: `/technique/d3f:FileAnalysis/`. */
  readonly url: string
  /** The document without content. */
  readonly document: string
}

/** Finds the file of an answer by its address; undefined where its name is the address. */
type FileOf = (url: string) => string | undefined

/** Renders the pages of a published tree from the answers in its files, so that they can be read without scripts. */
export class CopiedPages {
  readonly #parts: CopyParts
  readonly #renderers: readonly PageRenderer[]
  #fileOf: FileOf = () => undefined

  constructor(parts: CopyParts) {
    this.#parts = parts
    const { baseUrl, content: copy, log } = parts
    const ask = (address: string): Promise<InProcessAnswer> => this.#read(address)
    this.#renderers = Array.from({ length: parts.threads }, () => new PageRenderer({ ask, baseUrl, copy, log }))
  }

  /** Returns the documents in the same order. If a page cannot be rendered, its document stays empty, with a warning. */
  readonly fill = async (pages: readonly EmptyPage[], fileOf: FileOf): Promise<readonly string[]> => {
    this.#fileOf = fileOf
    const documents = pages.map(({ document }) => document)
    const queue = [...pages.entries()]
    const fillOnOne = async (renderer: PageRenderer): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [index, page] = next
        documents[index] = await this.#fill(renderer, page)
      }
    }
    await Promise.all(this.#renderers.map(fillOnOne))
    return documents
  }

  async close(): Promise<void> {
    await Promise.all(this.#renderers.map((renderer) => renderer.close()))
  }

  async #fill(renderer: PageRenderer, { url, document }: EmptyPage): Promise<string> {
    const path = url === '/' ? url : url.replace(/\/$/, '')
    if (!PATTERNS.some((pattern) => pattern.test(path))) return document
    try {
      const rendered = await renderer.render(path, [])
      return rendered === null ? document : withContent(document, rendered)
    } catch (error) {
      this.#parts.log.warn({ path, error: messageOf(error) }, 'A page is written without its content')
      return document
    }
  }

  /** Answers like a server of static files. */
  async #read(address: string): Promise<InProcessAnswer> {
    const [url = ''] = address.split('?')
    const file = this.#fileOf(url) ?? relativeFile.parse(decodeURIComponent(url).slice(1))
    try {
      return { status: 200, headers: {}, body: await readFile(join(this.#parts.out, file)) }
    } catch (error) {
      if (hasCode(error, 'ENOENT') || hasCode(error, 'EISDIR'))
        return { status: 404, headers: {}, body: MISSING_ANSWER }
      throw error
    }
  }
}

const MISSING_ANSWER = Buffer.from(JSON.stringify({ status: 404, title: 'Not Found' }))

/** In a copy, only scripts can search. */
const COPIED_PAGES = [...RENDERED_PAGES].filter((name) => name !== 'search')
const PATTERNS = COPIED_PAGES.map((name) => new RegExp(`^${PATHS[name].replaceAll(/:\w+/g, '[^/]+')}$`))
