import type { Term } from './term.ts'
import { xsd } from './vocabulary.ts'

/**
 * The store keeps numbers, booleans and times by their value: `"007"^^xsd:integer` comes out as `"7"`,
 * `"1"^^xsd:nonNegativeInteger` as an xsd:integer. Literals that it would rewrite are stored with a datatype of ours,
 * which holds their own, and read as they were written. The parser turns language tags into small letters, as
 * RDF 1.1 (§3.3) allows.
 */
const MARK = 'urn:parapet:written:'
const XSD_LITERAL = '"^^<http://www.w3.org/2001/XMLSchema#'

/** A statement in N-Quads whose object is a literal with a datatype. */
const STATEMENT = /^(\S+ \S+ )("(?:[^"\\]|\\.)*")\^\^<([^>]*)>(.*)$/s
/** The quote that ends a literal: an even number of backslashes, or none, stands before it. */
const MARKED = /(?<=(?:[^\\]|^)(?:\\\\)*)"\^\^<urn:parapet:written:([^>]*)>/g

/** Returns those of some literals, as N-Quads writes them, that the store would rewrite. */
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
