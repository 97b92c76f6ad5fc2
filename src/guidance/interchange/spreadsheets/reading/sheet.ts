import { groupDigits } from '../../../catalogue/files/limits.ts'
import { columnName } from '../../exports/tables/cell.ts'
import { dateText } from './formats.ts'
import { MAX_CELL_CHARACTERS, MAX_MERGES } from './limits.ts'
import { unusable } from './refusals.ts'
import { RowCounter, RowCollector, tooMany, type Cell, type SheetRow, type SheetTable } from './row.ts'
import { openWorkbook, RichText, unescaped, type Workbook } from './workbook.ts'
import { parsePart, type PartHandler } from './xml.ts'

/** The visible sheets of a workbook in order. */
export async function* readSheets(file: string): AsyncGenerator<SheetTable, void> {
  const workbook = await openWorkbook(file)
  try {
    for (const { name, member } of workbook.sheets) {
      const reader = new SheetReader(workbook)
      await parsePart(member, workbook.unpack(member), reader)
      yield { sheet: name, rows: reader.finish(), encoding: null }
    }
  } finally {
    workbook.close()
  }
}

/** A merged range of cells. Its first cell has the content of all. */
interface Merge {
  readonly from: CellPosition
  readonly to: CellPosition
}

interface CellPosition {
  /** The row number, from 1. */
  readonly row: number
  /** The index of the column. */
  readonly column: number
}

interface OpenCell {
  readonly position: CellPosition
  readonly type: string
  readonly style: number
  formula: boolean
  /** The content of the element `v`; null without one. */
  value: string[] | null
}

/** Keeps only cells with content, so that blank rows and cells use no memory. */
class SheetReader implements PartHandler {
  readonly #workbook: Workbook
  readonly #rows = new RowCollector()
  readonly #passed = new RowCounter()
  readonly #merges: Merge[] = []
  readonly #rich = new RichText()
  #row: SheetRow = { number: 0, cells: new Map() }
  #column = -1
  #cell: OpenCell | null = null
  #inValue = false

  constructor(workbook: Workbook) {
    this.#workbook = workbook
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    const cell = this.#cell
    if (cell !== null) this.#openPart(name, cell)
    else if (name === 'row') this.#openRow(attributes)
    else if (name === 'c') this.#openCell(attributes)
    else if (name === 'mergeCell') this.#merge(attributes['ref'] ?? '')
  }

  text(text: string): void {
    if (this.#cell === null) return
    if (this.#inValue) this.#cell.value?.push(text)
    else this.#rich.add(text)
  }

  close(name: string): void {
    if (name === 'row') this.#rows.add(this.#row)
    if (this.#cell === null) return
    if (name === 'v') this.#inValue = false
    else if (name === 'c') this.#closeCell(this.#cell)
    else this.#rich.close(name)
  }

  finish(): readonly SheetRow[] {
    const { rows } = this.#rows
    for (const merge of this.#merges) fillMergedCells(rows, merge)
    return rows
  }

  #openRow({ r }: Readonly<Record<string, string>>): void {
    const number = r === undefined ? this.#row.number + 1 : Number(r)
    if (!Number.isSafeInteger(number) || number <= this.#row.number)
      throw unusable(`The spreadsheet is damaged: row ${this.#row.number + 1} has no proper number.`)
    this.#passed.row()
    this.#row = { number, cells: new Map() }
    this.#column = -1
  }

  #openCell({ r, t = 'n', s = '0' }: Readonly<Record<string, string>>): void {
    this.#passed.cell()
    this.#column = r === undefined ? this.#column + 1 : placeOf(r).column
    const position = { row: this.#row.number, column: this.#column }
    this.#cell = { position, type: t, style: Number(s), formula: false, value: null }
    this.#rich.clear()
  }

  #openPart(name: string, cell: OpenCell): void {
    if (name === 'f') cell.formula = true
    else if (name === 'v') {
      cell.value = []
      this.#inValue = true
    } else this.#rich.open(name)
  }

  #closeCell(cell: OpenCell): void {
    this.#cell = null
    const content = this.#contentOf(cell)
    if (content === null || (content.text === '' && content.fault === null)) return
    if (content.text.length > MAX_CELL_CHARACTERS) throw tooLong(cell.position)
    this.#row.cells.set(cell.position.column, content)
  }

  #contentOf({ type, style, formula, value }: OpenCell): Cell | null {
    const raw = value?.join('') ?? null
    if (type === 'inlineStr') return { text: this.#rich.value, formula, fault: null }
    if (raw === null) return formula ? { text: '', formula, fault: 'its formula has no saved result' } : null
    if (type === 'e') return { text: '', formula, fault: `it shows the error ${raw.slice(0, 20)}` }
    return { text: this.#textOf(raw, type, style), formula, fault: null }
  }

  /** Cell types are those of ECMA-376 §18.18.11. */
  #textOf(raw: string, type: string, style: number): string {
    if (type === 's') return this.#workbook.strings[Number(raw)] ?? ''
    if (type === 'b') return raw === '1' ? 'TRUE' : 'FALSE'
    return type === 'n' ? this.#number(raw, style) : unescaped(raw)
  }

  #number(raw: string, style: number): string {
    const number = Number(raw)
    const { dates, calendar } = this.#workbook
    const date = dates[style] === true ? dateText(number, calendar) : null
    return date ?? (Number.isFinite(number) && raw.trim() !== '' ? String(number) : raw)
  }

  #merge(range: string): void {
    const [from = '', to = ''] = range.split(':')
    if (to === '') return
    if (this.#merges.length >= MAX_MERGES) throw tooMany('merged ranges', MAX_MERGES)
    this.#merges.push({ from: placeOf(from), to: placeOf(to) })
  }
}

/** The position in a reference such as `AB12`. */
function placeOf(reference: string): CellPosition {
  const [, letters = '', digits = ''] = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? []
  if (letters === '') throw unusable('The spreadsheet is damaged: a cell has no proper place.')
  const column = Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { row: Number(digits), column }
}

/** The width of ranges whose content is copied. Wider ranges are decoration. */
const MAX_WIDTH = 100

/** Copies the content of a merged range to all its cells, but not to blank rows. */
function fillMergedCells(rows: readonly SheetRow[], { from, to }: Merge): void {
  const begin = rowIndex(rows, from.row)
  const first = rows[begin]
  const content = first?.number === from.row ? first.cells.get(from.column) : undefined
  if (content === undefined) return
  const last = Math.min(to.column, from.column + MAX_WIDTH)
  for (let index = begin; index < rows.length; index += 1) {
    const row = rows[index]
    if (row === undefined || row.number > to.row) return
    for (let column = from.column; column <= last; column += 1) {
      if (!row.cells.has(column)) row.cells.set(column, content)
    }
  }
}

/** The index of the first row with this or a higher number. */
function rowIndex(rows: readonly SheetRow[], number: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rows[middle]?.number ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

function tooLong({ row, column }: CellPosition): Error {
  const limit = `${groupDigits(MAX_CELL_CHARACTERS)} characters`
  return unusable(`Cell ${columnName(column)}${row} is longer than the limit of ${limit}.`)
}
