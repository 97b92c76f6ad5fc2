import type { Term } from '../../../graph/term.ts'
import type { Format } from '../view.ts'
import { isResults } from './csv.ts'

/** SPARQL 1.1 Query Results CSV and TSV Formats (W3C) §4. */
export const TSV_FORMAT: Format = {
  mediaType: 'text/tab-separated-values; charset=utf-8',
  write: tsvPieces,
}

/** SPARQL results as TSV: terms as in Turtle, `?` before the names of columns. */
function* tsvPieces(answer: unknown): Generator<string> {
  if (!isResults(answer)) throw new Error('Only SPARQL results can be written as TSV')
  const { vars } = answer.head
  yield `${vars.map((name) => `?${name}`).join('\t')}\n`
  for (const row of answer.results.bindings) {
    yield `${vars.map((name) => writeTerm(row[name])).join('\t')}\n`
  }
}

function writeTerm(term: Term | undefined): string {
  if (term === undefined) return ''
  if (term.type === 'uri') return `<${term.value}>`
  if (term.type === 'bnode') return `_:${term.value}`
  const quoted = `"${term.value.replaceAll(/["\\\n\r\t]/g, (character) => ESCAPES[character] ?? character)}"`
  if (term['xml:lang'] !== undefined) return `${quoted}@${term['xml:lang']}`
  return term.datatype === undefined ? quoted : `${quoted}^^<${term.datatype}>`
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
