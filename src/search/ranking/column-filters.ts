import type { FactBits } from '../index/facts.ts'
import type { Candidates } from './candidates.ts'

/** A filter by a number that is packed into a column of the candidates. */
export interface ColumnFilter extends FactBits {
  /** Unique number of the filter, from 1. */
  readonly number: number
  /** Column with the packed numbers. */
  readonly values: Uint32Array
  /** 1 for each number that passes; null if all pass. */
  readonly allowed: Uint8Array | null
}

/** Several filters reject the candidate. */
export const SEVERAL_FILTERS = 0xff

/** Number of the filter that rejects each candidate; 0 for none. Null if no filter is set. */
export function rejectionsByFilter(candidates: Candidates, filters: readonly ColumnFilter[]): Uint8Array | null {
  const used = filters.filter(({ allowed }) => allowed !== null)
  if (used.length === 0) return null
  const rejectedBy = new Uint8Array(candidates.records.length)
  for (const filter of used) markRejected(rejectedBy, filter)
  return rejectedBy
}

function markRejected(rejectedBy: Uint8Array, { number, values, shift, mask, allowed }: ColumnFilter): void {
  for (let candidate = 0; candidate < rejectedBy.length; candidate += 1) {
    if (allowed?.[((values[candidate] ?? 0) >>> shift) & mask] === 1) continue
    rejectedBy[candidate] = rejectedBy[candidate] === 0 ? number : SEVERAL_FILTERS
  }
}
