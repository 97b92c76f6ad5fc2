import type { Term } from './term.ts'
import { xsd } from './vocabulary.ts'

/**
 * The store keeps the values of numbers, booleans and times, not their spelling: it returns `"007"^^xsd:integer` as `"7"`
 * and `"1"^^xsd:nonNegativeInteger` as an xsd:integer. Literals that it would rewrite are stored with a datatype of ours
 * that contains their own, so that they can be read as they were written. The parser writes language tags in lower case,
 * as RDF 1.1 (§3.3) allows.
 */
const MARK = 'urn:parapet:written:'
const XSD_LITERAL = '"^^<http://www.w3.org/2001/XMLSchema#'

/** A statement in N-Quads whose object is a literal with a datatype. */
const STATEMENT = /^(\S+ \S+ )("(?:[^"\\]|\\.)*")\^\^<([^>]*)>(.*)$/s
/** The quote that ends a literal: an even number of backslashes, or none, stands before it. */
const MARKED = /(?<=(?:[^\\]|^)(?:\\\\)*)"\^\^<urn:parapet:written:([^>]*)>/g

/** Selects the literals (as in N-Quads) that the store would rewrite. */
export type FindRewrittenLiterals = (literals: ReadonlySet<string>) => ReadonlySet<string>

/** Lines of N-Quads, with a mark on the literals that the store would rewrite. */
export function markLines(lines: readonly string[], findRewritten: FindRewrittenLiterals): readonly string[] {
  const literals = new Map<number, string>()
  for (const [index, line] of lines.entries()) {
    const [, , text, datatype] = line.includes(XSD_LITERAL) ? (STATEMENT.exec(line) ?? []) : []
    if (text === undefined || datatype === undefined || datatype === xsd.string) continue
    literals.set(index, `${text}^^<${datatype}>`)
  }
  const rewritten = findRewritten(new Set(literals.values()))
  if (rewritten.size === 0) return lines
  return lines.map((line, index) =>
    rewritten.has(literals.get(index) ?? '') ? line.replace(STATEMENT, `$1$2^^<${MARK}$3>$4`) : line,
  )
}

/** N-Quads with the marked literals as they were written. */
export function unmarkText(nquads: string): string {
  return nquads.includes(MARK) ? nquads.replace(MARKED, '"^^<$1>') : nquads
}

/** A term as it was written. */
export function unmarkTerm(term: Term): Term {
  if (term.type !== 'literal' || term.datatype?.startsWith(MARK) !== true) return term
  return { ...term, datatype: term.datatype.slice(MARK.length) }
}
