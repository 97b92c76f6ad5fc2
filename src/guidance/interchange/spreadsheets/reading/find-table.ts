import { findColumns, headersIn, placeOf, type Layout } from './columns.ts'
import { unusable } from './refusals.ts'
import type { SheetRow, SheetTable } from './row.ts'

/** Rows at the top of a sheet among which the headers are looked for: banners and notes may come before them. */
const MAX_TOP_ROWS = 50

interface FoundTable {
  readonly layout: Layout
  /** The rows below the headers that have anything in the columns; at least one. */
  readonly rows: readonly SheetRow[]
  /** They name the place of the table, if it is not the first place to look. */
  readonly warnings: readonly string[]
  /** Null in a workbook. */
  readonly encoding: SheetTable['encoding']
}

/** The row of a sheet that is most like headers. */
interface HeaderRow {
  readonly row: SheetRow
  readonly sheet: string | null
  /** How many columns have their header in it. */
  readonly count: number
  readonly isComplete: boolean
  /** Its place among the rows of the sheet. */
  readonly index: number
  readonly rows: readonly SheetRow[]
}

/**
 * Finds the first sheet with headers, below a banner or not, and with rows. Sheets without them are passed over, such
 * as a revision history. If there is none, it refuses the row that is most like headers.
 */
export async function findTable(sheets: AsyncIterable<SheetTable>): Promise<FoundTable> {
  const candidates: HeaderRow[] = []
  let emptySheets = 0
  for await (const table of sheets) {
    const found = headerRowOf(table)
    const rows = found?.isComplete === true ? usedRows(found) : []
    if (found !== null && rows.length > 0) {
      const isFirst = emptySheets === 0 && found.index === 0
      const where = `The headers are in ${placeOf(found.row, found.sheet)}.`
      const layout = findColumns(found.row, found.sheet)
      return { layout, rows, warnings: isFirst ? [] : [where], encoding: table.encoding }
    }
    if (found !== null) candidates.push(found)
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

/** Null if the sheet is empty. */
function headerRowOf({ sheet, rows }: SheetTable): HeaderRow | null {
  const top = rows.slice(0, MAX_TOP_ROWS).map((row, index): HeaderRow => {
    const { count, isComplete } = headersIn(row)
    return { row, sheet, count, isComplete, index, rows }
  })
  return top.toSorted((a, b) => b.count - a.count)[0] ?? null
}

/** The rows below that have anything in one of the columns. */
function usedRows({ row, sheet, index, rows }: HeaderRow): readonly SheetRow[] {
  const columns = [...findColumns(row, sheet).values()]
  return rows.slice(index + 1).filter(({ cells }) => columns.some((column) => cells.has(column)))
}
