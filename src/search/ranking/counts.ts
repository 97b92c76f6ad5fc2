import { Pairs, type Groups } from './groups.ts'
import { numberIn, type ColumnFilter } from './refusals.ts'

/** Which candidates are counted, and which of them are one. */
interface Counted {
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
  for (const [place, bits] of masks.entries()) {
    had.fill(0)
    noteBits(had, counted, { ...filter, bits })
    addBits(counts.subarray(MASK_BITS * place), had)
  }
  return counts
}

function noteBits(
  had: Uint32Array,
  { groups, refused }: Counted,
  filter: ColumnFilter & { readonly bits: Uint32Array },
): void {
  const { of } = groups
  for (let candidate = 0; candidate < of.length; candidate += 1) {
    if (isRefused(refused, candidate, filter.number)) continue
    const group = of[candidate] ?? 0
    had[group] = (had[group] ?? 0) | (filter.bits[numberIn(filter, candidate)] ?? 0)
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

/** In how many groups each number of a filter is, up to `size`; 0 is none. */
export function countNumbers(counted: Counted, filter: ColumnFilter, size: number): Uint32Array {
  const { groups, refused } = counted
  const counts = new Uint32Array(size)
  const pairs = groups.areApart ? null : new Pairs(groups.of.length)
  for (let candidate = 0; candidate < groups.of.length; candidate += 1) {
    const value = numberIn(filter, candidate)
    if (value === 0 || isRefused(refused, candidate, filter.number)) continue
    if (pairs === null || pairs.add(value, groups.of[candidate] ?? 0))
      counts[value] = (counts[value] ?? 0) + 1
  }
  pairs?.release()
  return counts
}
