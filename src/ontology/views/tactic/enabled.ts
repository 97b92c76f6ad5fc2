import type { NamedRecord } from '../../../contracts/sources.ts'
import { compareCodeUnits } from '../../../graph/term.ts'
import type { Release } from '../../release/release.ts'

/** The tactics that a technique of either side enables, by itself or by a class above it; sorted by IRI. */
export function enabledTactics({ hierarchy, tacticsByTechnique }: Release, technique: string): readonly NamedRecord[] {
  const labels = new Map<string, string>()
  for (const above of hierarchy.up(technique)) {
    for (const { tactic, tactic_label: label } of tacticsByTechnique.get(above) ?? [])
      if (!labels.has(tactic.value)) labels.set(tactic.value, label.value)
  }
  return Array.from(labels, ([iri, label]) => ({ iri, label })).sort((a, b) => compareCodeUnits(a.iri, b.iri))
}
