import { Refusal } from '../../platform/errors.ts'
import { grouped } from '../xccdf/limits.ts'
import { MAX_CELLS, MAX_ROWS } from './limits.ts'

/** A cell in which there is something. */
export interface Cell {
  readonly text: string
  /** The text is what a formula gave when the file was saved. */
  readonly formula: boolean
  /** Why there is no text that could be used; null where there is. */
  readonly fault: string | null
}

/** A row in which there is something. */
export interface Row {
  /** As people count them, from 1. */
  readonly number: number
  /** By the number of the column, from 0. */
  readonly cells: Map<number, Cell>
}

export function plain(text: string): Cell {
  return { text, formula: false, fault: null }
}

/** Gathers rows within the limits. */
export class Rows {
  readonly rows: Row[] = []
  #cells = 0

  add(row: Row): void {
    if (row.cells.size === 0) return
    this.#cells += row.cells.size
    if (this.rows.length >= MAX_ROWS) throw tooMany('rows', MAX_ROWS)
    if (this.#cells > MAX_CELLS) throw tooMany('cells', MAX_CELLS)
    this.rows.push(row)
  }
}

export function tooMany(what: string, limit: number): Refusal {
  return new Refusal('too_large', `More ${what} in the spreadsheet than ${grouped(limit)}.`)
}
