import type { ColumnFilter } from './column-filters.ts'
import { NumberPairSet, type ResultGroups } from './groups.ts'

/** Candidates to count, with their groups and refusals. */
interface GroupedCandidates {
  readonly groups: ResultGroups
  readonly rejectedBy: Uint8Array | null
}

/** Values in one mask. */
export const MASK_BITS = 32

/** Values that each number of a column stands for, as bits; one array for each `MASK_BITS` values. */
export type BitMasks = readonly Uint32Array[]

/** Number of groups with each value, among candidates that no other filter rejects. */
export function countBits(counted: GroupedCandidates, filter: ColumnFilter, masks: BitMasks): Uint32Array {
  const counts = new Uint32Array(MASK_BITS * masks.length)
  const groupBits = new Uint32Array(counted.groups.count)
  for (const [index, bits] of masks.entries()) {
    groupBits.fill(0)
    noteBits(groupBits, counted, { ...filter, bits })
    addBits(counts.subarray(MASK_BITS * index), groupBits)
  }
  return counts
}

function noteBits(
  groupBits: Uint32Array,
  { groups, rejectedBy }: GroupedCandidates,
  { number, values, shift, mask, bits }: ColumnFilter & { readonly bits: Uint32Array },
): void {
  const { groupOf } = groups
  for (let candidate = 0; candidate < groupOf.length; candidate += 1) {
    if (isRejectedByOther(rejectedBy, candidate, number)) continue
    const group = groupOf[candidate] ?? 0
    groupBits[group] = (groupBits[group] ?? 0) | (bits[((values[candidate] ?? 0) >>> shift) & mask] ?? 0)
  }
}

/** Whether another filter rejects a candidate. */
function isRejectedByOther(rejectedBy: Uint8Array | null, candidate: number, number: number): boolean {
  return rejectedBy !== null && rejectedBy[candidate] !== 0 && rejectedBy[candidate] !== number
}

function addBits(counts: Uint32Array, groupBits: Uint32Array): void {
  for (const bits of groupBits)
    for (let remaining = bits; remaining !== 0; remaining &= remaining - 1) {
      const bit = 31 - Math.clz32(remaining & -remaining)
      counts[bit] = (counts[bit] ?? 0) + 1
    }
}

/** Number of groups with each number of a filter, below `size`; 0 stands for no value. */
export function countNumbers(
  { groups, rejectedBy }: GroupedCandidates,
  { number, values, shift, mask }: ColumnFilter,
  size: number,
): Uint32Array {
  const counts = new Uint32Array(size)
  const pairs = new NumberPairSet(values.length)
  for (let candidate = 0; candidate < values.length; candidate += 1) {
    const value = ((values[candidate] ?? 0) >>> shift) & mask
    if (value === 0 || isRejectedByOther(rejectedBy, candidate, number)) continue
    if (pairs.add(value, groups.groupOf[candidate] ?? 0)) counts[value] = (counts[value] ?? 0) + 1
  }
  return counts
}
