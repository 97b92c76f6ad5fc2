import { stringify } from 'csv-stringify/sync'
import { guardFormulas } from './formula-guard.ts'

export type CsvRow = readonly (string | null)[]

/**
 * Rows as CSV (RFC 4180), one piece for each. Some programs need the byte order mark to recognise UTF-8. Values
 * that a spreadsheet would take for formulas get an apostrophe.
 */
export function* csvPieces(rows: Iterable<CsvRow>, { mark }: { readonly mark: boolean }): Generator<string, void> {
  if (mark) yield '\ufeff'
  for (const row of rows)
    yield stringify([row.map((text) => (text === null ? null : guardFormulas(text)))], {
      record_delimiter: 'windows',
      // By itself, the library only quotes line ends of the kind that ends rows.
      quoted_match: /[\r\n]/,
    })
}
