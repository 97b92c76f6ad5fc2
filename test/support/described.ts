import { DataFactory, Parser, Store, Writer, type Quad, type Term } from 'n3'
import { canonicalNQuads } from '../../src/ontology/ingest/canonical.ts'

/** A graph as n3 reads it, which computes the expected answer of a DESCRIBE. */
export class ReadFile {
  readonly #quads: Store

  constructor(text: string) {
    this.#quads = new Store(new Parser().parse(text))
  }

  /** The IRIs of all named subjects. */
  subjects(): readonly string[] {
    return this.#quads
      .getSubjects(null, null, null)
      .filter(({ termType }) => termType === 'NamedNode')
      .map(({ value }) => value)
  }

  /** The statements about a subject and about the blank nodes that they lead to, as N-Triples. */
  described(iri: string): string {
    const reached: Term[] = [DataFactory.namedNode(iri)]
    const quads: Quad[] = []
    for (const node of reached) {
      for (const quad of this.#quads.getQuads(node, null, null, null)) {
        quads.push(quad)
        const { object } = quad
        const isKnown = reached.some((term) => term.equals(object))
        if (object.termType === 'BlankNode' && !isKnown) reached.push(object)
      }
    }
    return new Writer({ format: 'N-Triples' }).quadsToString(quads)
  }
}

/** The canonical form of N-Triples, with the literals written as n3 writes them. */
export async function asRead(nTriples: string): Promise<string> {
  const quads = new Parser({ format: 'N-Triples' }).parse(nTriples)
  return canonicalNQuads(new Writer({ format: 'N-Triples' }).quadsToString(quads))
}
