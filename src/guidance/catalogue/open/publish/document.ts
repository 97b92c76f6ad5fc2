import type { Document } from '../../../../http/answer/answers.ts'
import { encodeJson } from '../../../../http/answer/json.ts'
import type { Hash } from '../hashes/schemas.ts'

/** A document of the open catalogue with its address. It is generated when it is written. */
export interface CatalogueDocument {
  readonly url: string
  /** Generates the content. A document that lists hashes requests them with `hashOf`. */
  readonly write: (hashOf: HashOf) => Promise<string | Uint8Array>
}

/** Returns the hash of a document, which is generated if its hash is not known yet. */
export type HashOf = (document: CatalogueDocument) => Promise<Hash>

export function json(url: string, makeContent: (hashOf: HashOf) => unknown): CatalogueDocument {
  return { url, write: async (hashOf) => wholeBody(encodeJson(await makeContent(hashOf))) }
}

/** Joins the pieces in which HTTP sends a long document. */
export async function wholeBody(body: Document['body']): Promise<string | Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}
