import { wellFormed } from './iris.ts'

/**
 * A literal in the common form of N-Quads and Turtle (RDF 1.1 N-Quads, §4, STRING_LITERAL_QUOTE). JSON has the same
 * escapes, except for unpaired surrogates, which become U+FFFD.
 */
export function literalText(value: string, datatype?: string): string {
  const quoted = JSON.stringify(value)
  // Also true of some harmless texts, but a full check of every text takes longer than everything else.
  const isSuspect = quoted.includes('\\ud')
  const text = isSuspect ? JSON.stringify(wellFormed(value)) : quoted
  return datatype === undefined ? text : `${text}^^<${datatype}>`
}
