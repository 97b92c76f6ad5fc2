import { Names } from '../graph/names.ts'

const names = new Names({})

/** `d3f:UserAccount`; the IRI itself if it has no known prefix. */
export function compact(iri: string): string {
  return names.compact(iri)
}
