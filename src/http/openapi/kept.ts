import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { packedRepresentation, sendRepresentation, type PackedContent } from '../answer/representation.ts'

const pack = promisify(gzip)

/** A JSON document as it is kept: few ask for it, and packed it takes a tenth. */
export async function packed(text: string): Promise<PackedContent> {
  return {
    mediaType: 'application/json; charset=utf-8',
    body: await pack(text),
    length: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  }
}

/** Sends a compressed document, decompressed if the client does not accept the coding. */
export async function sendPacked(document: PackedContent, request: Request, response: Response): Promise<void> {
  // Only gzip is offered: browsers would choose brotli, for which the document would have to be unpacked.
  const coding = request.acceptsEncodings('gzip', 'identity') === 'gzip' ? 'gzip' : 'identity'
  const headers = ['Vary', 'Accept-Encoding', 'Cache-Control', 'no-cache']
  await sendRepresentation({ request, response }, packedRepresentation(document, { coding, headers }))
}
