import { D3F } from '../../../../graph/vocabulary.ts'
import type { Iris } from '../graph/iris.ts'

/** `d3f:AccountLocking`; what is not of the ontology's namespace stays a full IRI. */
export function shortName(iri: string): string {
  return iri.startsWith(D3F) ? `d3f:${iri.slice(D3F.length)}` : iri
}

/** `narrower`; a property of another namespace stays a full IRI. */
export function relationName(iri: string): string {
  return iri.startsWith(D3F) ? iri.slice(D3F.length) : iri
}

/** `CCI-000366`, from its IRI. */
export function cciName(iris: Iris, iri: string): string {
  return decodeURIComponent(iri.slice(iris.cci('').length))
}
