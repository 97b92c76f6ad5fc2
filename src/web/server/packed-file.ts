import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import { acceptedCoding, type Coding } from '../../http/answer/negotiation.ts'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** A tenth smaller than the next, and a second of work; the highest is another tenth smaller, and fourteen seconds of work. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
const HOUR = 3600

/** A file that does not change while the service runs. It is packed when somebody first asks for it so, and kept. */
export function packedFile(file: string, type: string): RequestHandler {
  const bodies = new Map<Coding, Promise<Buffer>>()
  const bodyIn = (coding: Coding): Promise<Buffer> => {
    const body = bodies.get(coding) ?? pack(file, coding)
    bodies.set(coding, body)
    return body
  }
  return async (request, response) => {
    const coding = acceptedCoding(request.get('Accept-Encoding')) ?? 'identity'
    const body = await bodyIn(coding)
    if (coding !== 'identity') response.set('Content-Encoding', coding)
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 32)
    response.vary('Accept-Encoding')
    response.set({ ETag: `"${digest}"`, 'Cache-Control': `public, max-age=${HOUR}` })
    response.type(type).send(body)
  }
}

async function pack(file: string, coding: Coding): Promise<Buffer> {
  const body = await readFile(file)
  if (coding === 'br') return toBrotli(body, QUALITY)
  return coding === 'gzip' ? toGzip(body) : body
}
