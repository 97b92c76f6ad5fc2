import type { RecordKind } from '../../contracts/sources.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { Relation } from './relations.ts'

/** A record that was found, as it is shown. */
export interface Ranked {
  readonly key: number
  readonly kind: RecordKind
  readonly part: IndexPart
  /** Its place in the part. */
  readonly record: number
  readonly score: number
  /** Score of its words, 0 to 1, times the factor. */
  readonly words: number
  /** Depends on the age of its release, on the product and severity that the query names, and on its kind. */
  readonly factor: number
  /** Field that has its best words. */
  readonly place: 'title' | 'synonym' | 'text'
  /** Relation to a record that the query names. */
  readonly relation: Relation | null
}

/**
 * All records that were found, identified by number, in columns, because there may be tens of thousands. Sorted by part
 * and mostly by record, so that the columns of a part are read sequentially.
 */
export interface Candidates {
  readonly parts: readonly IndexPart[]
  /** First candidate of each part; one more than there are parts. */
  readonly starts: readonly number[]
  /** Places in their parts. */
  readonly records: Uint32Array
  /** See `factsOf`. */
  readonly facts: Uint32Array
  readonly keys: Float64Array
  readonly scores: Float64Array
  readonly toRanked: (candidate: number) => Ranked
}

/** The candidates of a part; `to` is exclusive. */
export interface CandidateRun {
  readonly part: IndexPart
  readonly from: number
  readonly to: number
}

export function runsOf({ parts, starts }: Candidates): readonly CandidateRun[] {
  return parts.map((part, index) => ({
    part,
    from: starts[index] ?? 0,
    to: starts[index + 1] ?? 0,
  }))
}

/** Sorts by score, then by key. */
export function compareCandidates({ scores, keys }: Candidates, a: number, b: number): number {
  return (scores[b] ?? 0) - (scores[a] ?? 0) || (keys[a] ?? 0) - (keys[b] ?? 0)
}

/** More than these are sorted as a whole. */
const FEW = 400

/** The first of some candidates, in their order. */
export function firstOf(candidates: Candidates, among: Uint32Array, count: number): readonly number[] {
  const compare = (a: number, b: number): number => compareCandidates(candidates, a, b)
  if (count > FEW || among.length <= count) return Array.from(among).sort(compare).slice(0, count)
  const first = Array.from(among.subarray(0, count)).sort(compare)
  let last = first.at(-1) ?? 0
  for (const candidate of among.subarray(count)) {
    if (compare(candidate, last) > 0) continue
    insert(first, candidate, compare)
    last = first.at(-1) ?? 0
  }
  return first
}

/** Inserts a candidate and removes the last one. */
function insert(sorted: number[], candidate: number, compare: (a: number, b: number) => number): void {
  let index = sorted.length - 1
  while (index > 0 && compare(candidate, sorted[index - 1] ?? 0) < 0) index -= 1
  sorted.pop()
  sorted.splice(index, 0, candidate)
}
