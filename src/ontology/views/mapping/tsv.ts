import { tsvLines } from '../../../graph/tsv.ts'
import type { Format } from '../view.ts'
import { isResults } from './csv.ts'

/** SPARQL 1.1 Query Results CSV and TSV Formats (W3C) §4. */
export const TSV_FORMAT: Format = {
  mediaType: 'text/tab-separated-values; charset=utf-8',
  write: (answer) => {
    if (!isResults(answer)) throw new Error('Only SPARQL results can be written as TSV')
    return tsvLines(answer.head.vars, answer.results.bindings)
  },
}
