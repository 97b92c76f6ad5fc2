import { findColumns, headersIn, placeOf, type Layout } from './columns.ts'
import { unusable } from './refusals.ts'
import type { SheetRow, SheetTable } from './row.ts'

/** Headers are searched in this many rows at the top of a sheet, because banners and notes may stand before them. */
const MAX_TOP_ROWS = 50

interface FoundTable {
  readonly layout: Layout
  /** The rows below the headers that are not blank in all columns; at least one. */
  readonly rows: readonly SheetRow[]
  /** Names the place of the table, unless it is where a table usually is. */
  readonly warnings: readonly string[]
  /** Null for a workbook. */
  readonly encoding: SheetTable['encoding']
}

/** The row of a sheet that is most similar to headers. */
interface HeaderRow {
  readonly row: SheetRow
  readonly sheet: string | null
  /** The number of columns whose headers are in it. */
  readonly count: number
  readonly isComplete: boolean
  /** The index among the rows of the sheet. */
  readonly index: number
  readonly rows: readonly SheetRow[]
}

/**
 * Finds the first sheet with headers and rows below them; a banner may come first. Skips other sheets, such as a
 * revision history. If there is none, the refusal names the row that is most similar to headers.
 */
export async function findTable(sheets: AsyncIterable<SheetTable>): Promise<FoundTable> {
  const candidates: HeaderRow[] = []
  let emptySheets = 0
  for await (const table of sheets) {
    const headerRow = headerRowOf(table)
    const rows = headerRow?.isComplete === true ? usedRows(headerRow) : []
    if (headerRow !== null && rows.length > 0) {
      const isFirst = emptySheets === 0 && headerRow.index === 0
      const locationWarning = `The headers are in ${placeOf(headerRow.row, headerRow.sheet)}.`
      const layout = findColumns(headerRow.row, headerRow.sheet)
      return { layout, rows, warnings: isFirst ? [] : [locationWarning], encoding: table.encoding }
    }
    if (headerRow !== null) candidates.push(headerRow)
    emptySheets += 1
  }
  throw refusalOf(candidates)
}

function refusalOf(candidates: readonly HeaderRow[]): Error {
  const [best] = candidates.toSorted((a, b) => b.count - a.count)
  if (best === undefined) return unusable('Spreadsheet is empty.')
  findColumns(best.row, best.sheet)
  return unusable('Spreadsheet is empty: it has headers, but no rows.')
}

/** Null for an empty sheet. */
function headerRowOf({ sheet, rows }: SheetTable): HeaderRow | null {
  const candidates = rows.slice(0, MAX_TOP_ROWS).map((row, index): HeaderRow => {
    const { count, isComplete } = headersIn(row)
    return { row, sheet, count, isComplete, index, rows }
  })
  return candidates.toSorted((a, b) => b.count - a.count)[0] ?? null
}

/** The rows below the headers that have a value in one of the columns. */
function usedRows({ row, sheet, index, rows }: HeaderRow): readonly SheetRow[] {
  const columns = [...findColumns(row, sheet).values()]
  return rows.slice(index + 1).filter(({ cells }) => columns.some((column) => cells.has(column)))
}
