import type { Term } from './term.ts'
import { xsd } from './vocabulary.ts'

const UNQUOTED_DATATYPES: readonly string[] = [xsd.integer, xsd.boolean]
const ESCAPES: Readonly<Record<string, string>> = { '\t': 't', '\n': 'n', '\r': 'r' }

/** Rows of terms as SPARQL 1.1 Query Results TSV (W3C), §4: one line each, after that of the names. */
export function* tsvLines(
  names: readonly string[],
  rows: Iterable<Readonly<Record<string, Term | undefined>>>,
): Generator<string> {
  yield `${names.map((name) => `?${name}`).join('\t')}\n`
  for (const row of rows) yield `${names.map((name) => tsvValue(row[name])).join('\t')}\n`
}

/** Writes a term as in Turtle (§4.2), and nothing for an unbound name. */
function tsvValue(term: Term | undefined): string {
  if (term === undefined) return ''
  if (term.type === 'uri') return `<${term.value}>`
  if (term.type === 'bnode') return `_:${term.value}`
  const { value, datatype, 'xml:lang': language } = term
  if (datatype !== undefined && UNQUOTED_DATATYPES.includes(datatype)) return value
  const quoted = `"${value.replaceAll(/[\t\n\r"\\]/g, (character) => `\\${ESCAPES[character] ?? character}`)}"`
  if (language !== undefined) return `${quoted}@${language}`
  return datatype === undefined ? quoted : `${quoted}^^<${datatype}>`
}
