import { stringify } from 'csv-stringify/sync'
import { guardFormulas } from './formula-guard.ts'

export type CsvRow = readonly (string | null)[]

/** Rows as CSV (RFC 4180) with their values unchanged, for programs. */
export function csvLines(rows: readonly CsvRow[]): string {
  // By itself, the library only quotes line ends of the kind that ends rows.
  return stringify([...rows], { record_delimiter: 'windows', quoted_match: /[\r\n]/ })
}

/** Rows as CSV for people: values that a spreadsheet would take for formulas get an apostrophe. */
export function guardedCsvLines(rows: readonly CsvRow[]): string {
  return csvLines(rows.map((row) => row.map((text) => (text === null ? null : guardFormulas(text)))))
}

/** Like `guardedCsvLines`, one piece for each row. Some programs need the byte order mark to recognise UTF-8. */
export function* csvPieces(rows: Iterable<CsvRow>, { mark }: { readonly mark: boolean }): Generator<string, void> {
  if (mark) yield '\ufeff'
  for (const row of rows) yield guardedCsvLines([row])
}
