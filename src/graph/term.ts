/** RDF terms in the shape of SPARQL 1.1 Query Results JSON (W3C), §3.2.2. */
export interface Iri {
  readonly type: 'uri'
  readonly value: string
}

export interface BlankNode {
  readonly type: 'bnode'
  readonly value: string
}

export interface Literal {
  readonly datatype?: string
  readonly type: 'literal'
  readonly value: string
  readonly 'xml:lang'?: string
}

export type Term = Iri | BlankNode | Literal

export interface Statement {
  readonly subject: Iri | BlankNode
  readonly predicate: Iri
  readonly object: Term
}

export function iri(value: string): Iri {
  return { type: 'uri', value }
}

export function text(value: string): Literal {
  return { type: 'literal', value }
}

/** A key that only equal terms share. */
export function termKey(term: Term): string {
  if (term.type !== 'literal') return `${term.type} ${term.value}`
  return `literal ${term.datatype ?? ''} ${term['xml:lang'] ?? ''} ${term.value}`
}

/** The order of IRIs, labels and literals: by code units. */
export function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
