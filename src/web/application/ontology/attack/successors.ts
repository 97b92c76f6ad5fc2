import { linksOf, textsOf, type Node } from '../json-ld.ts'

/** Identifiers of the attacks that take the place of a deprecated one; links to other sites are none. */
export function successorsOf(attack: Node | undefined): readonly string[] {
  const named = textsOf(attack, 'rdfs:seeAlso').filter((text) => !text.includes('/'))
  const linked = linksOf(attack, 'rdfs:seeAlso').filter((name) => name.startsWith('d3f:'))
  return [...named, ...linked.map((name) => name.replace('d3f:', ''))]
}
