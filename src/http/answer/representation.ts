import { createReadStream } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { pipeline as sent } from 'node:stream/promises'
import { constants, createBrotliCompress, createGunzip, createGzip } from 'node:zlib'
import { hasCode, Refusal } from '../../platform/errors.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { acceptedCoding, matchesEtag, type Coding } from './negotiation.ts'
import { cut, RANGED, rangeHeaders, requestedRange, type ByteRange } from './ranges.ts'

/** As small as gzip, in less time; the default quality of 11 takes a hundred times as long. */
const QUICK_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** A body as a whole or in pieces. */
export type Body = string | Uint8Array | Readable | AsyncIterable<string | Uint8Array>

/** A representation of a resource (RFC 9110 §3.2), ready to be sent. */
export interface Representation {
  /** Quoted; null if the answer cannot be revalidated. */
  readonly etag: string | null
  /** Names and values in turn, sent with the content alone. */
  readonly content: readonly string[]
  /** Names and values in turn, sent with 304 as well. */
  readonly validators: readonly string[]
  /** In bytes; null if it is not known before the end. */
  readonly length: number | null
  /** Whether a part can be requested. */
  readonly isRanged: boolean
  /** The content, or a part of it. Called only if it is sent. */
  readonly read: (range: ByteRange | null) => Body
}

/** The location of a representation that suits the client better (RFC 9110 §15.4.4). */
export interface Redirection {
  readonly location: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

/** The codings in which answers are cached; identity is unpacked from gzip while it is sent. */
export type Packing = Exclude<Coding, 'identity'>

/** Compressed content. */
export interface PackedContent {
  readonly mediaType: string
  readonly body: Buffer
  /** Length in bytes and SHA-256 (hex) of the unpacked content. */
  readonly length: number
  readonly sha256: string
}

export function packingFor(coding: Coding): Packing {
  return coding === 'identity' ? 'gzip' : coding
}

/** The coding for an Accept-Encoding header; refuses one that allows none. */
export function requireCoding(header: string | undefined): Coding {
  const coding = acceptedCoding(header)
  if (coding !== null) return coding
  throw new Refusal('not_acceptable', 'Available: br, gzip, identity. Accept-Encoding allows none of them.')
}

interface PackedOptions {
  /** The coding that is sent; `identity` unpacks. */
  readonly coding: Coding
  /** Headers of the answer and of a 304: names and values in turn. */
  readonly headers: readonly string[]
  /** Name of the form, if the content has several. */
  readonly form?: string | null
  readonly isRanged?: boolean
}

/** The entity tag is strong, so each form and coding of the same content has its own. */
export function packedRepresentation(
  { body, mediaType, sha256, length }: PackedContent,
  { coding, headers, form = null, isRanged = false }: PackedOptions,
): Representation {
  const identity = coding === 'identity'
  const parts = [sha256.slice(0, 32), ...(form === null ? [] : [form]), ...(identity ? [] : [coding])]
  return {
    etag: `"${parts.join('-')}"`,
    content: ['Content-Type', mediaType, ...(identity ? [] : ['Content-Encoding', coding])],
    validators: headers,
    length: identity ? length : body.length,
    isRanged,
    read: (range) => (identity ? unpack(body, range) : part(body, range)),
  }
}

interface FileOptions {
  readonly path: string
  /** In bytes. */
  readonly size: number
  readonly mediaType: string
  readonly sha256: string
  /** Whether it is compressed while it is sent; then parts cannot be requested. */
  readonly isPacked: boolean
  readonly headers: readonly string[]
}

/** A file that is read while it is sent, because it may be large. */
export function fileRepresentation({ path, size, mediaType, sha256, isPacked, headers }: FileOptions): Representation {
  return {
    etag: `"${sha256.slice(0, 32)}${isPacked ? '-gzip' : ''}"`,
    content: ['Content-Type', mediaType, ...(isPacked ? ['Content-Encoding', 'gzip'] : [])],
    validators: headers,
    length: isPacked ? null : size,
    isRanged: !isPacked,
    read: (range) =>
      isPacked ? pipeline(createReadStream(path), createGzip(), ignore) : createReadStream(path, range ?? {}),
  }
}

interface PackedWhileSending {
  readonly mediaType: string
  readonly body: string | Uint8Array
  readonly coding: Packing
  readonly etag: string | null
}

/** Content that is compressed while it is sent, by other threads. */
export function packedWhileSending({ mediaType, body, coding, etag }: PackedWhileSending): Representation {
  return {
    etag,
    content: ['Content-Type', mediaType, 'Content-Encoding', coding],
    validators: [],
    length: null,
    isRanged: false,
    read: () => {
      const pieces = coding === 'br' ? createBrotliCompress(QUICK_BROTLI) : createGzip()
      pieces.end(body)
      return pieces
    },
  }
}

/**
 * Sends a representation: 304 if the client has it (RFC 9110 §13.1.2), a part if one is requested (§14.2), only the head
 * for HEAD. Rejects if the content fails after the head was sent; then closing the connection tells the client.
 */
export async function sendRepresentation(exchange: Exchange, representation: Representation): Promise<void> {
  const { request, response } = exchange
  const { etag, content, read } = representation
  if (etag !== null && matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, sharedHeaders(representation)).end()
    return
  }
  const range = rangeOf(exchange, representation)
  if (range === null) response.writeHead(response.statusCode, wholeHead(representation))
  else response.writeHead(206, [...lengthHeaders(representation, range), ...content, ...sharedHeaders(representation)])
  if (request.method === 'HEAD') response.end()
  else await sendBody(response, read(range))
}

/** Headers of whole answers, made once, because a cached representation is sent many times. */
const wholeHeads = new WeakMap<Representation, string[]>()

function wholeHead(representation: Representation): string[] {
  return getOrMake(wholeHeads, representation, () => [
    ...lengthHeaders(representation, null),
    ...representation.content,
    ...sharedHeaders(representation),
  ])
}

/** Headers of a 304, which every other answer has as well. */
function sharedHeaders({ etag, validators, isRanged }: Representation): string[] {
  return [...(etag === null ? [] : ['ETag', etag]), ...validators, ...(isRanged ? RANGED : [])]
}

/** The requested part; null if the whole is sent. */
function rangeOf(exchange: Exchange, { etag, length, isRanged }: Representation): ByteRange | null {
  return isRanged && etag !== null && length !== null ? requestedRange(exchange, etag, length) : null
}

function lengthHeaders({ length }: Representation, range: ByteRange | null): readonly string[] {
  if (length === null) return []
  return range === null ? ['Content-Length', String(length)] : rangeHeaders(range, length)
}

async function sendBody(response: ServerResponse, body: Body): Promise<void> {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    response.end(body)
    return
  }
  try {
    await sent(body, response)
  } catch (error) {
    // A client that disconnects is not an error, and the pipeline has cleaned up.
    if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) throw error
  }
}

function part(body: Buffer, range: ByteRange | null): Buffer {
  return range === null ? body : body.subarray(range.start, range.end + 1)
}

/** Unpacks as fast as the client reads, so that a large answer is never in memory as a whole. */
function unpack(body: Buffer, range: ByteRange | null): Readable | AsyncIterable<Uint8Array> {
  const pieces = createGunzip()
  pieces.end(body)
  return range === null ? pieces : cut(pieces, range)
}

/** Ignores the error, because the returned stream reports it as well. */
function ignore(): void {
  /* Nothing to do. */
}
