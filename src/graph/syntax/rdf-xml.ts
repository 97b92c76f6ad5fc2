import { Refusal } from '../../platform/errors.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { escapeMarkup } from '../../platform/markup.ts'
import type { Statement, Term } from '../term.ts'
import { RDF } from '../vocabulary.ts'
import type { Prefixes } from './prefixes.ts'
import { subjectsOf, type Subject } from './subjects.ts'

/**
 * The longest end of an IRI that is a name of an element (NCName). XML allows more letters; a name that begins after such
 * a letter is valid too.
 */
const LOCAL_NAME =
  /[A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u3001-\ud7ff][\w.\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u3001-\ud7ff-]*$/u
/** Names of the RDF namespace that are syntax where a property is expected (RDF 1.1 XML Syntax §5.1). */
const RESERVED = /^(?:RDF|ID|about|parseType|resource|nodeID|datatype|bagID|aboutEach(?:Prefix)?|Description|li)$/
/** Characters that XML 1.0 cannot contain. */
// oxlint-disable-next-line no-control-regex -- the pattern finds control characters
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

type ElementNamer = (iri: string) => { readonly tag: string; readonly declaration: string }

/**
 * Writes statements, which are grouped by subject, as RDF/XML. Refuses properties that cannot be element names, and texts
 * with characters that XML does not have.
 */
export function* rdfXmlPieces(statements: Iterable<Statement>, prefixes: Prefixes): Generator<string> {
  const withRdf = { rdf: RDF, ...withoutRdf(prefixes) }
  const declared = Object.entries(withRdf).map(([prefix, iri]) => `\n    xmlns:${prefix}="${escapeMarkup(iri)}"`)
  const name = namer(withRdf)
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF${declared.join('')}>\n`
  for (const subject of subjectsOf(statements)) yield describeSubject(subject, name)
  yield '</rdf:RDF>\n'
}

/** Elements of the syntax itself have the prefix `rdf`, so no other namespace may have it. */
function withoutRdf(prefixes: Prefixes): Prefixes {
  const entries = Object.entries(prefixes)
  return Object.fromEntries(entries.filter(([prefix, iri]) => prefix !== 'rdf' && iri !== RDF))
}

function describeSubject({ node, statements }: Subject, name: ElementNamer): string {
  const properties = statements.map(({ predicate, object }) => describeProperty(name(predicate.value), object))
  return `  <rdf:Description ${reference(node, 'about')}>\n${properties.join('')}  </rdf:Description>\n`
}

function describeProperty({ tag, declaration }: ReturnType<ElementNamer>, object: Term): string {
  const start = `    <${tag}${declaration}`
  if (object.type !== 'literal') return `${start} ${reference(object, 'resource')}/>\n`
  const { value, datatype, 'xml:lang': language } = object
  const typed = datatype === undefined ? '' : ` rdf:datatype="${escapeMarkup(datatype)}"`
  const attribute = language === undefined ? typed : ` xml:lang="${escapeMarkup(language)}"`
  return `${start}${attribute}>${textContent(value)}</${tag}>\n`
}

/** Labels get a letter in front, because node names cannot begin with a digit. */
function reference({ type, value }: Term, attribute: 'about' | 'resource'): string {
  if (type === 'bnode') return `rdf:nodeID="b${escapeMarkup(value)}"`
  return `rdf:${attribute}="${escapeMarkup(value)}"`
}

/** A carriage return would be read as a line feed. */
function textContent(text: string): string {
  const character = UNWRITABLE.exec(text)?.[0]
  if (character === undefined) return escapeMarkup(text).replaceAll('\r', '&#13;')
  const code = character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()
  throw unwritableRefusal(`a text has U+${code}, which XML does not allow`)
}

function namer(prefixes: Prefixes): ElementNamer {
  const byNamespace = new Map(Object.entries(prefixes).map(([prefix, iri]) => [iri, prefix]))
  const namers = new Map<string, ReturnType<ElementNamer>>()
  return (iri) => getOrMake(namers, iri, () => nameOf(iri, byNamespace))
}

function nameOf(iri: string, byNamespace: ReadonlyMap<string, string>): ReturnType<ElementNamer> {
  const local = LOCAL_NAME.exec(iri)?.[0] ?? ''
  const namespace = iri.slice(0, iri.length - local.length)
  if (local === '' || namespace === '' || (namespace === RDF && RESERVED.test(local)))
    throw unwritableRefusal(`the property <${iri}> cannot be the name of an element`)
  const prefix = byNamespace.get(namespace)
  if (prefix !== undefined) return { tag: `${prefix}:${local}`, declaration: '' }
  return { tag: `p_:${local}`, declaration: ` xmlns:p_="${escapeMarkup(namespace)}"` }
}

function unwritableRefusal(why: string): Refusal {
  const detail = `This cannot be written as RDF/XML: ${why}. Use Turtle, N-Triples or JSON-LD.`
  return new Refusal('not_acceptable', detail)
}
