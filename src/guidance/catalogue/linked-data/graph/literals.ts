import { wellFormed } from './iris.ts'

/**
 * A literal as N-Quads and Turtle both write it (RDF 1.1 N-Quads, §4, STRING_LITERAL_QUOTE): as JSON
 * writes it, which escapes the same. Only halves of characters JSON escapes in a way that these do not
 * know; they become U+FFFD.
 */
export function literalText(value: string, datatype?: string): string {
  const quoted = JSON.stringify(value)
  // Also true of some harmless texts; looking for halves in every text takes longer than all the rest.
  const isSuspect = quoted.includes('\\ud')
  const text = isSuspect ? JSON.stringify(wellFormed(value)) : quoted
  return datatype === undefined ? text : `${text}^^<${datatype}>`
}
