import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Request, Response } from 'express'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** A document as it is kept: few ask for it, and packed it takes a tenth. */
export async function packed(text: string): Promise<Buffer> {
  return pack(text)
}

/** Sends a compressed JSON document, decompressed if the client does not accept the coding. */
export async function sendPacked(document: Buffer, request: Request, response: Response): Promise<void> {
  response.vary('Accept-Encoding').type('json')
  // Only gzip is offered: browsers would choose brotli, for which the document would have to be unpacked.
  if (request.acceptsEncodings('gzip', 'identity') === 'gzip') response.set('Content-Encoding', 'gzip').send(document)
  else response.send(await unpack(document))
}
