import { D3F } from '../../../../graph/vocabulary.ts'

/** `d3f:AccountLocking`; IRIs outside the ontology's namespace stay whole. */
export function shortName(iri: string): string {
  return iri.startsWith(D3F) ? `d3f:${iri.slice(D3F.length)}` : iri
}

/** `narrower`; properties of other namespaces stay whole. */
export function relationName(iri: string): string {
  return iri.startsWith(D3F) ? iri.slice(D3F.length) : iri
}
