import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Agent, request as requestHttp, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Agent as SecureAgent, request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { getProxyForUrl } from 'proxy-from-env'
import { messageOf, Refusal } from '../platform/errors.ts'
import { isInside, lookUpPublic } from '../platform/network/addresses.ts'
import { hasBlockedPort } from '../platform/network/ports.ts'
import { storageRefusal } from '../platform/storage.ts'
import type { FetchedFile } from './state.ts'

const REDIRECTS = 5
/** Limit until the head of an answer, and between two parts of its body. */
const IDLE_TIMEOUT_MS = 60_000

export interface DownloadLimits {
  readonly maxBytes: number
  /** For the whole file. */
  readonly timeoutMs: number
  /** Whether addresses in private networks are allowed. */
  readonly allowPrivate: boolean
  /** The proxy for all requests; null: HTTP_PROXY, HTTPS_PROXY and NO_PROXY decide. */
  readonly proxy: string | null
}

export interface Download extends FetchedFile {
  readonly bytes: number
}

/**
 * Fetches files over HTTP, conditionally (RFC 9110 §13.1) and through proxies. Refuses addresses that are not public,
 * also behind redirects, unless they are allowed.
 */
export class Downloader {
  readonly #limits: DownloadLimits

  constructor(limits: DownloadLimits) {
    this.#limits = limits
  }

  /** Whether the file has changed; its content is not read. */
  async hasChanged(url: string, fetched: FetchedFile | null): Promise<boolean> {
    return this.#withResponse(url, fetched, (response) => {
      response.destroy()
      return Promise.resolve(response.statusCode !== 304)
    })
  }

  /** Downloads to a file. Null: the content has not changed. */
  async fetch(url: string, fetched: FetchedFile | null, file: string): Promise<Download | null> {
    return this.#withResponse(url, fetched, async (response) => {
      const { statusCode, headers } = response
      if (statusCode === 304) {
        response.destroy()
        return null
      }
      const content = await this.#store(url, response, file)
      const { etag = null, 'last-modified': modified = null } = headers
      return { ...content, etag, last_modified: modified }
    })
  }

  /** Follows redirects, and refuses other statuses without content. */
  async #withResponse<T>(
    url: string,
    fetched: FetchedFile | null,
    read: (response: IncomingMessage) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.timeout(this.#limits.timeoutMs)
    try {
      let target = this.#checkAddress(url, url)
      for (let hops = 0; hops <= REDIRECTS; hops += 1) {
        const response = await this.#request(target, { signal, headers: conditionsOf(fetched) })
        const next = redirectOf(response, target)
        if (next === null) {
          refuseStatus(url, response)
          return await read(response)
        }
        response.destroy()
        target = this.#checkAddress(url, next)
      }
    } catch (error) {
      if (error instanceof Refusal) throw error
      throw storageRefusal(error) ?? unreachableRefusal(url, reasonOf(error))
    }
    throw unreachableRefusal(url, `there are more than ${REDIRECTS} redirects`)
  }

  #request(
    target: URL,
    options: { readonly signal: AbortSignal; readonly headers: OutgoingHttpHeaders },
  ): Promise<IncomingMessage> {
    const request = target.protocol === 'https:' ? requestHttps : requestHttp
    const proxy = this.#proxyFor(target)
    return new Promise((resolve, reject) => {
      const outgoing = request(target, { ...options, agent: this.#agentFor(target, proxy) }, resolve)
      outgoing.on('error', (error) => {
        reject(proxy === null ? error : throughProxy(proxy, error))
      })
      // The answer of the proxy must not be taken for one of the server: its redirects would be followed.
      outgoing.once('proxyConnect', ({ statusCode }: { readonly statusCode: number }) => {
        if (statusCode !== 200) outgoing.destroy(new Error(`it answers ${statusCode}`))
      })
      outgoing.setTimeout(IDLE_TIMEOUT_MS, () => {
        outgoing.destroy(new Error(`no data arrived for ${IDLE_TIMEOUT_MS / 1000} seconds`))
      })
      outgoing.end()
    })
  }

  #proxyFor({ href }: URL): URL | null {
    const proxyUrl = this.#limits.proxy ?? getProxyForUrl(href)
    if (proxyUrl === '') return null
    const proxy = URL.canParse(proxyUrl) ? new URL(proxyUrl) : null
    // The value may contain a password.
    if (proxy === null || !/^https?:$/.test(proxy.protocol))
      throw new Error('the proxy of the environment is not an http or https address')
    return proxy
  }

  #agentFor({ protocol }: URL, proxy: URL | null): Agent {
    const isSecure = protocol === 'https:'
    if (proxy !== null) return isSecure ? new HttpsProxyAgent(proxy) : new HttpProxyAgent(proxy)
    const checked = this.#limits.allowPrivate ? {} : { lookup: lookUpPublic }
    return isSecure ? new SecureAgent(checked) : new Agent(checked)
  }

  #checkAddress(url: string, target: string): URL {
    const address = URL.canParse(target) ? new URL(target) : null
    if (address === null || !/^https?:$/.test(address.protocol))
      throw unreachableRefusal(url, `it leads to ${target}, which is not an http or https address`)
    if (hasBlockedPort(address))
      throw unreachableRefusal(url, `port ${address.port} of ${address.hostname} is not for HTTP`)
    if (!this.#limits.allowPrivate && isInside(address))
      throw unreachableRefusal(url, `${address.host} is not public (SERVICE_SYNC_ALLOW_PRIVATE)`)
    return address
  }

  async #store(
    url: string,
    body: AsyncIterable<unknown>,
    file: string,
  ): Promise<{ readonly sha256: string; readonly bytes: number }> {
    const { maxBytes } = this.#limits
    const hash = createHash('sha256')
    let bytes = 0
    async function* bounded(): AsyncGenerator<Buffer> {
      for await (const part of body) {
        if (!Buffer.isBuffer(part)) throw new TypeError('An answer comes as bytes')
        bytes += part.length
        if (bytes > maxBytes) throw new Refusal('source_too_large', `${url}: it has more than ${maxBytes} bytes.`)
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

function conditionsOf(fetched: FetchedFile | null): OutgoingHttpHeaders {
  const { etag = null, last_modified: modified = null } = fetched ?? {}
  return {
    'User-Agent': 'Parapet',
    ...(etag !== null && { 'If-None-Match': etag }),
    // A server that knows the tag does not look at the date (RFC 9110 §13.1.3).
    ...(modified !== null && { 'If-Modified-Since': modified }),
  }
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, base: URL): string | null {
  if (!REDIRECT_STATUSES.has(statusCode) || location === undefined) return null
  return URL.canParse(location, base.href) ? new URL(location, base.href).href : location
}

function refuseStatus(url: string, response: IncomingMessage): void {
  const { statusCode: status = 0 } = response
  if (status === 200 || status === 304) return
  response.destroy()
  throw unreachableRefusal(url, `the server answered ${status}`)
}

function throughProxy({ host }: URL, error: Error): Error {
  if (error.name === 'TimeoutError' || error.cause !== undefined) return error
  return new Error(`through the proxy ${host}: ${messageOf(error)}`)
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof Error && cause.name === 'TimeoutError') return 'it takes too long'
  return messageOf(cause).replace(/\.$/, '')
}

function unreachableRefusal(url: string, reason: string): Refusal {
  return new Refusal('source_unreachable', `${url}: ${reason}.`)
}
