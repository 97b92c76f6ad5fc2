import type { IncomingMessage, ServerResponse } from 'node:http'
import parseRange from 'range-parser'
import { Refusal } from '../../platform/errors.ts'

/** Bytes of a representation; both ends belong to it. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Sent with answers that can be requested in parts. */
export const RANGED = ['Accept-Ranges', 'bytes'] as const

/** Longer headers are ignored: one part needs less, and the parser would read every range. */
const MAX_HEADER_LENGTH = 200

/**
 * The requested part (RFC 9110 §14.2); null if the whole is sent, as for several ranges, malformed ranges, and an
 * `If-Range` that names another version. Refuses a range behind the end.
 */
export function requestedRange(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  etag: string,
  size: number,
): ByteRange | null {
  const range = rangeFor(request, etag)
  if (range === null) return null
  const ranges = parseRange(size, range)
  if (ranges === -1 && isWellFormed(range)) {
    response.setHeader('Content-Range', `bytes */${size}`)
    const detail = `${range} is outside of the file, which has ${size} bytes.`
    throw new Refusal('range_not_satisfiable', detail)
  }
  if (typeof ranges === 'number' || ranges.type !== 'bytes' || ranges.length !== 1) return null
  return ranges[0] ?? null
}

/** The Range header, unless it has to be ignored. A date in `If-Range` never matches, because no answer has a date. */
function rangeFor({ method, headers }: IncomingMessage, etag: string): string | null {
  const { range, 'if-range': condition = etag } = headers
  if (method !== 'GET' || range === undefined || range.length > MAX_HEADER_LENGTH) return null
  return condition === etag ? range : null
}

/** The parser takes a range that ends before it begins for one behind the end. */
function isWellFormed(range: string): boolean {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  return first !== undefined && (last === '' || Number(last) >= Number(first))
}

/** Headers of an answer that is one part. */
export function rangeHeaders({ start, end }: ByteRange, size: number): string[] {
  return [
    'Content-Range',
    `bytes ${start}-${end}/${size}`,
    'Content-Length',
    String(end - start + 1),
    // Replaces the header of whole answers.
    'Access-Control-Expose-Headers',
    'ETag, Content-Range',
  ]
}

/** The bytes within a range; nothing after it is read. */
export async function* cut(pieces: AsyncIterable<Buffer>, { start, end }: ByteRange): AsyncGenerator<Buffer> {
  let offset = 0
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(start - offset, 0), Math.max(end + 1 - offset, 0))
    if (part.length > 0) yield part
    offset += piece.length
    if (offset > end) return
  }
}
