declare module 'rdf-canonize' {
  import type { PlainQuad } from '../../graph/store.ts'

  /** RDF Dataset Canonicalization (W3C). Rejects when the work limit or the signal is hit. */
  export function canonize(
    dataset: readonly PlainQuad[],
    options: {
      readonly algorithm: 'RDFC-1.0'
      readonly format: 'application/n-quads'
      readonly maxWorkFactor?: number
      readonly signal?: AbortSignal
    },
  ): Promise<string>
}
