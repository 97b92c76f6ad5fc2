import type { SearchAnswer } from '../contracts/search.ts'
import { compareCodeUnits } from '../graph/term.ts'
import type { Candidate } from './candidates.ts'
import type { OntologyIndex } from './ontology-index.ts'
import { tacticsOf } from './reasons.ts'

type Facets = SearchAnswer['facets']

const MOST_VALUES = 50

/** Counts the results by kind, severity, benchmark and tactic; the largest count first. */
export function facetsOf(candidates: readonly Candidate[], index: OntologyIndex): Facets {
  const [kind, severity, benchmark, tactic] = [new Tally(), new Tally(), new Tally(), new Tally()]
  for (const candidate of candidates) {
    kind.add(candidate.kind, candidate.kind)
    for (const { id, label } of tacticsOf(candidate, index)) tactic.add(id, label)
    if (candidate.source.of === 'ontology') continue
    const { match } = candidate.source
    if (match.severity !== null) severity.add(match.severity, match.severity)
    if (match.benchmark === null) continue
    const { id, title, version } = match.benchmark
    benchmark.add(String(id), `${title} ${version}`)
  }
  return {
    ...{ kind: kind.values(), severity: severity.values() },
    ...{ benchmark: benchmark.values(), tactic: tactic.values() },
  }
}

class Tally {
  readonly #values = new Map<string, { readonly label: string; count: number }>()

  add(value: string, label: string): void {
    const there = this.#values.get(value)
    if (there === undefined) this.#values.set(value, { label, count: 1 })
    else there.count += 1
  }

  values(): Facets['kind'] {
    return Array.from(this.#values, ([value, { label, count }]) => ({ value, label, count }))
      .sort((a, b) => b.count - a.count || compareCodeUnits(a.label, b.label))
      .slice(0, MOST_VALUES)
  }
}
