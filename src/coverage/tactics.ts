import type { CoverageReport } from '../contracts/coverage.ts'
import type { OntologyDocument } from '../contracts/sources.ts'
import type { Measurement } from './measure.ts'
import { compact } from './names.ts'

type TacticSums = CoverageReport['tactics']

/** Counts covered techniques and attacks by tactic. A technique with several tactics counts for each. */
export function tacticSums({ paths, techniques, attacks }: Measurement): TacticSums {
  return {
    defensive: sumByTactic(paths.techniques, techniques, paths.tacticOrder).map(({ sum }) => sum),
    offensive: sumByTactic(paths.attacks, attacks, paths.tacticOrder).map(({ iri, sum }) => ({
      ...sum,
      domain: paths.tacticDomains.get(iri) ?? null,
    })),
  }
}

function sumByTactic(
  documents: ReadonlyMap<string, OntologyDocument>,
  covered: ReadonlyMap<string, readonly number[]>,
  order: readonly string[],
): readonly { readonly iri: string; readonly sum: TacticSums['defensive'][number] }[] {
  const sums = new Map<string, TacticCount>()
  for (const { iri, tactics } of documents.values())
    for (const tactic of tactics) {
      const sum = sums.get(tactic.iri) ?? {
        label: tactic.label,
        covered: 0,
        total: 0,
        rules: new Set(),
      }
      sums.set(tactic.iri, sum)
      const places = covered.get(iri)
      sum.total += 1
      if (places === undefined) continue
      sum.covered += 1
      for (const place of places) sum.rules.add(place)
    }
  return [...new Set([...order, ...sums.keys()])].flatMap((iri) => {
    const sum = sums.get(iri)
    if (sum === undefined) return []
    const techniques = { covered: sum.covered, total: sum.total }
    return [{ iri, sum: { id: compact(iri), label: sum.label, techniques, rules: sum.rules.size } }]
  })
}

interface TacticCount {
  readonly label: string
  covered: number
  total: number
  readonly rules: Set<number>
}
