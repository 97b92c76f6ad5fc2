import { runsOf, type Candidates } from './candidates.ts'

/** A filter, by a number that each record of a part has. */
export interface ColumnFilter {
  /** From 1; those of others differ. */
  readonly number: number
  readonly column: (place: number) => Uint8Array | Uint32Array
  /** 1 for each number that passes; null: all do. */
  readonly allowed: Uint8Array | null
}

/** More than one filter refuses it. */
export const BY_SEVERAL = 0xff

/** Of each candidate the number of the filter that refuses it; 0: none does. Null where there is nothing to refuse. */
export function refusals(found: Candidates, filters: readonly ColumnFilter[]): Uint8Array | null {
  const used = filters.filter(({ allowed }) => allowed !== null)
  if (used.length === 0) return null
  const refused = new Uint8Array(found.records.length)
  for (const [place, { from, to }] of runsOf(found).entries())
    for (const { number, column, allowed } of used) {
      const records = found.records.subarray(from, to)
      refuse(refused.subarray(from, to), { records, column: column(place), allowed, number })
    }
  return refused
}

function refuse(
  refused: Uint8Array,
  by: {
    readonly records: Uint32Array
    readonly column: Uint8Array | Uint32Array
    readonly allowed: Uint8Array | null
    readonly number: number
  },
): void {
  const { records, column, allowed, number } = by
  for (let at = 0; at < refused.length; at += 1) {
    if (allowed?.[column[records[at] ?? 0] ?? 0] === 1) continue
    refused[at] = refused[at] === 0 ? number : BY_SEVERAL
  }
}
