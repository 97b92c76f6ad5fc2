import { z } from 'zod'
import { isStorable, nameForbidden } from '../../../../platform/characters.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { partsProtocol } from '../../../../platform/threads/parts.ts'
import { objectWith } from '../../../../platform/threads/protocol.ts'
import { groupDigits } from '../../../catalogue/files/limits.ts'
import { columnName } from '../../exports/tables/cell.ts'
import { COLUMNS, type Field, type Layout } from './columns.ts'
import { EncodingSamples, SHEET_ENCODINGS, type ReadEncoding } from './encoding.ts'
import { findTable } from './find-table.ts'
import { MAX_CHARACTERS, MAX_WARNINGS, PART_CHARACTERS } from './limits.ts'
import { unusable } from './refusals.ts'
import type { Cell, SheetRow, SheetTable } from './row.ts'

/** A row of a sheet below the headers. */
export interface SheetRecord {
  /** The row number that a spreadsheet shows, from 1. */
  readonly row: number
  /** The text in each column of the sheet; empty for a blank cell. */
  readonly values: Readonly<Partial<Record<Field, string>>>
}

/** Empty if the sheet has no SRG ids. */
export function srgIdOf({ values }: SheetRecord): string {
  return values.srg_id?.trim() ?? ''
}

/** Empty if the sheet has no STIG ids. */
export function stigIdOf({ values }: SheetRecord): string {
  return values.stig_id?.trim() ?? ''
}

/** The parts in which a sheet is read. */
export type SheetPart =
  | { readonly kind: 'head'; readonly warnings: readonly string[]; readonly encoding: ReadEncoding }
  | { readonly kind: 'records'; readonly records: readonly SheetRecord[] }

/** The parts that the reading thread sends. */
export const SHEET_PARTS = partsProtocol(
  z.object({ path: z.string(), encoding: z.enum(SHEET_ENCODINGS).nullable() }),
  objectWith<SheetPart>('kind'),
)

/** Finds the sheet and its columns, and checks the values in them. */
export async function* toParts(sheets: AsyncIterable<SheetTable>): AsyncGenerator<SheetPart, void> {
  const { layout, rows, warnings, encoding } = await findTable(sheets)
  const checked = new CheckedRows(layout, lineEndsOf(rows, layout))
  const records = rows.map((row) => checked.record(row))
  const readAs = encoding === null || encoding === 'utf-8' ? null : { name: encoding, samples: checked.samples }
  yield { kind: 'head', warnings: [...warnings, ...checked.warnings()], encoding: readAs }
  yield* portions(records)
}

/**
 * Line breaks within cells are converted to line feeds if all of them are CR LF, because a program has probably written
 * them. Otherwise they stay.
 */
type LineEnds = 'kept' | 'converted'

function lineEndsOf(rows: readonly SheetRow[], layout: Layout): LineEnds {
  let hasReturns = false
  for (const { cells } of rows)
    for (const column of layout.values()) {
      const text = cells.get(column)?.text ?? ''
      if (/(?<!\r)\n|\r(?!\n)/.test(text)) return 'kept'
      hasReturns ||= text.includes('\r')
    }
  return hasReturns ? 'converted' : 'kept'
}

const CONVERTED = 'All line breaks within cells are CR LF; they are read as line feeds.'

class CheckedRows {
  readonly #layout: Layout
  readonly #lineEnds: LineEnds
  readonly #formulas: string[] = []
  readonly #samples = new EncodingSamples()
  #characters = 0

  constructor(layout: Layout, lineEnds: LineEnds) {
    this.#layout = layout
    this.#lineEnds = lineEnds
  }

  record({ number, cells }: SheetRow): SheetRecord {
    const values: Partial<Record<Field, string>> = {}
    for (const { name, header } of COLUMNS) {
      const column = this.#layout.get(name)
      if (column === undefined) continue
      const place = `row ${number}, ${header} (${columnName(column)}${number})`
      const written = textOf(cells.get(column), place)
      const text = this.#lineEnds === 'kept' ? written : written.replaceAll('\r\n', '\n')
      if (cells.get(column)?.formula === true) this.#formulas.push(`${columnName(column)}${number}`)
      this.#characters += text.length
      this.#samples.add(place, text)
      values[name] = text
    }
    if (this.#characters > MAX_CHARACTERS) throw tooMuch()
    return { row: number, values }
  }

  get samples(): EncodingSamples['all'] {
    return this.#samples.all
  }

  warnings(): readonly string[] {
    const places = this.#formulas.slice(0, MAX_WARNINGS)
    const restCount = this.#formulas.length - places.length
    const cells = `${places.join(', ')}${restCount > 0 ? ` and ${groupDigits(restCount)} more` : ''}`
    return [
      ...(this.#lineEnds === 'kept' ? [] : [CONVERTED]),
      ...(places.length === 0 ? [] : [`Saved results of formulas are used, in ${cells}.`]),
    ]
  }
}

function textOf(cell: Cell | undefined, place: string): string {
  if (cell === undefined) return ''
  if (cell.fault !== null) throw unusable(`The cell in ${place} cannot be used: ${cell.fault}.`)
  const { text } = cell
  if (!isStorable(text))
    throw unusable(`The cell in ${place} has characters that cannot be stored (${nameForbidden(text)}).`)
  return text.trim() === '' ? '' : text
}

function tooMuch(): Refusal {
  const limit = `${groupDigits(MAX_CHARACTERS)} characters`
  return new Refusal('too_large', `The spreadsheet has more text than the limit of ${limit}.`)
}

/** Receiving a portion must block nobody, so portions are small. */
function* portions(records: readonly SheetRecord[]): Generator<SheetPart, void> {
  let portion: SheetRecord[] = []
  let characters = 0
  for (const record of records) {
    portion.push(record)
    characters += 100 + Object.values(record.values).join('').length
    if (characters < PART_CHARACTERS) continue
    yield { kind: 'records', records: portion }
    portion = []
    characters = 0
  }
  yield { kind: 'records', records: portion }
}
