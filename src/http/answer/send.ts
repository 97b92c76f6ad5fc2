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
import { packedWhileSending, sendRepresentation, type Representation } from './representation.ts'

/** Answers of at least this many bytes are worth compressing; smaller ones fit into one packet of the network. */
const MIN_COMPRESSED_BYTES = 1400

/**
 * Answers of up to this many bytes are collected before they are compressed, so that they have an ETag. Their source is in
 * memory as well, and larger.
 */
const MAX_GATHERED = 8_000_000

const JSON_TYPE = 'application/json; charset=utf-8'

type SendOptions = Pick<Endpoint, 'access' | 'answer' | 'revalidates' | 'compresses'>

/** Sends the answer of an endpoint. Caches may not store it, unless all callers get the same. */
export async function send(response: Response, options: SendOptions, value: unknown): Promise<void> {
  const { access, answer, revalidates = false, compresses = false } = options
  const isShared = revalidates && access.authentication === 'none'
  response.setHeader('Cache-Control', isShared ? 'no-cache' : 'no-store')
  const delivery = { revalidates, isCompressed: isShared || compresses }
  if (answer === REDIRECTION) {
    response.status(303).location(REDIRECTION.parse(value).location).end()
  } else if (answer === DOCUMENT) {
    await sendDocument(response, DOCUMENT.parse(value), delivery)
  } else if (answer === EVENTS) {
    await sendEvents(response, EVENTS.parse(value))
  } else {
    await sendDocument(response, jsonDocument(value), delivery)
  }
}

function jsonDocument(value: unknown): Document {
  return { mediaType: JSON_TYPE, fileName: null, body: encodeJson(value) }
}

interface DeliveryOptions {
  readonly revalidates: boolean
  /** An answer for one caller is not compressed unless its endpoint says so: its length could reveal secrets (BREACH). */
  readonly isCompressed: boolean
}

async function sendDocument(
  response: Response,
  { mediaType, fileName, body }: Document,
  delivery: DeliveryOptions,
): Promise<void> {
  // A failure before the first piece can still become a problem answer.
  const begun = isWhole(body) ? body : await gather(body, delivery.isCompressed ? MAX_GATHERED : 0)
  if (fileName !== null) response.attachment(fileName)
  if (!isWhole(begun) && response.req.method === 'HEAD') await abandon(begun)
  const representation = isWhole(begun)
    ? wholeRepresentation(response, { mediaType, body: begun }, delivery)
    : { ...PLAIN, content: ['Content-Type', mediaType], length: null, read: () => begun }
  await sendRepresentation({ request: response.req, response }, representation)
}

const PLAIN = { etag: null, validators: [], isRanged: false }

function wholeRepresentation(
  response: Response,
  { mediaType, body }: { readonly mediaType: string; readonly body: string | Uint8Array },
  { revalidates, isCompressed }: DeliveryOptions,
): Representation {
  const coding = isCompressed ? codingFor(response, body) : 'identity'
  const etag = revalidates ? etagOf(body, coding) : null
  if (coding !== 'identity') return packedWhileSending({ mediaType, body, coding, etag })
  // With its length known, the answer leaves in one piece.
  const length = Buffer.byteLength(body)
  return { ...PLAIN, etag, content: ['Content-Type', mediaType], length, read: () => body }
}

function codingFor(response: Response, body: string | Uint8Array): Coding {
  response.vary('Accept-Encoding')
  if (Buffer.byteLength(body) < MIN_COMPRESSED_BYTES) return 'identity'
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
 * Collects pieces up to a number of bytes, but at least one. Returns the whole body if it ends by then, else all pieces.
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

/** Ends a body that is not sent, because the answer to a HEAD has none. */
async function abandon(pieces: AsyncGenerator<string | Uint8Array, void>): Promise<void> {
  await pieces.next()
  await pieces.return()
}

/** Sends events until there are no more or the client disconnects. */
async function sendEvents(response: Response, { events, cancel, page }: Events): Promise<void> {
  if (events === undefined) {
    await sendDocument(response, jsonDocument(page), { revalidates: false, isCompressed: false })
    return
  }
  response.once('close', cancel ?? (() => undefined))
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
  // Proxies that buffer answers would hold the events back.
  response.setHeader('X-Accel-Buffering', 'no')
  response.flushHeaders()
  if (response.closed || response.req.method === 'HEAD') cancel?.()
  for await (const event of events) {
    if (response.destroyed) break
    if (!response.write(encodeEvent(event))) await waitForDrain(response)
  }
  response.end()
}

function encodeEvent(message: ServerEvent | Heartbeat): string {
  if ('heartbeat' in message) return `: still here\nid: ${message.heartbeat}\n\n`
  const { event, data, id } = message
  const numbered = id === undefined ? '' : `id: ${id}\n`
  return `${numbered}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A client that still reads needs less time than this for the bytes that wait. */
const STUCK_MS = 60_000

/** Waits until the client has read what was sent; closes the connection of a client that takes too long. */
async function waitForDrain(response: Response): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  const stuck = sleep(STUCK_MS, null, { signal, ref: false }).then(() => response.destroy())
  const over = ['drain', 'close'].map((name) => once(response, name, { signal }))
  await Promise.race([...over, stuck])
  waiting.abort()
}
