import { rdf } from '../../../../graph/vocabulary.ts'
import { wellFormed } from './iris.ts'

/** Collects the statements of one named graph as N-Quads, in order. */
export class QuadWriter {
  readonly #lines: string[] = []
  readonly #graph: string

  constructor(graph: string) {
    this.#graph = graph
  }

  type(subject: string, type: string): void {
    this.link(subject, rdf.type, type)
  }

  /** The object is a complete, encoded IRI, like all subjects and predicates. */
  link(subject: string, predicate: string, object: string): void {
    this.#add(subject, predicate, `<${object}>`)
  }

  /** Adds nothing for null and the empty text. */
  text(subject: string, predicate: string, value: string | null): void {
    if (value !== null && value !== '') this.#add(subject, predicate, literalText(value))
  }

  typed(subject: string, predicate: string, value: { readonly lexical: string; readonly datatype: string }): void {
    this.#add(subject, predicate, literalText(value.lexical, value.datatype))
  }

  /** The statements since the last call, one per line. */
  take(): string {
    return this.#lines.splice(0).join('')
  }

  #add(subject: string, predicate: string, object: string): void {
    this.#lines.push(`<${subject}> <${predicate}> ${object} <${this.#graph}> .\n`)
  }
}

/**
 * A literal in the common form of N-Quads and Turtle (RDF 1.1 N-Quads, §4, STRING_LITERAL_QUOTE). JSON has the same
 * escapes, except for unpaired surrogates, which become U+FFFD.
 */
function literalText(value: string, datatype?: string): string {
  const quoted = JSON.stringify(value)
  // Also matches harmless texts, but a full check of every text would take longer than all other work.
  const isSuspect = quoted.includes('\\ud')
  const text = isSuspect ? JSON.stringify(wellFormed(value)) : quoted
  return datatype === undefined ? text : `${text}^^<${datatype}>`
}
