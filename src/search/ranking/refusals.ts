import type { FactBits } from '../index/facts.ts'
import type { Candidates } from './candidates.ts'

/** A filter, by a number that each candidate has. */
export interface ColumnFilter extends FactBits {
  /** From 1; those of others differ. */
  readonly number: number
  /** A value of each candidate that has its number in some bits. */
  readonly values: Uint32Array
  /** 1 for each number that passes; null: all do. */
  readonly allowed: Uint8Array | null
}

/** More than one filter refuses it. */
export const BY_SEVERAL = 0xff

/** Number of the filter that refuses each candidate; 0: none does. Null if no filter is set. */
export function refusalsByFilter(found: Candidates, filters: readonly ColumnFilter[]): Uint8Array | null {
  const used = filters.filter(({ allowed }) => allowed !== null)
  if (used.length === 0) return null
  const refused = new Uint8Array(found.records.length)
  for (const filter of used) markRefused(refused, filter)
  return refused
}

function markRefused(refused: Uint8Array, { number, values, shift, mask, allowed }: ColumnFilter): void {
  for (let candidate = 0; candidate < refused.length; candidate += 1) {
    if (allowed?.[((values[candidate] ?? 0) >>> shift) & mask] === 1) continue
    refused[candidate] = refused[candidate] === 0 ? number : BY_SEVERAL
  }
}
