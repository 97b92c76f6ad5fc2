import { getOrMake } from '../../platform/get-or-make.ts'
import type { IndexPart, RecordLocation } from '../index/record-index.ts'

/** Records of a part that are linked to a named record, ascending, with the closeness of each. */
export interface LinkedColumn {
  readonly records: Uint32Array
  readonly closeness: Float64Array
}

/** Closeness of records to the records that a query names, part by part. */
export class LinkedRecords {
  static readonly EMPTY = new LinkedRecords(new Map())
  readonly #columns: ReadonlyMap<IndexPart, LinkedColumn>

  constructor(columns: ReadonlyMap<IndexPart, LinkedColumn>) {
    this.#columns = columns
  }

  get columns(): Iterable<readonly [IndexPart, LinkedColumn]> {
    return this.#columns
  }

  get isEmpty(): boolean {
    return this.#columns.size === 0
  }

  /** Null if the part has no linked records. */
  in(part: IndexPart): LinkedColumn | null {
    return this.#columns.get(part) ?? null
  }

  /** 0 for records that are not linked. */
  closenessOfRecord({ part, record }: RecordLocation): number {
    const column = this.#columns.get(part)
    return column === undefined ? 0 : (column.closeness[indexOfRecord(column.records, record)] ?? 0)
  }
}

/** Binary search; -1 if the record is not in the list. */
export function indexOfRecord(records: Uint32Array, record: number): number {
  let [from, to] = [0, records.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((records[middle] ?? 0) < record) from = middle + 1
    else to = middle
  }
  return records[from] === record ? from : -1
}

/** Places of the numbers that are not zero, ascending. */
export function nonZeroPlaces(values: Float64Array): Uint32Array {
  const places: number[] = []
  for (let index = 0; index < values.length; index += 1) if (values[index] !== 0) places.push(index)
  return Uint32Array.from(places)
}

/** Collects links, of which there may be tens of thousands. If several lead to a record, the closest counts. */
export class LinkedBuilder {
  /** Closeness of each record of a part. */
  readonly #columns = new Map<IndexPart, Float64Array>()

  get isEmpty(): boolean {
    return this.#columns.size === 0
  }

  raise({ part, record }: RecordLocation, closeness: number): void {
    const column = this.#columnOf(part)
    if (closeness > (column[record] ?? 0)) column[record] = closeness
  }

  raiseAll(part: IndexPart, records: Uint32Array, closeness: number): void {
    const { deleted } = part
    // Removed or unreadable records must not reveal that there is a link.
    if (records.every((record) => deleted[record] !== 0)) return
    const column = this.#columnOf(part)
    for (const record of records)
      if (deleted[record] === 0 && closeness > (column[record] ?? 0)) column[record] = closeness
  }

  /** Adds the links of another named record, with a factor. */
  addAll(other: LinkedRecords, closeness: number): void {
    for (const [part, column] of other.columns)
      for (let index = 0; index < column.records.length; index += 1)
        this.raise({ part, record: column.records[index] ?? 0 }, closeness * (column.closeness[index] ?? 0))
  }

  /** Completes the collection; nothing may be added afterwards. */
  finish(): LinkedRecords {
    const columns = Array.from(this.#columns, ([part, column]) => [part, finishedColumn(column)] as const)
    return new LinkedRecords(new Map(columns))
  }

  #columnOf(part: IndexPart): Float64Array {
    return getOrMake(this.#columns, part, () => new Float64Array(part.deleted.length))
  }
}

function finishedColumn(closeness: Float64Array): LinkedColumn {
  const records = nonZeroPlaces(closeness)
  const values = new Float64Array(records.length)
  for (let index = 0; index < records.length; index += 1) values[index] = closeness[records[index] ?? 0] ?? 0
  return { records, closeness: values }
}
