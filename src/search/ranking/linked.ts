import type { IndexPart, RecordPlace } from '../index/record-index.ts'

/** How closely records are linked to what a query names: there may be tens of thousands. */
export class LinkedRecords {
  readonly #columns = new Map<IndexPart, Float64Array>()

  get isEmpty(): boolean {
    return this.#columns.size === 0
  }

  /** Of each record of a part how closely, 0 where it is not linked; null: none of them is. */
  in(part: IndexPart): Float64Array | null {
    return this.#columns.get(part) ?? null
  }

  /** Of several ways to a record the closest counts. */
  raise({ part, record }: RecordPlace, close: number): void {
    const column = this.#columnOf(part)
    if (close > (column[record] ?? 0)) column[record] = close
  }

  raiseAll(part: IndexPart, records: Uint32Array, close: number): void {
    if (records.length === 0) return
    const column = this.#columnOf(part)
    for (const record of records) {
      if (part.gone[record] === 0 && close > (column[record] ?? 0)) column[record] = close
    }
  }

  /** Takes over what is linked to something else that the query names. */
  take(other: LinkedRecords, close: number): void {
    for (const [part, column] of other.#columns) {
      const own = this.#columnOf(part)
      for (let record = 0; record < column.length; record += 1) {
        const value = close * (column[record] ?? 0)
        if (value > (own[record] ?? 0)) own[record] = value
      }
    }
  }

  #columnOf(part: IndexPart): Float64Array {
    const known = this.#columns.get(part)
    if (known !== undefined) return known
    const column = new Float64Array(part.gone.length)
    this.#columns.set(part, column)
    return column
  }
}
