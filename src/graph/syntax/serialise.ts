import { append } from '../../platform/append.ts'
import type { Statement, Term } from '../term.ts'
import { rdf } from '../vocabulary.ts'
import { nTriplesPieces, turtlePieces } from './n3.ts'
import { type Prefixes, schemesOf, type Shorten, shortener, usablePrefixes } from './prefixes.ts'
import { rdfXmlPieces } from './rdf-xml.ts'
import { idOf, ordered, type Subject, subjectsOf } from './subjects.ts'
import type { SyntaxName } from './syntaxes.ts'

/**
 * The forms of a JSON-LD document (JSON-LD 1.1 §4.6, profile parameter). All are flat: one node for each subject.
 * `expanded` is an array with full names, `compacted` has a context of prefixes and a `@graph`.
 */
type JsonLdForm = 'expanded' | 'compacted'

interface NodeStyle {
  readonly shorten: Shorten
  /** Whether a single value has no array, and a plain text no object. */
  readonly compact: boolean
}

const EXPANDED: NodeStyle = { shorten: (iri) => iri, compact: false }

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
  const sorted = ordered(statements)
  return serialiseOrdered(sorted, { ...writing, prefixes: usablePrefixes(writing.prefixes, schemesOf(sorted)) })
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

/**
 * Writes statements, which are grouped by subject, as JSON-LD with one node a line. Literals keep their spelling.
 */
function* jsonLdPieces(
  statements: Iterable<Statement>,
  { form, prefixes }: { readonly form: JsonLdForm; readonly prefixes: Prefixes },
): Generator<string> {
  const isCompact = form === 'compacted'
  const style = isCompact ? { shorten: shortener(prefixes), compact: true } : EXPANDED
  yield isCompact ? `{"@context":${JSON.stringify(prefixes)},"@graph":[` : '['
  let separator = '\n'
  for (const subject of subjectsOf(statements)) {
    yield separator + JSON.stringify(nodeOf(subject, style))
    separator = ',\n'
  }
  yield isCompact ? '\n]}\n' : '\n]\n'
}

function nodeOf({ node, statements }: Subject, style: NodeStyle): unknown {
  const properties = new Map<string, unknown[]>()
  for (const { predicate, object } of statements) {
    // `@type` can only have names; a literal needs the property itself.
    const isType = predicate.value === rdf.type && object.type !== 'literal'
    const key = isType ? '@type' : style.shorten(predicate.value)
    append(properties, key, isType ? style.shorten(idOf(object)) : valueOf(object, style))
  }
  const unwrapSingle = (objects: readonly unknown[]): unknown =>
    style.compact && objects.length === 1 ? objects[0] : objects
  const entries = Array.from(properties, ([key, objects]) => [key, unwrapSingle(objects)] as const)
  return { '@id': style.shorten(idOf(node)), ...Object.fromEntries(entries) }
}

function valueOf(term: Term, { shorten, compact }: NodeStyle): unknown {
  if (term.type !== 'literal') return { '@id': shorten(idOf(term)) }
  const { value, datatype, 'xml:lang': language } = term
  if (language !== undefined) return { '@language': language, '@value': value }
  if (datatype !== undefined) return { '@type': shorten(datatype), '@value': value }
  return compact ? value : { '@value': value }
}
