import type { Coverage } from '../contracts/coverage.ts'
import { csvPieces } from '../platform/csv/csv.ts'

/** The rows of a coverage as CSV. */
export async function* csvOf(portions: Awaited<ReturnType<Coverage['table']>>): AsyncGenerator<string, void> {
  for await (const rows of portions) yield [...csvPieces(rows, { mark: false })].join('')
}
