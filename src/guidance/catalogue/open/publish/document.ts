import type { Hash } from '../hashes/schemas.ts'

/** A document of the open catalogue at its address; it is made when it is written. */
export interface CatalogueDocument {
  readonly url: string
  /** A document that lists hashes of others asks for them. */
  readonly write: (hashOf: HashOf) => Promise<string | Uint8Array>
}

/** The hash of a document, which is made for it unless it is known. */
export type HashOf = (document: CatalogueDocument) => Promise<Hash>
