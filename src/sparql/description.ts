import type { PublicGraph } from '../contracts/graphs.ts'
import { convert, iriToken, literalToken } from '../graph/store.ts'
import { dcterms, FORMAT_IRIS, rdf, sd } from '../graph/vocabulary.ts'

/** Describes the service (SPARQL 1.1 Service Description) in a format of graphs. */
export function describeService(endpoint: string, graphs: readonly PublicGraph[], mediaType: string): string {
  const lines = [...serviceLines(endpoint), ...graphs.flatMap((graph) => graphLines(endpoint, graph))]
  const document = convert(lines.map((line) => `${line} .\n`).join(''), mediaType)
  return mediaType === 'application/ld+json' ? `{"@graph":${document}}` : document
}

function serviceLines(endpoint: string): readonly string[] {
  const [dataset, others, main] = ['dataset', 'graphs', 'default'].map((part) => `${endpoint}#${part}`)
  if (dataset === undefined || others === undefined || main === undefined) return []
  return [
    link(endpoint, rdf.type, sd.Service),
    link(endpoint, sd.endpoint, endpoint),
    link(endpoint, sd.supportedLanguage, sd.SPARQL11Query),
    ...Object.values(FORMAT_IRIS).map((format) => link(endpoint, sd.resultFormat, format)),
    link(endpoint, sd.defaultDataset, dataset),
    link(dataset, rdf.type, sd.Dataset),
    link(dataset, sd.defaultGraph, main),
    link(main, rdf.type, sd.Graph),
    link(endpoint, sd.availableGraphs, others),
    link(others, rdf.type, sd.GraphCollection),
  ]
}

/** The dataset has the graphs of every query; queries have to name the other graphs. */
function graphLines(endpoint: string, { iri, role, title }: PublicGraph): readonly string[] {
  const node = `${endpoint}#${encodeURIComponent(iri)}`
  const holder = role === 'pinned' ? `${endpoint}#graphs` : `${endpoint}#dataset`
  const main = `${endpoint}#default`
  return [
    link(holder, sd.namedGraph, node),
    link(node, rdf.type, sd.NamedGraph),
    link(node, sd.name, iri),
    `${iriToken(node)} ${iriToken(dcterms.title)} ${literalToken(title)}`,
    ...(role === 'default' ? [`${iriToken(main)} ${iriToken(dcterms.title)} ${literalToken(title)}`] : []),
  ]
}

function link(subject: string, predicate: string, object: string): string {
  return [subject, predicate, object].map(iriToken).join(' ')
}
