import { Refusal } from '../../../platform/errors.ts'

/** The rows of one sheet of a spreadsheet that are not blank. */
export interface SpreadsheetTable {
  readonly sheet: string | null
  readonly rows: readonly {
    /** From 1, as spreadsheets show it. */
    readonly number: number
    /** By column, from 0. */
    readonly cells: ReadonlyMap<number, { readonly text: string }>
  }[]
}

/** Reads the sheets of a workbook (.xlsx). */
export type ReadSheets = (file: string) => AsyncIterable<SpreadsheetTable>

/** A row with its cells by the head of their column. */
export interface TableRow {
  /** Empty for a blank cell. */
  text(column: string): string
  /** Names the file and the row. */
  refuse(reason: string): Refusal
}

/** Reads the rows below the header. Refuses a table without one of the required columns. */
export function readTable(file: string, { rows }: SpreadsheetTable, columns: readonly string[]): readonly TableRow[] {
  const [first, ...otherRows] = rows
  const heads = new Map(Array.from(first?.cells ?? [], ([column, { text }]) => [text.trim(), column]))
  const missing = columns.filter((column) => !heads.has(column))
  if (missing.length > 0) {
    const names = missing.map((column) => `"${column}"`).join(', ')
    throw new Refusal('source_syntax', `${file}, line ${first?.number ?? 1}: there is no column ${names}.`)
  }
  return otherRows.map(({ number, cells }) => ({
    text: (column) => cells.get(heads.get(column) ?? -1)?.text ?? '',
    refuse: (reason) => new Refusal('source_syntax', `${file}, line ${number}: ${reason}.`),
  }))
}
