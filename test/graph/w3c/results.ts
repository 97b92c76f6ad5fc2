import { parse } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'
import type { EmbeddedGraph } from '../../../src/graph/store.ts'
import { nTriplesPieces } from '../../../src/graph/syntax/n3.ts'
import { iri, termKey, text, type Statement, type Term } from '../../../src/graph/term.ts'
import { xsd } from '../../../src/graph/vocabulary.ts'
import { readResults, type Results } from '../../../src/sparql/engine/results.ts'
import { bytesAt, endingOf, readFileAt } from './files.ts'

type Row = Results['rows'][number]

const NUMBERS = ['integer', 'decimal', 'float', 'double'].map((name) => `${xsd.namespace}${name}`)
const RESULT_SET = 'http://www.w3.org/2001/sw/DataAccess/tests/result-set#'
const ROWS = {
  text: `PREFIX rs: <${RESULT_SET}>
SELECT * { ?set rs:solution ?row OPTIONAL { ?row rs:index ?index }
  OPTIONAL { ?row rs:binding [ rs:variable ?name ; rs:value ?value ] } } ORDER BY ?index ?row`,
  columns: ['set', 'row'],
  optional: ['index', 'name', 'value'],
} as const
const TRUTH = {
  text: `SELECT ?truth { ?set <${RESULT_SET}boolean> ?truth }`,
  columns: ['truth'],
  optional: [],
} as const

/** The expected answer of a query: results, or the statements of a graph in N-Quads. */
export async function expectedAt(address: string): Promise<Results | string> {
  const ending = endingOf(address)
  if (ending === 'srx') return readXml(bytesAt(address).toString())
  if (ending === 'srj') return readJson(bytesAt(address).toString())
  const { graph } = readFileAt(address)
  return graph.dump().includes(`<${RESULT_SET}`) ? readGraph(graph) : graph.dump()
}

/** Reads results in JSON, of a SELECT or an ASK. */
export function readJson(json: string): Results {
  return readResults(json, /"boolean"\s*:/.test(json) ? 'ASK' : 'SELECT')
}

async function readGraph(graph: EmbeddedGraph): Promise<Results> {
  const [truth] = await graph.select(TRUTH)
  if (truth !== undefined) return { names: [], rows: [], truth: truth.truth.value === 'true' }
  const rows = new Map<string, Record<string, Term>>()
  for (const { row, name, value } of await graph.select(ROWS)) {
    const bindings = rows.get(row.value) ?? {}
    rows.set(row.value, name === undefined || value === undefined ? bindings : { ...bindings, [name.value]: value })
  }
  return { names: [], rows: [...rows.values()], truth: null }
}

/** Reads SPARQL Query Results XML. */
export function readXml(xml: string): Results {
  const names: string[] = []
  const rows: Record<string, Term>[] = []
  let truth: boolean | null = null
  let name = ''
  let attributes: Readonly<Record<string, string>> = {}
  let content = ''
  const parser = new SaxesParser()
  parser.on('opentag', (tag) => {
    attributes = tag.attributes
    content = ''
    if (tag.name === 'variable') names.push(tag.attributes['name'] ?? '')
    if (tag.name === 'result') rows.push({})
    if (tag.name === 'binding') name = tag.attributes['name'] ?? ''
  })
  parser.on('text', (part) => (content += part))
  parser.on('closetag', (tag) => {
    const row = rows.at(-1)
    if (tag.name === 'boolean') truth = content.trim() === 'true'
    if (row !== undefined && ['uri', 'bnode', 'literal'].includes(tag.name))
      row[name] = xmlTerm(tag.name, content, attributes)
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(xml).close()
  return { names, rows, truth }
}

function xmlTerm(kind: string, value: string, attributes: Readonly<Record<string, string>>): Term {
  if (kind === 'uri') return iri(value)
  if (kind === 'bnode') return { type: 'bnode', value: value.replaceAll(/[^A-Za-z0-9]/g, '') }
  const { datatype, 'xml:lang': language } = attributes
  if (language !== undefined) return { type: 'literal', value, 'xml:lang': language }
  return datatype === undefined ? text(value) : { type: 'literal', value, datatype }
}

/** Rows as a graph in N-Triples, so that two answers can be compared whatever the labels of their blank nodes. */
export function rowsAsGraph(
  rows: readonly Row[],
  { isOrdered, isLax }: { isOrdered: boolean; isLax: boolean },
): string {
  const each = rows.map(plainRow)
  const kept = isLax ? [...new Map(each.map((row) => [JSON.stringify(row), row])).values()] : each
  const statements = kept.flatMap((row, index) => [
    say(`row${index}`, 'urn:row', text(isOrdered ? String(index) : '')),
    ...row.map(([name, term]) => say(`row${index}`, `urn:name:${name}`, term)),
  ])
  return [...nTriplesPieces(statements)].join('')
}

function say(row: string, predicate: string, object: Term): Statement {
  return { subject: { type: 'bnode', value: row }, predicate: iri(predicate), object }
}

function plainRow(row: Row): readonly (readonly [string, Term])[] {
  const bound = Object.entries(row).flatMap(([name, term]) => (term === undefined ? [] : [[name, term] as const]))
  return bound.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, term]) => [name, plainTerm(term)])
}

/** Numbers by their value and language tags in small letters: the same is written in several ways. */
function plainTerm(term: Term): Term {
  if (term.type !== 'literal') return term
  const { value, datatype = xsd.string, 'xml:lang': language } = term
  if (language !== undefined) return { type: 'literal', value, 'xml:lang': language.toLowerCase() }
  if (datatype === xsd.string) return text(value)
  return { type: 'literal', value: plainValue(value, datatype), datatype }
}

function plainValue(value: string, datatype: string): string {
  if (datatype === `${xsd.namespace}boolean`) return value.replace(/^0$/, 'false').replace(/^1$/, 'true')
  const isNumber = NUMBERS.includes(datatype) && value.trim() !== '' && !Number.isNaN(Number(value))
  return isNumber ? String(Number(value)) : value
}

/** The rows that only one of two answers has, for people. */
export function rowsApart(actual: readonly Row[], expected: readonly Row[]): string {
  const [actualLines, expectedLines] = [linesOf(actual), linesOf(expected)]
  const surplus = actualLines.filter((line) => !expectedLines.includes(line)).map((line) => `+ ${line}`)
  const missing = expectedLines.filter((line) => !actualLines.includes(line)).map((line) => `- ${line}`)
  return [`${actualLines.length} rows for ${expectedLines.length}`, ...surplus, ...missing].join('\n')
}

function linesOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => plainRow(row).map(cell).join(' '))
}

function cell([name, term]: readonly [string, Term]): string {
  return `${name}=${term.type === 'bnode' ? '_:' : termKey(term)}`
}

/** The rows of an answer in CSV or TSV in no particular order, each with its columns by name. */
export function tableOf(text: string, ending: string): readonly string[] {
  const how = ending === 'csv' ? {} : { delimiter: '\t', quote: false }
  const [names = [], ...rows] = parse(text, how)
  const cells = rows.map((row) => row.map((value, index) => `${names[index] ?? ''}=${value.replace(/^_:.*/, '_:')}`))
  return cells.map((row) => row.sort().join(' ')).sort()
}
