import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { RdfForm } from '../graph/syntax/forms.ts'
import { acceptedCoding, matchesEtag, type Coding } from '../http/negotiation.ts'
import { problemOf, PROBLEM_MEDIA_TYPE } from '../http/problem.ts'
import { answersMethod } from '../http/server/methods.ts'
import { trailOf } from '../http/server/trail.ts'
import { Refusal } from '../platform/errors.ts'
import { cut, rangeHeaders, RANGED, requestedRange, type ByteRange } from './ranges.ts'
import { METHODS, OPEN_TO_ALL } from './response-headers.ts'
import type { Answer, Packing } from './served-release.ts'

const FOR_ALL = OPEN_TO_ALL.flat()

/** The HTTP form of an answer: its validator, and the headers for both outcomes. */
export interface Representation {
  readonly etag: string
  readonly full: string[]
  /** Without its length. */
  readonly partial: string[]
  readonly notModified: string[]
  readonly length: number
  /** Parts of it can be asked for. */
  readonly isRanged: boolean
  /** The body is kept packed and goes out unpacked. */
  readonly unpack: boolean
}

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export function packingFor(coding: Coding): Packing {
  return coding === 'identity' ? 'gzip' : coding
}

export function requireCoding(header: string | undefined): Coding {
  const coding = acceptedCoding(header)
  if (coding !== null) return coding
  throw new Refusal('not_acceptable', 'Available: br, gzip, identity. Accept-Encoding allows none of them.')
}

interface RepresentationOptions {
  readonly more: readonly string[]
  readonly form: RdfForm | null
  readonly isRanged?: boolean
}

/** The entity tag is strong, so each form and coding of the same content has its own. */
export function representationOf(
  answer: Answer,
  coding: Coding,
  { more, form, isRanged = false }: RepresentationOptions,
): Representation {
  const { body, mediaType, sha256 } = answer
  const identity = coding === 'identity'
  const parts = [sha256.slice(0, 32), ...(form === null ? [] : [form]), ...(identity ? [] : [coding])]
  const etag = `"${parts.join('-')}"`
  const validators = ['ETag', etag, ...more, ...(isRanged ? RANGED : []), ...FOR_ALL]
  const length = identity ? answer.length : body.length
  const encoding = identity ? [] : ['Content-Encoding', coding]
  const partial = ['Content-Type', mediaType, ...encoding, ...validators]
  return {
    etag,
    full: ['Content-Length', String(length), ...partial],
    partial,
    notModified: validators,
    length,
    isRanged,
    unpack: identity,
  }
}

export function send(exchange: Exchange, { body }: Answer, representation: Representation): void {
  const { request, response } = exchange
  const { etag, full, notModified, unpack } = representation
  if (matchesEtag(request.headers['if-none-match'], etag)) {
    response.writeHead(304, notModified).end()
    return
  }
  if (representation.isRanged && sendPart(exchange, body, representation)) return
  response.writeHead(200, full)
  if (request.method === 'HEAD') response.end()
  else if (unpack) sendUnpacked(body, response)
  else response.end(body)
}

/** False where the whole is asked for. */
function sendPart(exchange: Exchange, body: Buffer, { etag, length, partial, unpack }: Representation): boolean {
  const range = requestedRange(exchange, etag, length)
  if (range === null) return false
  const { response } = exchange
  response.writeHead(206, [...rangeHeaders(range, length), ...partial])
  if (unpack) sendUnpacked(body, response, range)
  else response.end(body.subarray(range.start, range.end + 1))
  return true
}

/** Unpacks as fast as the caller takes it, so that a large answer never stands in memory whole. */
function sendUnpacked(body: Buffer, response: ServerResponse, range?: ByteRange): void {
  const sending =
    range === undefined
      ? pipeline([body], createGunzip(), response)
      : pipeline([body], createGunzip(), (pieces) => cut(pieces, range), response)
  // It is no error when a caller goes away; the pipeline has cleaned up by then.
  sending.catch(() => null)
}

/** Redirects to the page of a record (RFC 9110 §15.4.4). */
export function sendElsewhere(response: ServerResponse, location: string, more: readonly string[]): void {
  response.writeHead(303, ['Location', location, ...more, ...FOR_ALL]).end()
}

/** Answers OPTIONS, and refuses methods that write. False: the request is still to be answered. */
export function answersReadOnly({ request, response }: Exchange, subject: string): boolean {
  const { method = 'This method' } = request
  if (method === 'OPTIONS') for (const [name, value] of OPEN_TO_ALL) response.setHeader(name, value)
  const refusal = `${method} is not allowed; ${subject} read-only.`
  return answersMethod(request, response, { allow: METHODS, isOpen: true, refusal })
}

export function sendProblem(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const { id } = trailOf(request)
  const problem = problemOf(error, id)
  const body = Buffer.from(JSON.stringify(problem))
  const retry = problem.status === 503 ? ['Retry-After', '1'] : []
  const content = ['Content-Type', PROBLEM_MEDIA_TYPE, 'Content-Length', String(body.length)]
  const more = ['X-Request-Id', id, 'Cache-Control', 'no-store', ...retry]
  const headers = [...content, ...more, ...FOR_ALL]
  response.writeHead(problem.status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
}
