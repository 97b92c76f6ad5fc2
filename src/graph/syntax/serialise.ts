import type { Statement } from '../term.ts'
import { jsonLdPieces, type JsonLdForm } from './json-ld.ts'
import { nTriplesPieces, turtlePieces } from './n3.ts'
import { schemesOf, usablePrefixes, type Prefixes } from './prefixes.ts'
import { rdfXmlPieces } from './rdf-xml.ts'
import { ordered } from './subjects.ts'
import type { SyntaxName } from './syntaxes.ts'

export interface SerialiseOptions {
  readonly syntax: SyntaxName
  /** Prefixes that would make names ambiguous are not used. */
  readonly prefixes: Prefixes
  /** Profile of JSON-LD; default: compacted. */
  readonly form?: JsonLdForm | undefined
}

/**
 * Writes statements in any order as a document in pieces, which can be read once. The same statements give the same text.
 * All statements have to fit into memory.
 */
export function serialise(statements: Iterable<Statement>, writing: SerialiseOptions): Iterable<string> {
  const all = ordered(statements)
  return serialiseOrdered(all, { ...writing, prefixes: usablePrefixes(writing.prefixes, schemesOf(all)) })
}

/** Serialises statements that are grouped by subject without duplicates, with prefixes that are known to be usable. */
export function serialiseOrdered(
  statements: Iterable<Statement>,
  { syntax, prefixes, form = 'compacted' }: SerialiseOptions,
): Iterable<string> {
  switch (syntax) {
    case 'turtle':
      return turtlePieces(statements, prefixes)
    case 'nTriples':
    case 'nQuads':
      return nTriplesPieces(statements)
    case 'rdfXml':
      return rdfXmlPieces(statements, prefixes)
    case 'jsonLd':
      return jsonLdPieces(statements, { form, prefixes })
  }
}
