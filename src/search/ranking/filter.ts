import type { Library } from '../index/library.ts'
import { compareCandidates, type Candidates } from './candidates.ts'
import { facetsOf, type Facets, type Filters } from './facets.ts'
import { groupSingly, groupByFold, type ResultGroups } from './groups.ts'
import { refusalsByFilter } from './refusals.ts'

export interface FilteredResults {
  /** Candidates that pass, in no order; of those that say the same of different products the first. */
  readonly results: Uint32Array
  /** Members of the group of each result, itself included, in no order. */
  readonly sharing: (results: readonly number[]) => ReadonlyMap<number, Uint32Array>
  /** Each as if its own filter were not there, so that more of it can be chosen; in results, folded as these. */
  readonly facets: Facets
}

interface FilterOptions {
  readonly library: Library
  readonly filters: Filters
  readonly isFolded: boolean
}

const NONE = 0xffffffff

/** Applies filters, counts, and folds. */
export function filterAndFold(found: Candidates, { library, filters, isFolded }: FilterOptions): FilteredResults {
  const groups = isFolded ? groupByFold(found) : groupSingly(found)
  const facets = facetsOf({ found, library, filters })
  const refused = refusalsByFilter(found, Object.values(facets))
  return {
    results: firstOfGroups(found, groups, refused),
    sharing: (results) => membersOfGroups(results, groups, refused),
    facets: {
      kind: facets.kind.count(groups, refused),
      severity: facets.severity.count(groups, refused),
      benchmark: facets.benchmark.count(groups, refused),
      tactic: facets.tactic.count(groups, refused),
      domain: facets.domain.count(groups, refused),
    },
  }
}

function firstOfGroups(found: Candidates, { count, of }: ResultGroups, refused: Uint8Array | null): Uint32Array {
  const firsts = new Uint32Array(count).fill(NONE)
  for (let candidate = 0; candidate < of.length; candidate += 1) {
    if (refused !== null && refused[candidate] !== 0) continue
    const group = of[candidate] ?? 0
    const first = firsts[group] ?? NONE
    if (first === NONE || compareCandidates(found, candidate, first) < 0) firsts[group] = candidate
  }
  return refused === null ? firsts : firsts.filter((first) => first !== NONE)
}

function membersOfGroups(
  results: readonly number[],
  { count, of }: ResultGroups,
  refused: Uint8Array | null,
): ReadonlyMap<number, Uint32Array> {
  const places = new Uint16Array(count)
  for (const [place, result] of results.entries()) places[of[result] ?? 0] = place + 1
  const shared = results.map((): number[] => [])
  for (let candidate = 0; candidate < of.length; candidate += 1) {
    const place = places[of[candidate] ?? 0] ?? 0
    if (place !== 0 && (refused === null || refused[candidate] === 0)) shared[place - 1]?.push(candidate)
  }
  return new Map(results.map((result, place) => [result, Uint32Array.from(shared[place] ?? [])]))
}
