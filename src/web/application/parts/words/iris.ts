export const D3F = 'http://d3fend.mitre.org/ontologies/d3fend.owl#'
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#'
export const XSD = 'http://www.w3.org/2001/XMLSchema#'
const OWL = 'http://www.w3.org/2002/07/owl#'

/** Namespaces by their prefixes on pages. */
export const PREFIXES: readonly (readonly [string, string])[] = [
  ['d3f:', D3F],
  ['rdf:', RDF],
  ['rdfs:', RDFS],
  ['xsd:', XSD],
  ['owl:', OWL],
  ['skos:', 'http://www.w3.org/2004/02/skos/core#'],
  ['dcterms:', 'http://purl.org/dc/terms/'],
  ['dc:', 'http://purl.org/dc/elements/1.1/'],
]

/** A prefixed name whose local part is a plain word. */
export function compact(iri: string): string {
  const match = PREFIXES.find(([, start]) => iri.startsWith(start))
  if (match === undefined) return iri
  const [prefix, start] = match
  const rest = iri.slice(start.length)
  return /^[\w.-]+$/.test(rest) ? prefix + rest : iri
}

/** The IRI of a prefixed name; an IRI stays as it is. */
export function expand(name: string): string {
  const match = PREFIXES.find(([prefix]) => name.startsWith(prefix))
  return match === undefined ? name : match[1] + name.slice(match[0].length)
}

/** Whether a standard defines the term, and not the ontology. */
export function isStandardTerm(iri: string): boolean {
  return [RDF, RDFS, OWL, XSD].some((start) => iri.startsWith(start))
}
