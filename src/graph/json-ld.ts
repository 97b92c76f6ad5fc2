import { getOrMake } from '../platform/get-or-make.ts'
import { idOf } from './syntax/subjects.ts'
import { compareCodeUnits, type Literal, type Statement, type Term } from './term.ts'
import { D3F, OWL, rdf, RDFS, SKOS, xsd } from './vocabulary.ts'

/** JSON-LD 1.1 as published: a context of prefixes and a flat graph of nodes (W3C JSON-LD §4). */
export interface JsonLdDocument {
  readonly '@context': Readonly<Record<string, string>>
  readonly '@graph': readonly JsonLdNode[]
}

export type JsonLdNode = Readonly<Record<string, unknown>>

interface DocumentOptions {
  /** `compact`: one value is a scalar. `arrays`: always an array. `@type` is compact in both. */
  readonly values: 'compact' | 'arrays'
  readonly context?: Readonly<Record<string, string>>
  /** Subjects to list even without statements. */
  readonly alsoNodes?: readonly string[]
}

/** The prefixes of published documents. */
export const CONTEXT = { rdfs: RDFS, owl: OWL, d3f: D3F, skos: SKOS } as const

/** The smaller context that `references` has always had; there `owl:` stays a full IRI. */
export const REFERENCES_CONTEXT = { rdfs: RDFS, d3f: D3F } as const

/**
 * Statements as a JSON-LD document. Nodes and keys are in code unit order of their full IRIs,
 * repeated statements count once, literals keep their lexical form (see `instant` for dates).
 */
export function jsonLdDocument(
  statements: Iterable<Statement>,
  { values, context = CONTEXT, alsoNodes = [] }: DocumentOptions,
): JsonLdDocument {
  const shorten = prefixer(context)
  const single = values === 'compact'
  const graph = groupByNode(statements, alsoNodes).map((node) => ({
    '@id': shorten(node.id),
    ...(node.types.length > 0 && { '@type': unwrap(node.types.map(shorten), true) }),
    ...Object.fromEntries(
      node.properties.map(([property, terms]) => [
        shorten(property),
        unwrap(
          terms.map((term) => compactValue(term, shorten)),
          single,
        ),
      ]),
    ),
  }))
  return { '@context': context, '@graph': graph }
}

/**
 * Statements as expanded JSON-LD: an array of nodes without a context, blank nodes first. Times without a zone stay
 * unchanged, because they do not name an instant.
 */
export function expandedJsonLd(statements: Iterable<Statement>): readonly JsonLdNode[] {
  return groupByNode(statements, []).map((node) => ({
    '@id': node.id,
    ...(node.types.length > 0 && { '@type': node.types }),
    ...Object.fromEntries(node.properties.map(([property, terms]) => [property, terms.map(graphValue)])),
  }))
}

interface NodeGroup {
  readonly id: string
  readonly types: readonly string[]
  readonly properties: readonly (readonly [string, readonly Term[]])[]
}

type Properties = Map<string, Map<string, Term>>

function groupByNode(statements: Iterable<Statement>, alsoNodes: readonly string[]): readonly NodeGroup[] {
  const nodes = new Map<string, Properties>(alsoNodes.map((id) => [id, new Map()]))
  for (const { subject, predicate, object } of statements) {
    const properties = getOrMake(nodes, idOf(subject), () => new Map())
    const terms = getOrMake(properties, predicate.value, () => new Map())
    terms.set(sortKey(object), object)
  }
  return sortEntries(nodes).map(([id, properties]) => toGroup(id, properties))
}

function toGroup(id: string, properties: Properties): NodeGroup {
  const ordered = sortEntries(properties).map(
    ([property, terms]) => [property, sortEntries(terms).map(([, term]) => term)] as const,
  )
  return {
    id,
    types: ordered.filter(([property]) => property === rdf.type).flatMap(([, t]) => t.map(idOf)),
    properties: ordered.filter(([property]) => property !== rdf.type),
  }
}

function sortEntries<V>(map: ReadonlyMap<string, V>): readonly (readonly [string, V])[] {
  return [...map].sort(([a], [b]) => compareCodeUnits(a, b))
}

function sortKey(term: Term): string {
  if (term.type !== 'literal') return idOf(term)
  return `${term.value}\u0000${term.datatype ?? ''}\u0000${term['xml:lang'] ?? ''}`
}

function unwrap(values: readonly unknown[], single: boolean): unknown {
  return single && values.length === 1 ? values[0] : values
}

function compactValue(term: Term, shorten: (iri: string) => string): unknown {
  if (term.type !== 'literal') return { '@id': shorten(idOf(term)) }
  if (term['xml:lang'] === undefined && term.datatype === undefined) return term.value
  return expandedLiteral(term, instant)
}

function graphValue(term: Term): unknown {
  if (term.type !== 'literal') return { '@id': idOf(term) }
  return expandedLiteral(term, (time) => (HAS_ZONE.test(time) ? instant(time) : time))
}

function expandedLiteral(
  { value, datatype, 'xml:lang': language }: Literal,
  writeTime: (lexical: string) => string,
): unknown {
  if (language !== undefined) return { '@language': language, '@value': value }
  if (datatype === undefined) return { '@value': value }
  return { '@type': datatype, '@value': datatype === xsd.dateTime ? writeTime(value) : value }
}

const HAS_ZONE = /(?:Z|[+-]\d\d:\d\d)$/
const DATE_TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?$/

/**
 * An xsd:dateTime as a UTC instant with milliseconds; without a zone it counts as UTC. Other texts stay unchanged.
 */
export function instant(lexical: string): string {
  const [, day, clock, zone = 'Z'] = DATE_TIME.exec(lexical) ?? []
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const time = Date.parse(`${day}${clock}${zone}`)
  if (Number.isNaN(midnight) || Number.isNaN(time)) return lexical
  // Date.parse takes 30 February for 2 March.
  const exists = new Date(midnight).toISOString().startsWith(`${day}T`)
  return exists ? new Date(time).toISOString() : lexical
}

function prefixer(context: Readonly<Record<string, string>>): (iri: string) => string {
  const namespaces = Object.entries(context)
  return (iri) => {
    const match = namespaces.find(([, namespace]) => iri.startsWith(namespace))
    return match === undefined ? iri : `${match[0]}:${iri.slice(match[1].length)}`
  }
}
