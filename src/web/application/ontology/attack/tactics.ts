import { labelOf, linksOf, nodeOf, nodeWith, type JsonLd } from '../json-ld.ts'

/** The labels of the tactics that an attack enables, from the answer that has them of all attacks. */
export function tacticsOf(answer: JsonLd, attack: string): readonly string[] {
  return linksOf(nodeWith(answer, 'd3f:attack-id', attack), 'd3f:enables').map((tactic) => {
    const node = nodeOf(answer, tactic)
    return node === undefined ? tactic : labelOf(node)
  })
}
