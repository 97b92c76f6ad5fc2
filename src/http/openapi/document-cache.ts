import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { getOrMake } from '../../platform/get-or-make.ts'
import { packedRepresentation, sendRepresentation, type PackedContent } from '../answer/representation.ts'
import type { Json } from './json-schema.ts'
import { toYaml } from './yaml.ts'

const pack = promisify(gzip)

type DocumentSyntax = 'json' | 'yaml'

export type DocumentCache = (syntax?: DocumentSyntax) => Promise<PackedContent>

/** Caches the document in each syntax. */
export function createDocumentCache(describe: () => Promise<Json>): DocumentCache {
  const documents = new Map<DocumentSyntax, Promise<PackedContent>>()
  return (syntax = 'json') => getOrMake(documents, syntax, () => describe().then((value) => packedIn(syntax, value)))
}

async function packedIn(syntax: DocumentSyntax, document: Json): Promise<PackedContent> {
  return syntax === 'json'
    ? packText(JSON.stringify(document), 'application/json')
    : packText(await toYaml(document), 'application/yaml')
}

/** Compressed, because it is rarely requested and takes a tenth of the memory. */
async function packText(text: string, mediaType: string): Promise<PackedContent> {
  return {
    mediaType: `${mediaType}; charset=utf-8`,
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
