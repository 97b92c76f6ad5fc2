declare module 'rdf-canonize' {
  /** RDF Dataset Canonicalization (W3C). Rejects when the work limit or the signal is hit. */
  export function canonize(
    input: string,
    options: {
      readonly algorithm: 'RDFC-1.0'
      readonly inputFormat: 'application/n-quads'
      readonly format: 'application/n-quads'
      readonly maxWorkFactor?: number
      readonly signal?: AbortSignal
    },
  ): Promise<string>
}
