import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from 'express'
import { hasCode } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import {
  DOCUMENT,
  EVENTS,
  REDIRECTION,
  type Document,
  type Events,
  type Heartbeat,
  type ServerEvent,
} from './answers.ts'
import type { Endpoint } from './endpoint.ts'
import { encodeJson } from './json.ts'
import { matchesEtag } from './negotiation.ts'
import { trailOf } from './server/trail.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

type SendOptions = Pick<Endpoint, 'access' | 'answer' | 'revalidates'> & { readonly log: Log }

/** Sends what an endpoint answers. Answers are for one caller: no cache may keep them, unless everybody gets them. */
export async function send(response: Response, options: SendOptions, value: unknown): Promise<void> {
  const { access, answer, revalidates = false } = options
  const isShared = revalidates && access.authentication === 'none'
  response.setHeader('Cache-Control', isShared ? 'no-cache' : 'no-store')
  if (answer === REDIRECTION) {
    response.status(303).location(REDIRECTION.parse(value).location).end()
  } else if (answer === DOCUMENT) {
    await sendDocument(response, DOCUMENT.parse(value), options)
  } else if (answer === EVENTS) {
    await sendEvents(response, EVENTS.parse(value))
  } else {
    const document = { mediaType: JSON_TYPE, fileName: null, body: encodeJson(value) }
    await sendDocument(response, document, options)
  }
}

async function sendDocument(
  response: Response,
  { mediaType, fileName, body }: Document,
  { revalidates = false, log }: Pick<SendOptions, 'revalidates' | 'log'>,
): Promise<void> {
  // A failure before the first piece can still become a problem answer.
  const begun = isWhole(body) ? body : await begin(body)
  if (fileName !== null) response.attachment(fileName)
  response.setHeader('Content-Type', mediaType)
  if (!isWhole(begun)) await sendPieces(response, begun, log)
  else if (revalidates && isUnchanged(response, begun)) response.status(304).end()
  else sendText(response, mediaType, begun)
}

function isWhole(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array
}

/** Whether the caller has this answer already (RFC 9110 §13.1.2); says how it is called. */
function isUnchanged(response: Response, body: string | Uint8Array): boolean {
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`
  response.setHeader('ETag', etag)
  return matchesEtag(response.req.get('If-None-Match'), etag)
}

/** Waits for the first piece, then gives all of them. */
async function begin<T>(pieces: AsyncIterable<T>): Promise<AsyncGenerator<T, void>> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      if (first.done !== true) yield first.value
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  })()
}

/** After the first piece the status is sent, so a failure can only break off the answer. */
async function sendPieces(
  response: Response,
  pieces: AsyncGenerator<string | Uint8Array, void>,
  log: Log,
): Promise<void> {
  // A HEAD has no body.
  if (response.req.method === 'HEAD') {
    await pieces.next()
    await pieces.return()
  }
  try {
    await pipeline(pieces, response)
  } catch (error) {
    // The caller has gone away.
    if (hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) return
    log.error({ err: error, request_id: trailOf(response.req).id }, 'A document broke off')
  }
}

function sendText(response: Response, mediaType: string, body: string | Uint8Array): void {
  response.setHeader('Content-Type', mediaType)
  // With its length known, the answer leaves in one piece.
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(body)
}

/** Sends events until there are no more or nobody listens any more. */
async function sendEvents(response: Response, { events, cancel, page }: Events): Promise<void> {
  if (events === undefined) {
    sendText(response, JSON_TYPE, JSON.stringify(page))
    return
  }
  response.once('close', cancel ?? (() => undefined))
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
  // Proxies that buffer answers would hold the events back.
  response.setHeader('X-Accel-Buffering', 'no')
  response.flushHeaders()
  if (response.closed || response.req.method === 'HEAD') cancel?.()
  for await (const told of events) {
    if (response.destroyed) break
    if (!response.write(encodeEvent(told))) await drained(response)
  }
  response.end()
}

function encodeEvent(message: ServerEvent | Heartbeat): string {
  if ('heartbeat' in message) return `: still here\nid: ${message.heartbeat}\n\n`
  const { event, data, id } = message
  const numbered = id === undefined ? '' : `id: ${id}\n`
  return `${numbered}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A client that still reads needs less for what was sent. */
const STUCK_MS = 60_000

/** Waits for a slow client for a while, and not for one that is gone. */
async function drained(response: Response): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  const stuck = sleep(STUCK_MS, null, { signal, ref: false }).then(() => response.destroy())
  const over = ['drain', 'close'].map((name) => once(response, name, { signal }))
  await Promise.race([...over, stuck])
  waiting.abort()
}
