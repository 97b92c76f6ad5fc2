import { labelOf, linksOf, type JsonLd, type NamedRecord } from '../json-ld.ts'

export interface AttackTactic extends NamedRecord {
  /** The names of the attacks that serve it. */
  readonly attacks: readonly string[]
}

/** Groups the attacks of the answer by the tactics that they enable, which it names beside them, ordered by name. */
export function shapeAttackTactics(answer: JsonLd): readonly AttackTactic[] {
  const byTactic = new Map<string, string[]>()
  for (const node of answer['@graph']) {
    for (const tactic of linksOf(node, 'd3f:enables')) {
      const attacks = byTactic.get(tactic) ?? []
      attacks.push(node['@id'])
      byTactic.set(tactic, attacks)
    }
  }
  const labels = new Map(answer['@graph'].map((node) => [node['@id'], labelOf(node)]))
  return [...byTactic]
    .map(([name, attacks]) => ({ name, label: labels.get(name) ?? name, attacks }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** How many attacks the tactics have together, each counted once. */
export function countAttacks(tactics: readonly AttackTactic[]): number {
  return new Set(tactics.flatMap(({ attacks }) => attacks)).size
}
