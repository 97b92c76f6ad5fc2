import { distance } from 'fastest-levenshtein'
import { inOrder } from '../../../../platform/records.ts'
import { CHECK_CONTENT } from '../../../../tables/check-fields.ts'
import { namesOf, SHEET_COLUMNS } from '../../../../tables/field-lists.ts'
import { columnName } from '../../exports/tables/cell.ts'
import { quoted, unusable } from './refusals.ts'
import type { SheetRow } from './row.ts'

/** Columns of a sheet that are not fields of a rule. */
const OTHER_COLUMNS = [
  { name: 'srg_id', header: 'SRGID', aliases: ['SRG ID'], required: true },
  { name: 'stig_id', header: 'STIGID', aliases: ['STIG ID'], required: false },
  CHECK_CONTENT.sheet,
  { name: 'ident', header: 'CCI', aliases: [], required: false },
  { name: 'satisfies', header: 'Satisfies', aliases: [], required: false },
] as const

const ALL = [...SHEET_COLUMNS, ...OTHER_COLUMNS]

type Column = (typeof ALL)[number]

export type Field = Column['name']

/** Messages name these columns first, in this order. */
const FIRST_NAMED = [
  'srg_id',
  'stig_id',
  'severity',
  'title',
  'vuln_discussion',
  'status',
  'check',
  'fix',
] satisfies readonly Field[]

/** The columns that are read. */
export const COLUMNS: readonly Column[] = inOrder(FIRST_NAMED, namesOf(ALL)).flatMap((name) =>
  ALL.filter((column) => column.name === name),
)

/** The index of the column of each field. */
export type Layout = ReadonlyMap<Field, number>

interface Header {
  readonly column: number
  readonly text: string
  readonly key: string
}

/** The columns whose headers are in a row. */
export function headersIn(row: SheetRow): {
  readonly count: number
  /** Whether the row has all required headers. */
  readonly isComplete: boolean
} {
  const keys = new Set([...row.cells.values()].map(({ text }) => keyOf(text)))
  const recognized = COLUMNS.filter(({ header, aliases }) => [header, ...aliases].some((name) => keys.has(keyOf(name))))
  const required = COLUMNS.filter(({ required }) => required)
  return { count: recognized.length, isComplete: required.every((column) => recognized.includes(column)) }
}

/**
 * Finds the columns by their headers, in any order, ignoring case and spacing. Uses aliases if the name itself is
 * missing. Refuses duplicate headers, and names missing ones, each with the most similar header.
 */
export function findColumns(row: SheetRow, sheet: string | null): Layout {
  const headers = [...row.cells].map(([column, { text }]) => ({ column, text, key: keyOf(text) }))
  const place = placeOf(row, sheet)
  const layout = new Map<Field, number>()
  for (const { name, header, aliases } of COLUMNS) {
    const matches = [header, ...aliases]
      .map((spelling) => headers.filter(({ key }) => key === keyOf(spelling)))
      .find((matching) => matching.length > 0)
    if (matches === undefined) continue
    const [first, second] = matches
    if (first !== undefined && second !== undefined) throw duplicateHeader([first, second], place)
    if (first !== undefined) layout.set(name, first.column)
  }
  const used = new Set(layout.values())
  const missing = COLUMNS.filter(({ name, required }) => required && !layout.has(name))
  const free = headers.filter(({ column }) => !used.has(column))
  if (missing.length > 0) throw missingHeaders(missing, free, place)
  return layout
}

/**
 * Keeps only letters and digits, in lower case, so that `Vuln Discussion`, `VULN_DISCUSSION` and `vulndiscussion` are
 * equal.
 */
export function keyOf(text: string): string {
  return text
    .slice(0, 100)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** `row 3 of the sheet "Rules"` */
export function placeOf({ number }: SheetRow, sheet: string | null): string {
  return sheet === null ? `row ${number}` : `row ${number} of the sheet ${quoted(sheet)}`
}

function duplicateHeader([first, second]: readonly [Header, Header], place: string): Error {
  const columns = `columns ${columnName(first.column)} and ${columnName(second.column)}`
  return unusable(`The header ${quoted(first.text)} occurs twice in ${place}, in ${columns}.`)
}

function missingHeaders(missing: readonly Column[], free: readonly Header[], place: string): Error {
  const headers = missing.map(({ header }) => {
    const suggestion = nearest(header, free)
    return suggestion === undefined ? header : `${header} (is ${quoted(suggestion)} meant for it?)`
  })
  return unusable(`The spreadsheet lacks headers in ${place}: ${headers.join(', ')}.`)
}

/** The number of headers to compare. */
const MAX_HEADERS = 200

/** The most similar header, if at most a third of its letters differ. */
function nearest(header: string, free: readonly Header[]): string | undefined {
  const key = keyOf(header)
  const rated = free
    .slice(0, MAX_HEADERS)
    .map((candidate) => ({ text: candidate.text, differing: distance(key, candidate.key) }))
    .sort((a, b) => a.differing - b.differing)
  const [best] = rated
  return best !== undefined && best.differing <= Math.max(1, key.length / 3) ? best.text : undefined
}
