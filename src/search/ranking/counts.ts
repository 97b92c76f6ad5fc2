import { runsOf, type Candidates } from './candidates.ts'
import { Pairs, type Groups } from './groups.ts'
import type { ColumnFilter } from './refusals.ts'

/** Which candidates are counted, and which of them are one. */
interface Counted {
  readonly found: Candidates
  readonly groups: Groups
  readonly refused: Uint8Array | null
}

/** Things in one mask. */
export const MASK_BITS = 32

/** Of each number of a column the things that it stands for, as bits; an array for each `MASK_BITS` things. */
export type Masks = readonly Uint32Array[]

/** In how many groups each thing is, of candidates that no other filter refuses. */
export function countBits(counted: Counted, filter: ColumnFilter, masks: Masks): Uint32Array {
  const counts = new Uint32Array(MASK_BITS * masks.length)
  const had = new Uint32Array(counted.groups.count)
  for (const [place, mask] of masks.entries()) {
    had.fill(0)
    noteBits(had, counted, { ...filter, mask })
    addBits(counts.subarray(MASK_BITS * place), had)
  }
  return counts
}

function noteBits(
  had: Uint32Array,
  { found, groups, refused }: Counted,
  { number, column, mask }: ColumnFilter & { readonly mask: Uint32Array },
): void {
  const { records } = found
  const { of } = groups
  for (const [place, { from, to }] of runsOf(found).entries()) {
    const values = column(place)
    for (let candidate = from; candidate < to; candidate += 1) {
      if (isRefused(refused, candidate, number)) continue
      const group = of[candidate] ?? 0
      had[group] = (had[group] ?? 0) | (mask[values[records[candidate] ?? 0] ?? 0] ?? 0)
    }
  }
}

/** By another filter. */
function isRefused(refused: Uint8Array | null, candidate: number, number: number): boolean {
  return refused !== null && refused[candidate] !== 0 && refused[candidate] !== number
}

function addBits(counts: Uint32Array, had: Uint32Array): void {
  for (const bits of had)
    for (let left = bits; left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left)
      counts[bit] = (counts[bit] ?? 0) + 1
    }
}

/** In how many groups each number of a column is, up to `size`; 0 is none. */
export function countNumbers(counted: Counted, filter: ColumnFilter, size: number): Uint32Array {
  const { found, groups, refused } = counted
  const counts = new Uint32Array(size)
  const pairs = groups.areApart ? null : new Pairs(found.records.length)
  const isNew = (value: number, candidate: number): boolean =>
    pairs === null || pairs.add(value, groups.of[candidate] ?? 0)
  for (const [place, run] of runsOf(found).entries()) {
    const column = filter.column(place)
    for (let candidate = run.from; candidate < run.to; candidate += 1) {
      const value = column[found.records[candidate] ?? 0] ?? 0
      if (value === 0 || isRefused(refused, candidate, filter.number)) continue
      if (isNew(value, candidate)) counts[value] = (counts[value] ?? 0) + 1
    }
  }
  return counts
}
