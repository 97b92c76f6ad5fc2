import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from 'express'
import type { Endpoint } from '../endpoint.ts'
import {
  DOCUMENT,
  EVENTS,
  REDIRECTION,
  type Document,
  type Events,
  type Heartbeat,
  type ServerEvent,
} from './answers.ts'
import { encodeJson } from './json.ts'
import { acceptedCoding, type Coding } from './negotiation.ts'
import { packedOnTheWay, sendRepresentation, type Representation } from './representation.ts'

/** Bytes from which an answer that everybody gets is packed: a smaller one fits into a packet of the network. */
const WORTH_PACKING = 1400

/**
 * Bytes up to which an answer that everybody gets is written before it is sent: then it has an ETag. What it is written
 * from is in memory as well, and larger.
 */
const MOST_GATHERED = 8_000_000

const JSON_TYPE = 'application/json; charset=utf-8'

type SendOptions = Pick<Endpoint, 'access' | 'answer' | 'revalidates'>

/** Sends what an endpoint answers. Answers are for one caller: no cache may keep them, unless everybody gets them. */
export async function send(response: Response, options: SendOptions, value: unknown): Promise<void> {
  const { access, answer, revalidates = false } = options
  const isShared = revalidates && access.authentication === 'none'
  response.setHeader('Cache-Control', isShared ? 'no-cache' : 'no-store')
  const caching = { revalidates, isShared }
  if (answer === REDIRECTION) {
    response.status(303).location(REDIRECTION.parse(value).location).end()
  } else if (answer === DOCUMENT) {
    await sendDocument(response, DOCUMENT.parse(value), caching)
  } else if (answer === EVENTS) {
    await sendEvents(response, EVENTS.parse(value))
  } else {
    await sendDocument(response, jsonDocument(value), caching)
  }
}

function jsonDocument(value: unknown): Document {
  return { mediaType: JSON_TYPE, fileName: null, body: encodeJson(value) }
}

interface Caching {
  readonly revalidates: boolean
  /** Everybody gets the same answer. */
  readonly isShared: boolean
}

async function sendDocument(
  response: Response,
  { mediaType, fileName, body }: Document,
  caching: Caching,
): Promise<void> {
  // A failure before the first piece can still become a problem answer.
  const begun = isWhole(body) ? body : await gather(body, caching.isShared ? MOST_GATHERED : 0)
  if (fileName !== null) response.attachment(fileName)
  if (!isWhole(begun) && response.req.method === 'HEAD') await abandon(begun)
  const representation = isWhole(begun)
    ? wholeRepresentation(response, { mediaType, body: begun }, caching)
    : { ...PLAIN, content: ['Content-Type', mediaType], length: null, read: () => begun }
  await sendRepresentation({ request: response.req, response }, representation)
}

const PLAIN = { etag: null, validators: [], isRanged: false }

interface WholeDocument {
  readonly mediaType: string
  readonly body: string | Uint8Array
}

function wholeRepresentation(
  response: Response,
  { mediaType, body }: WholeDocument,
  { revalidates, isShared }: Caching,
): Representation {
  const coding = isShared ? codingFor(response, body) : 'identity'
  const etag = revalidates ? etagOf(body, coding) : null
  if (coding !== 'identity') return packedOnTheWay({ mediaType, body, coding, etag })
  // With its length known, the answer leaves in one piece.
  const length = Buffer.byteLength(body)
  return { ...PLAIN, etag, content: ['Content-Type', mediaType], length, read: () => body }
}

/** An answer for one caller is never packed: its length could tell secrets in it (BREACH). */
function codingFor(response: Response, body: string | Uint8Array): Coding {
  response.vary('Accept-Encoding')
  if (Buffer.byteLength(body) < WORTH_PACKING) return 'identity'
  return acceptedCoding(response.req.get('Accept-Encoding')) ?? 'identity'
}

function isWhole(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array
}

/** It is strong, so each coding of the same content has its own. */
function etagOf(body: string | Uint8Array, coding: Coding = 'identity'): string {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 32)
  return coding === 'identity' ? `"${digest}"` : `"${digest}-${coding}"`
}

/**
 * Waits for the first piece, and for more while they have no more than some bytes. Gives all of them as one if there are
 * no others, else piece by piece.
 */
async function gather(
  pieces: AsyncIterable<string | Uint8Array>,
  bytes: number,
): Promise<Buffer | AsyncGenerator<string | Uint8Array, void>> {
  const iterator = pieces[Symbol.asyncIterator]()
  const gathered: Buffer[] = []
  for (let length = 0; length <= bytes; length += gathered.at(-1)?.length ?? 0) {
    const next = await iterator.next()
    if (next.done === true) return Buffer.concat(gathered)
    gathered.push(Buffer.from(next.value))
  }
  return (async function* () {
    try {
      yield* gathered
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  })()
}

/** Ends what was begun and is not sent, because a HEAD has no body. */
async function abandon(pieces: AsyncGenerator<string | Uint8Array, void>): Promise<void> {
  await pieces.next()
  await pieces.return()
}

/** Sends events until there are no more or nobody listens any more. */
async function sendEvents(response: Response, { events, cancel, page }: Events): Promise<void> {
  if (events === undefined) {
    await sendDocument(response, jsonDocument(page), { revalidates: false, isShared: false })
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
