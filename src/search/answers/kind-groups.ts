import type { RecordKind } from '../../contracts/sources.ts'
import { append } from '../../platform/append.ts'
import { recordOf } from '../index/keys.ts'
import { compareCandidates, firstOf, type Candidates } from '../ranking/candidates.ts'

/** Results that a group shows. */
const MAX_PER_KIND = 5

/** The results of one kind. */
export interface KindGroup {
  readonly kind: RecordKind
  readonly total: number
  /** The best candidates, in their order. */
  readonly best: readonly number[]
}

/** Groups results by kind; the kind with the best result comes first. */
export function groupByKind(candidateSet: Candidates, results: Uint32Array): readonly KindGroup[] {
  const byKind = new Map<RecordKind, number[]>()
  for (const candidate of results) append(byKind, recordOf(candidateSet.keys[candidate] ?? 0).kind, candidate)
  return Array.from(byKind, ([kind, candidates]) => ({
    kind,
    total: candidates.length,
    best: firstOf(candidateSet, Uint32Array.from(candidates), MAX_PER_KIND),
  })).sort((a, b) => compareCandidates(candidateSet, a.best[0] ?? 0, b.best[0] ?? 0))
}
