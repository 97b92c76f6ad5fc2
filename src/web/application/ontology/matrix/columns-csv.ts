import { hasWords, type Cell, type Column, type CountCell } from './columns.ts'

/** The columns as they are shown. */
export interface ShownColumns {
  readonly columns: readonly Column[]
  readonly words: readonly string[]
  readonly withBelow: boolean
  /** Null: no number is shown. */
  readonly count: CountCell | null
  readonly numberName: string
}

const HEAD = ['Tactic', 'Group', 'Name', 'Id', 'Below']

/** A line for each cell that is shown and has the words of the filter, as CSV (RFC 4180). */
export function columnsAsCsv(shown: ShownColumns): string {
  const { columns, count, numberName } = shown
  const head = count === null ? HEAD : [...HEAD, numberName]
  const lines = columns.flatMap((column) =>
    column.groups.flatMap(({ head: group, cells }) => [
      ...(group === null ? [] : linesOf(group, [column.label, ''], '', shown)),
      ...cells.flatMap((cell) => linesOf(cell, [column.label, group?.label ?? ''], '', shown)),
    ]),
  )
  return [head, ...lines].map((line) => `${line.map(quote).join(',')}\r\n`).join('')
}

type Lines = readonly (readonly string[])[]

function linesOf(cell: Cell, columnAndGroup: readonly [string, string], parent: string, shown: ShownColumns): Lines {
  const { words, withBelow, count } = shown
  const number = count === null ? [] : [String(count(cell, !withBelow))]
  const isFound = withBelow ? hasWords({ ...cell, below: [] }, words) : hasWords(cell, words)
  return [
    ...(isFound ? [[...columnAndGroup, cell.label, cell.id ?? '', parent, ...number]] : []),
    ...(withBelow ? cell.below.flatMap((child) => linesOf(child, columnAndGroup, cell.label, shown)) : []),
  ]
}

/** An apostrophe keeps spreadsheets from reading a formula. */
function quote(text: string): string {
  const guarded = /^[=+\-@|\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}
