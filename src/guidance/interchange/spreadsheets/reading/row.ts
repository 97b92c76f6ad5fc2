import { Refusal } from '../../../../platform/errors.ts'
import { groupDigits } from '../../../catalogue/files/limits.ts'
import type { SheetEncoding } from './encoding.ts'
import { MAX_CELLS, MAX_COLUMNS, MAX_PASSED_CELLS, MAX_PASSED_ROWS, MAX_ROWS } from './limits.ts'

/** A cell that is not blank. */
export interface Cell {
  readonly text: string
  /** Whether a formula made the text, when the file was saved. */
  readonly formula: boolean
  /** The reason why the cell has no usable text; null if it has one. */
  readonly fault: string | null
}

/** A row that is not blank. */
export interface SheetRow {
  /** The row number that a spreadsheet shows, from 1. */
  readonly number: number
  /** The cells by index of the column. */
  readonly cells: Map<number, Cell>
}

/** The rows of a worksheet or a CSV file that are not blank. */
export interface SheetTable {
  /** Null for a CSV file. */
  readonly sheet: string | null
  readonly rows: readonly SheetRow[]
  /** Null for a workbook. */
  readonly encoding: SheetEncoding | null
}

export function plain(text: string): Cell {
  return { text, formula: false, fault: null }
}

/** Collects rows up to the limits. */
export class RowCollector {
  readonly rows: SheetRow[] = []
  #cells = 0

  add(row: SheetRow): void {
    if (row.cells.size === 0) return
    this.#cells += row.cells.size
    if (this.rows.length >= MAX_ROWS) throw tooMany('rows', MAX_ROWS)
    if (this.#cells > MAX_CELLS) throw tooMany('cells', MAX_CELLS)
    this.rows.push(row)
  }
}

/** Counts all rows and cells, including blank ones: a file can have millions of them. */
export class RowCounter {
  #rows = 0
  #cells = 0
  #inRow = 0

  row(): void {
    this.#rows += 1
    this.#inRow = 0
    if (this.#rows > MAX_PASSED_ROWS) throw tooMany('rows', MAX_PASSED_ROWS)
  }

  cell(): void {
    this.#cells += 1
    this.#inRow += 1
    if (this.#inRow > MAX_COLUMNS) throw tooMany('columns', MAX_COLUMNS)
    if (this.#cells > MAX_PASSED_CELLS) throw tooMany('cells', MAX_PASSED_CELLS)
  }
}

export function tooMany(parts: string, limit: number): Refusal {
  return new Refusal('too_large', `More ${parts} in the spreadsheet than ${groupDigits(limit)}.`)
}
