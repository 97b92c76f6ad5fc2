import { once } from 'node:events'
import { get as request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const LIMIT_MS = 60_000

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The body as received, still compressed. */
  readonly body: Buffer
  readonly ms: number
}

/** One GET over a kept-alive connection, timed from the request to the last byte. */
export async function get(url: string): Promise<HttpAnswer> {
  const start = performance.now()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'gzip' }, timeout: LIMIT_MS }, resolve).on('error', reject)
  })
  const chunks: Buffer[] = []
  response.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(response, 'end')
  const ms = performance.now() - start
  const { statusCode: status = 0, headers } = response
  return { status, headers, body: Buffer.concat(chunks), ms }
}

/** Sends a request every `everyMs` until the answer is 200. */
export async function untilReady(url: string, everyMs = 20): Promise<void> {
  const end = performance.now() + LIMIT_MS
  while (performance.now() < end) {
    const got = await get(url).catch(() => null)
    if (got?.status === 200) return
    await sleep(everyMs)
  }
  throw new Error(`${url} has not answered within ${LIMIT_MS / 1000} s`)
}
