import type { Library } from '../index/library.ts'
import { compareCandidates, type Candidates } from './candidates.ts'
import { facetsOf, type Facet, type Facets, type Filters } from './facets.ts'
import { apart, folded, type Groups } from './groups.ts'

export interface Filtered {
  /** Candidates that pass, in no order; of those that say the same of different products the first. */
  readonly results: Uint32Array
  /** Those that say the same as each of these, in no order, and itself. */
  readonly sharing: (results: readonly number[]) => ReadonlyMap<number, readonly number[]>
  /** Each as if its own filter were not there, so that more of it can be chosen; in results, folded as these. */
  readonly facets: Facets
}

interface HowToFilter {
  readonly library: Library
  readonly filters: Filters
  readonly isFolded: boolean
}

const NONE = 0xffffffff

/** Applies filters, counts, and folds. */
export function filterAndFold(
  found: Candidates,
  { library, filters, isFolded }: HowToFilter,
): Filtered {
  const groups = isFolded ? folded(found) : apart(found)
  const facets = facetsOf({ found, groups, library, filters })
  const passed = new Uint8Array(found.keys.length)
  const firsts = new Uint32Array(groups.count).fill(NONE)
  for (let candidate = 0; candidate < passed.length; candidate += 1) {
    const group = groups.of[candidate] ?? 0
    if (!notePassing(candidate, group, facets)) continue
    passed[candidate] = 1
    const first = firsts[group] ?? NONE
    if (first === NONE || compareCandidates(found, candidate, first) < 0) firsts[group] = candidate
  }
  return {
    results: firsts.filter((first) => first !== NONE),
    sharing: (results) => sharingWith(results, groups, passed),
    facets: shownFacets(facets),
  }
}

/** Whether a candidate passes all filters; a facet counts it unless another one refuses it. */
function notePassing(candidate: number, group: number, facets: readonly Facet[]): boolean {
  let refusing: Facet | null = null
  for (const facet of facets) {
    if (facet.passes(candidate)) continue
    if (refusing !== null) return false
    refusing = facet
  }
  if (refusing === null) for (const facet of facets) facet.count(candidate, group)
  else refusing.count(candidate, group)
  return refusing === null
}

function sharingWith(
  results: readonly number[],
  groups: Groups,
  passed: Uint8Array,
): ReadonlyMap<number, readonly number[]> {
  const byGroup = new Map<number, number[]>()
  for (const result of results) byGroup.set(groups.of[result] ?? 0, [])
  for (let candidate = 0; candidate < passed.length; candidate += 1)
    if (passed[candidate] === 1) byGroup.get(groups.of[candidate] ?? 0)?.push(candidate)
  return new Map(results.map((result) => [result, byGroup.get(groups.of[result] ?? 0) ?? []]))
}

function shownFacets(facets: readonly Facet[]): Facets {
  const of = (name: keyof Facets): Facets['kind'] =>
    facets.find((facet) => facet.name === name)?.values() ?? []
  return {
    kind: of('kind'),
    severity: of('severity'),
    benchmark: of('benchmark'),
    tactic: of('tactic'),
  }
}
