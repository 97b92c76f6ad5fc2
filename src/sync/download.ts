import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici'
import { messageOf, Refusal } from '../platform/errors.ts'
import { isInside, lookUpPublic } from '../platform/network/addresses.ts'
import { storageRefusal } from '../platform/storage.ts'
import type { Fetched } from './state.ts'

const REDIRECTS = 5
const HEADERS_MS = 30_000
/** Between two parts of a body. */
const SILENCE_MS = 60_000

export interface DownloadLimits {
  readonly maxBytes: number
  /** For a file as a whole. */
  readonly timeoutMs: number
  /** Whether addresses inside one's own network may be asked. */
  readonly allowPrivate: boolean
}

export interface Download extends Fetched {
  readonly bytes: number
}

type Response = Dispatcher.ResponseData

/**
 * Fetches files over HTTP, conditionally (RFC 9110 §13.1). It goes through the proxies of HTTP_PROXY, HTTPS_PROXY and
 * NO_PROXY; names whose addresses are not public are refused unless they are allowed, also behind redirects.
 */
export class Downloader {
  readonly #limits: DownloadLimits
  readonly #agent: EnvHttpProxyAgent

  constructor(limits: DownloadLimits) {
    this.#limits = limits
    this.#agent = new EnvHttpProxyAgent({
      ...{ headersTimeout: HEADERS_MS, bodyTimeout: SILENCE_MS },
      ...(!limits.allowPrivate && { connect: { lookup: lookUpPublic } }),
    })
  }

  /** Whether there is something else than before; nothing of it is read. */
  async hasChanged(url: string, known: Fetched | null): Promise<boolean> {
    return this.#ask(url, known, async ({ statusCode, body }) => {
      await body.dump({ limit: 0 }).catch(() => undefined)
      return statusCode !== 304
    })
  }

  /** Writes what is there into a file. Null: it is what it was. */
  async fetch(url: string, known: Fetched | null, file: string): Promise<Download | null> {
    return this.#ask(url, known, async ({ statusCode, headers, body }) => {
      if (statusCode === 304) {
        await body.dump()
        return null
      }
      const content = await this.#store(url, body, file)
      const { etag, 'last-modified': modified } = headers
      return { ...content, etag: single(etag), last_modified: single(modified) }
    })
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  /** Follows redirects. Refuses whatever else is no answer. */
  async #ask<T>(url: string, known: Fetched | null, read: (response: Response) => Promise<T>) {
    const signal = AbortSignal.timeout(this.#limits.timeoutMs)
    try {
      let target = this.#allowed(url, url)
      for (let hops = 0; hops <= REDIRECTS; hops += 1) {
        const options = { dispatcher: this.#agent, signal, headers: conditionsOf(known) }
        const response = await request(target, options)
        const next = redirectOf(response, target)
        if (next === null) {
          refuseStatus(url, response.statusCode)
          return await read(response)
        }
        await response.body.dump()
        target = this.#allowed(url, next)
      }
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw storageRefusal(error) ?? unreachable(url, whyOf(error))
    }
    throw unreachable(url, `there are more than ${REDIRECTS} redirects`)
  }

  #allowed(url: string, target: string): URL {
    const place = URL.canParse(target) ? new URL(target) : null
    if (place === null || !/^https?:$/.test(place.protocol))
      throw unreachable(url, `it leads to ${target}, which is no http or https address`)
    if (!this.#limits.allowPrivate && isInside(place))
      throw unreachable(url, `${place.host} is not public (SERVICE_SYNC_ALLOW_PRIVATE)`)
    return place
  }

  async #store(
    url: string,
    body: AsyncIterable<Buffer>,
    file: string,
  ): Promise<{ readonly sha256: string; readonly bytes: number }> {
    const { maxBytes } = this.#limits
    const hash = createHash('sha256')
    let bytes = 0
    async function* bounded(): AsyncGenerator<Buffer> {
      for await (const part of body) {
        bytes += part.length
        if (bytes > maxBytes)
          throw new Refusal('source_too_large', `${url}: it has more than ${maxBytes} bytes.`)
        hash.update(part)
        yield part
      }
    }
    try {
      await pipeline(bounded, createWriteStream(file, { mode: 0o600 }))
    } catch (error) {
      await rm(file, { force: true })
      throw error
    }
    return { sha256: hash.digest('hex'), bytes }
  }
}

function conditionsOf(known: Fetched | null): Record<string, string> {
  const { etag = null, last_modified: modified = null } = known ?? {}
  return {
    'User-Agent': 'Parapet',
    ...(etag !== null && { 'If-None-Match': etag }),
    // A server that knows the tag does not look at the date (RFC 9110 §13.1.3).
    ...(modified !== null && { 'If-Modified-Since': modified }),
  }
}

function redirectOf({ statusCode, headers: { location } }: Response, base: URL): string | null {
  if (![301, 302, 303, 307, 308].includes(statusCode) || typeof location !== 'string') return null
  return URL.canParse(location, base.href) ? new URL(location, base.href).href : location
}

function refuseStatus(url: string, status: number): void {
  if (status !== 200 && status !== 304) throw unreachable(url, `the server answered ${status}`)
}

function single(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}

function whyOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it takes too long'
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return messageOf(cause).replace(/\.$/, '')
}

function unreachable(url: string, why: string): Refusal {
  return new Refusal('source_unreachable', `${url}: ${why}.`)
}
