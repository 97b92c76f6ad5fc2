import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { acceptedCoding } from '../negotiation.ts'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** A document as it is kept: few ask for it, and packed it takes a tenth. */
export async function packed(text: string): Promise<Buffer> {
  return pack(text)
}

/** Sends a packed document of JSON, unpacked to whoever does not take it packed. */
export async function sendPacked(
  document: Buffer,
  request: Request,
  response: Response,
): Promise<void> {
  response.vary('Accept-Encoding').type('json')
  if (acceptedCoding(request.get('Accept-Encoding')) === 'gzip')
    response.set('Content-Encoding', 'gzip').send(document)
  else response.send(await unpack(document))
}
