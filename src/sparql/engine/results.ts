import { z } from 'zod'
import type { Term } from '../../graph/term.ts'
import { tsvLines } from '../../graph/tsv.ts'
import { xsd } from '../../graph/vocabulary.ts'
import { csvLines } from '../../platform/csv/csv.ts'
import { escapeMarkup } from '../../platform/markup.ts'

/** Engines from before SPARQL 1.1 send `typed-literal`. */
const engineTerm = z.object({
  type: z.enum(['uri', 'bnode', 'literal', 'typed-literal']),
  value: z.string(),
  'xml:lang': z.string().optional(),
  datatype: z.string().optional(),
})

const engineResults = z.object({
  head: z.object({ vars: z.array(z.string()).default([]) }).prefault({}),
  boolean: z.boolean().optional(),
  results: z.object({ bindings: z.array(z.record(z.string(), engineTerm)).default([]) }).default({ bindings: [] }),
})

type Row = Readonly<Record<string, Term | undefined>>

/** The answer to a SELECT or an ASK. */
export interface Results {
  readonly names: readonly string[]
  readonly rows: readonly Row[]
  /** The answer to an ASK; null for a SELECT. */
  readonly truth: boolean | null
}

/** Reads SPARQL 1.1 Query Results JSON as engines write it. Throws if it is not valid. */
export function readResults(json: string, form: 'SELECT' | 'ASK'): Results {
  const { head, boolean, results } = engineResults.parse(JSON.parse(json))
  const rows = results.bindings.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, term]) => [name, toTerm(term)])),
  )
  if (form === 'SELECT') return { names: head.vars, rows, truth: null }
  return { names: [], rows: [], truth: boolean ?? isTrue(rows) }
}

/** Virtuoso answers ASK with a row of one number, or with none. */
function isTrue([row]: readonly Row[]): boolean {
  const [value] = Object.values(row ?? {})
  return value !== undefined && !['0', 'false'].includes(value.value)
}

function toTerm(sent: z.output<typeof engineTerm>): Term {
  const { type, value, datatype = xsd.string, 'xml:lang': language = '' } = sent
  if (type === 'uri') return { type, value }
  // Engines label blank nodes with any characters.
  if (type === 'bnode') return { type, value: value.replaceAll(/[^A-Za-z0-9]/g, '') }
  if (language !== '') return { type: 'literal', value, 'xml:lang': language }
  return datatype === xsd.string ? { type: 'literal', value } : { type: 'literal', value, datatype }
}

const WRITERS: Readonly<Record<string, (results: Results) => string>> = {
  'application/sparql-results+json': writeJson,
  'application/sparql-results+xml': writeXml,
  'text/csv': ({ names, rows, truth }) =>
    truth === null ? csvLines([names, ...rows.map((row) => names.map((name) => csvValue(row[name])))]) : String(truth),
  'text/tab-separated-values': ({ names, rows, truth }) =>
    truth === null ? [...tsvLines(names, rows)].join('') : String(truth),
}

/** Results in one of the formats of this service, by media type. */
export function writeResults(results: Results, mediaType: string): string {
  const write = WRITERS[mediaType]
  if (write === undefined) throw new Error(`Results are not written as ${mediaType}`)
  return write(results)
}

function writeJson({ names, rows, truth }: Results): string {
  if (truth !== null) return JSON.stringify({ head: {}, boolean: truth })
  return JSON.stringify({ head: { vars: names }, results: { bindings: rows } })
}

function writeXml({ names, rows, truth }: Results): string {
  const head = names.map((name) => `<variable name="${escapeMarkup(name)}"/>`).join('')
  const results = rows.map((row) => `<result>${names.map((name) => binding(name, row[name])).join('')}</result>`)
  const body = truth === null ? `<results>${results.join('')}</results>` : `<boolean>${truth}</boolean>`
  return `<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head>${head}</head>${body}</sparql>`
}

function binding(name: string, term: Term | undefined): string {
  return term === undefined ? '' : `<binding name="${escapeMarkup(name)}">${xmlTerm(term)}</binding>`
}

function xmlTerm(term: Term): string {
  const text = escapeMarkup(term.value)
  if (term.type !== 'literal') return `<${term.type}>${text}</${term.type}>`
  const { datatype, 'xml:lang': language } = term
  const typed = datatype === undefined ? '' : ` datatype="${escapeMarkup(datatype)}"`
  const tagged = language === undefined ? '' : ` xml:lang="${escapeMarkup(language)}"`
  return `<literal${typed}${tagged}>${text}</literal>`
}

function csvValue(term: Term | undefined): string {
  if (term === undefined) return ''
  return term.type === 'bnode' ? `_:${term.value}` : term.value
}
