import type { PublicGraphs } from '../../../../contracts/graphs.ts'
import { rdf } from '../../../../graph/vocabulary.ts'
import type { CatalogueGraph } from './catalogue-graph.ts'
import { GUIDANCE_TERMS, type GuidanceTerm } from './guidance-terms.ts'
import type { Iris } from './iris.ts'
import { dc, dcterms, schema, skos } from './terms.ts'

/** Of a rule; only people who are signed in may read them. */
const TEXTS: readonly GuidanceTerm[] = ['check', 'discussion', 'fix']

/**
 * The catalogue as everybody may have it: what rules, CCIs and requirements are called, and what links them. The
 * same as the endpoints that are open to everybody tell; texts are left out.
 */
export function publicCatalogue(graph: CatalogueGraph): PublicGraphs {
  const { controls } = graph.iris
  const shown = shownPredicates(graph.iris)
  return {
    list: () =>
      graph.read(({ held }) =>
        Promise.resolve(held.map((one) => ({ ...one, role: 'named' as const }))),
      ),
    // Also where it has changed since it was listed: while others import, something always has. The next list says so.
    read: ({ iri }) =>
      graph.readAsItIs(async (catalogue) => {
        const isThere = catalogue.held.some((one) => one.iri === iri)
        // In the graph of controls, properties of the ontology relate controls to techniques, whatever they are.
        return isThere ? catalogue.graph.nTriples(iri, iri === controls ? null : shown) : null
      }),
  }
}

function shownPredicates({ namespace }: Iris): readonly string[] {
  const { identifier, isPartOf, isVersionOf, issued, replaces, title } = dcterms
  const own = GUIDANCE_TERMS.filter((term) => !TEXTS.includes(term))
  return [
    ...[rdf.type, identifier, isPartOf, isVersionOf, issued, replaces, title],
    ...[schema.version, ...Object.values(dc), ...Object.values(skos)],
    ...own.map((term) => namespace + term),
  ]
}
