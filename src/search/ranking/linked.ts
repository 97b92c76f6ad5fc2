import type { IndexPart, RecordLocation } from '../index/record-index.ts'
import { giveBackIndexes, giveBackZeros, RecordMarks, takeDoubles } from '../index/room.ts'

/** Records of a part that are linked to what a query names, ascending, and of each how closely. */
export interface LinkedColumn {
  readonly records: Uint32Array
  readonly close: Float64Array
}

/** Closeness of records to the records that a query names, part by part. */
export class LinkedRecords {
  static readonly NONE = new LinkedRecords(new Map())
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

  /** Null: none of its records is. */
  in(part: IndexPart): LinkedColumn | null {
    return this.#columns.get(part) ?? null
  }

  /** 0 where it is not linked. */
  closeOf({ part, record }: RecordLocation): number {
    const column = this.#columns.get(part)
    return column === undefined ? 0 : (column.close[placeIn(column.records, record)] ?? 0)
  }
}

/** -1 where it is not there. */
export function placeIn(records: Uint32Array, record: number): number {
  let [from, to] = [0, records.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((records[middle] ?? 0) < record) from = middle + 1
    else to = middle
  }
  return records[from] === record ? from : -1
}

interface GrowingColumn {
  readonly close: Float64Array<ArrayBuffer>
  readonly marks: RecordMarks
}

/** Gathers links; there may be tens of thousands. Of several ways to a record the closest counts. */
export class LinkedBuilder {
  readonly #columns = new Map<IndexPart, GrowingColumn>()

  get isEmpty(): boolean {
    return this.#columns.size === 0
  }

  raise({ part, record }: RecordLocation, close: number): void {
    const column = this.#columnOf(part)
    if (close <= (column.close[record] ?? 0)) return
    column.close[record] = close
    column.marks.add(record)
  }

  raiseAll(part: IndexPart, records: Uint32Array, close: number): void {
    const { gone } = part
    // A record that is gone or may not be read must not reveal that there is a link.
    if (records.every((record) => gone[record] !== 0)) return
    const column = this.#columnOf(part)
    for (const record of records) {
      if (gone[record] !== 0 || close <= (column.close[record] ?? 0)) continue
      column.close[record] = close
      column.marks.add(record)
    }
  }

  /** Takes over what is linked to something else that the query names. */
  take(other: LinkedRecords, close: number): void {
    for (const [part, column] of other.columns)
      for (let at = 0; at < column.records.length; at += 1)
        this.raise({ part, record: column.records[at] ?? 0 }, close * (column.close[at] ?? 0))
  }

  /** Nothing may come after this. */
  finish(): LinkedRecords {
    const columns = Array.from(this.#columns, ([part, column]) => [part, finishedColumn(column)] as const)
    return new LinkedRecords(new Map(columns))
  }

  #columnOf(part: IndexPart): GrowingColumn {
    const known = this.#columns.get(part)
    if (known !== undefined) return known
    const size = part.gone.length
    const column = { close: takeDoubles(size), marks: new RecordMarks(size) }
    this.#columns.set(part, column)
    return column
  }
}

function finishedColumn({ close, marks }: GrowingColumn): LinkedColumn {
  const marked = marks.take()
  const records = marked.slice()
  giveBackIndexes(marked)
  const values = new Float64Array(records.length)
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? 0
    values[at] = close[record] ?? 0
    close[record] = 0
  }
  giveBackZeros(close)
  return { records, close: values }
}
