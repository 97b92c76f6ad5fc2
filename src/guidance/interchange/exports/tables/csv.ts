import { stringify } from 'csv-stringify/sync'
import { guardFormulas } from '../../../../platform/formula-guard.ts'

export type CsvRow = readonly (string | null)[]

/**
 * Rows as CSV (RFC 4180), each a piece. Programs that guess need the byte order mark to read UTF-8.
 * What a spreadsheet would take for a formula gets an apostrophe.
 */
export function* csvPieces(
  rows: Iterable<CsvRow>,
  { mark }: { readonly mark: boolean },
): Generator<string, void> {
  if (mark) yield '\ufeff'
  for (const row of rows)
    yield stringify([row.map((text) => (text === null ? null : guardFormulas(text)))], {
      record_delimiter: 'windows',
      // By itself, the library quotes a line end only where it is the one that ends rows.
      quoted_match: /[\r\n]/,
    })
}
