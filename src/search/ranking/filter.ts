import type { Library } from '../index/library.ts'
import { compareCandidates, type Candidates } from './candidates.ts'
import { rejectionsByFilter } from './column-filters.ts'
import { facetsOf, type Facets, type Filters } from './facets.ts'
import { groupSingly, groupByFold, type ResultGroups } from './groups.ts'

export interface FilteredResults {
  /** Candidates that pass, unsorted; of equal rules of different products only the best. */
  readonly results: Uint32Array
  /** Members of the group of each result, including the result, unsorted. */
  readonly sharing: (results: readonly number[]) => ReadonlyMap<number, Uint32Array>
  /** Counts of folded results. Each facet ignores its own filter, so that more of its values can be chosen. */
  readonly facets: Facets
}

const NO_CANDIDATE = 0xffffffff

/** Applies filters, counts, and folds. */
export function filterAndFold(
  candidates: Candidates,
  { library, filters, isFolded }: { readonly library: Library; readonly filters: Filters; readonly isFolded: boolean },
): FilteredResults {
  const groups = isFolded ? groupByFold(candidates) : groupSingly(candidates)
  const facets = facetsOf({ candidates, library, filters })
  const rejectedBy = rejectionsByFilter(candidates, Object.values(facets))
  return {
    results: firstOfGroups(candidates, groups, rejectedBy),
    sharing: (results) => membersOfGroups(results, groups, rejectedBy),
    facets: {
      kind: facets.kind.count(groups, rejectedBy),
      severity: facets.severity.count(groups, rejectedBy),
      benchmark: facets.benchmark.count(groups, rejectedBy),
      tactic: facets.tactic.count(groups, rejectedBy),
      domain: facets.domain.count(groups, rejectedBy),
    },
  }
}

function firstOfGroups(
  candidates: Candidates,
  { count, groupOf }: ResultGroups,
  rejectedBy: Uint8Array | null,
): Uint32Array {
  const firsts = new Uint32Array(count).fill(NO_CANDIDATE)
  for (let candidate = 0; candidate < groupOf.length; candidate += 1) {
    if (rejectedBy !== null && rejectedBy[candidate] !== 0) continue
    const group = groupOf[candidate] ?? 0
    const first = firsts[group] ?? NO_CANDIDATE
    if (first === NO_CANDIDATE || compareCandidates(candidates, candidate, first) < 0) firsts[group] = candidate
  }
  return rejectedBy === null ? firsts : firsts.filter((first) => first !== NO_CANDIDATE)
}

function membersOfGroups(
  results: readonly number[],
  { count, groupOf }: ResultGroups,
  rejectedBy: Uint8Array | null,
): ReadonlyMap<number, Uint32Array> {
  const numbers = new Uint16Array(count)
  for (const [index, result] of results.entries()) numbers[groupOf[result] ?? 0] = index + 1
  const shared = results.map((): number[] => [])
  for (let candidate = 0; candidate < groupOf.length; candidate += 1) {
    const number = numbers[groupOf[candidate] ?? 0] ?? 0
    if (number !== 0 && (rejectedBy === null || rejectedBy[candidate] === 0)) shared[number - 1]?.push(candidate)
  }
  return new Map(results.map((result, index) => [result, Uint32Array.from(shared[index] ?? [])]))
}
