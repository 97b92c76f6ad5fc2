import type { PublicGraph } from '../../contracts/graphs.ts'
import { nearestNames } from '../../graph/nearest.ts'
import { Refusal } from '../../platform/errors.ts'
import type { QueryProperties } from '../query/read-query.ts'
import type { PublishedGraphs } from './library.ts'

/** Graphs that a request names, IRI by IRI. */
export interface RequestedGraphs {
  readonly defaults: readonly string[]
  readonly named: readonly string[]
}

/** The dataset of a query, and the graphs that have to be loaded for it. */
export interface ChosenDataset extends RequestedGraphs {
  readonly pinned: readonly PublicGraph[]
  /** IRIs of the published graphs that the query can read. */
  readonly read: ReadonlySet<string>
}

/** Limit of the pinned releases in one query, because each has to be read for it. */
const MAX_PINNED = 4

/**
 * The graphs that the request names, or else those that the query names (SPARQL 1.1 Protocol, §2.1.4). Without any, the
 * default graph is the active release; the named graphs are the active release, the catalogue, and each pinned release
 * that the query mentions. Refuses unknown graphs.
 */
export function chooseDataset(
  published: PublishedGraphs,
  { from, fromNamed, mentioned, readsNamed }: Pick<QueryProperties, 'from' | 'fromNamed' | 'mentioned' | 'readsNamed'>,
  request: RequestedGraphs,
): ChosenDataset {
  const requested = isNamed(request) ? request : { defaults: from, named: fromNamed }
  const chosen = isNamed(requested) ? requested : allPublishedGraphs(published, mentioned)
  const iris = [...new Set([...chosen.defaults, ...chosen.named])]
  const held = new Set(published.held.map(({ iri }) => iri))
  const pinned = iris.filter((iri) => !held.has(iri)).map((iri) => requirePinned(published, iri))
  if (pinned.length > MAX_PINNED) {
    const detail = `A query can use at most ${MAX_PINNED} releases that are not active.`
    throw new Refusal('query_too_demanding', detail)
  }
  return { ...chosen, pinned, read: new Set(readsNamed ? iris : chosen.defaults) }
}

function isNamed({ defaults, named }: RequestedGraphs): boolean {
  return defaults.length > 0 || named.length > 0
}

function allPublishedGraphs({ held, pinned }: PublishedGraphs, mentioned: ReadonlySet<string>): RequestedGraphs {
  const defaults = held.filter(({ role }) => role === 'default').map(({ iri }) => iri)
  const others = [...pinned.keys()].filter((iri) => mentioned.has(iri))
  return { defaults, named: [...held.map(({ iri }) => iri), ...others] }
}

function requirePinned({ held, pinned }: PublishedGraphs, iri: string): PublicGraph {
  const pinnedGraph = pinned.get(iri)
  if (pinnedGraph !== undefined) return pinnedGraph
  const graphIris = [...held.map((graph) => graph.iri), ...pinned.keys()]
  const spellings = graphIris.map((name) => ({ name, folded: name.toLowerCase() }))
  const suggestions = nearestNames(iri.toLowerCase(), spellings).map(({ name }) => name)
  const detail = `There is no graph <${iri.slice(0, 500)}>. GET /sparql lists the graphs.`
  throw new Refusal('graph_not_found', detail, { did_you_mean: suggestions })
}
