import { csvLines } from '../../../platform/csv/csv.ts'
import type { Results } from '../rows.ts'
import type { Format } from '../view.ts'

/** RFC 4180 with its `header` parameter; SPARQL 1.1 Query Results CSV (W3C) §3. */
export const CSV_FORMAT: Format = {
  mediaType: 'text/csv; charset=utf-8; header=present',
  write: csvPieces,
}

const BATCH_SIZE = 1000

/** SPARQL results as CSV: plain values, quotes only where needed, CRLF after every line. */
export function* csvPieces(answer: unknown): Generator<string> {
  if (!isResults(answer)) throw new Error('Only SPARQL results can be written as CSV')
  const { vars } = answer.head
  const rows = answer.results.bindings
  yield csvLines([vars])
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    const slice = rows.slice(start, start + BATCH_SIZE)
    yield csvLines(slice.map((row) => vars.map((column) => row[column]?.value ?? '')))
  }
}

export function isResults(answer: unknown): answer is Results {
  return typeof answer === 'object' && answer !== null && 'head' in answer && 'results' in answer
}
