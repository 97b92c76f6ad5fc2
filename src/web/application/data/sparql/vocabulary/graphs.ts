import type { ExpandedNode } from '../../../ontology/subject/subject.ts'

/** A graph that can be queried. */
export interface QueryGraph {
  readonly iri: string
  readonly title: string
}

/** The service as it describes itself. */
export interface ServiceDescription {
  /** The address of the service, without a final slash. */
  readonly base: string
  readonly graphs: readonly QueryGraph[]
  /** The title of the default graph. */
  readonly main: string | null
}

const NAME = 'http://www.w3.org/ns/sparql-service-description#name'
const ENDPOINT = 'http://www.w3.org/ns/sparql-service-description#endpoint'
const TITLE = 'http://purl.org/dc/terms/title'

/** Shapes the service description (expanded JSON-LD). A node may be in several pieces. */
export function shapeDescription(nodes: readonly ExpandedNode[]): ServiceDescription {
  const titles = new Map(
    nodes.flatMap((node) => valuesOf(node, TITLE).map((title) => [idOf(node), withoutMidnight(title)] as const)),
  )
  const endpoint = nodes.flatMap((node) => valuesOf(node, ENDPOINT))[0] ?? ''
  const graphs = nodes.flatMap((node) =>
    valuesOf(node, NAME).map((iri) => ({ iri, title: titles.get(idOf(node)) ?? iri })),
  )
  return {
    base: endpoint.replace(/\/sparql$/, ''),
    graphs: graphs.toSorted((a, b) => (a.title < b.title ? -1 : 1)),
    main: titles.get(`${endpoint}#default`) ?? null,
  }
}

/** A release has a date, which the graph states as a time. */
function withoutMidnight(title: string): string {
  return title.replace(/T00:00:00(?:\+00:00|Z)$/, '')
}

function idOf(node: ExpandedNode): string {
  return String(node['@id'])
}

function valuesOf(node: ExpandedNode, property: string): readonly string[] {
  const values: unknown = node[property]
  if (!Array.isArray(values)) return []
  return values.map((value: Readonly<Record<string, unknown>>) => String(value['@id'] ?? value['@value']))
}
