import type { Document } from '../../../../http/answer/answers.ts'
import { encodeJson } from '../../../../http/answer/json.ts'
import type { Hash } from '../hashes/schemas.ts'

/** A document of the open catalogue at its address; it is made when it is written. */
export interface CatalogueDocument {
  readonly url: string
  /** A document that lists hashes of others asks for them. */
  readonly write: (hashOf: HashOf) => Promise<string | Uint8Array>
}

/** The hash of a document, which is made for it unless it is known. */
export type HashOf = (document: CatalogueDocument) => Promise<Hash>

export function json(url: string, shape: (hashOf: HashOf) => unknown): CatalogueDocument {
  return { url, write: async (hashOf) => whole(encodeJson(await shape(hashOf))) }
}

/** Joins the pieces in which HTTP sends a long document. */
export async function whole(body: Document['body']): Promise<string | Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}
