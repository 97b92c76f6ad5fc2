import { XSD } from '../../../parts/words/iris.ts'

/** A term of an answer (SPARQL 1.1 Query Results JSON Format). */
export interface Term {
  readonly type: 'uri' | 'literal' | 'typed-literal' | 'bnode' | 'triple'
  readonly value: unknown
  readonly datatype?: string
  readonly 'xml:lang'?: string
}

export type ResultRow = Readonly<Record<string, Term | undefined>>

/** An answer as the page shows it. */
export type QueryAnswer =
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly ResultRow[] }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'graph'; readonly text: string }

interface ResultsDocument {
  readonly head?: { readonly vars?: readonly string[] }
  readonly boolean?: boolean
  readonly results?: { readonly bindings: readonly ResultRow[] }
}

/** Reads an answer in JSON, or a graph in Turtle. */
export function readAnswer(mediaType: string, text: string): QueryAnswer {
  if (!/\bjson\b/.test(mediaType)) return { kind: 'graph', text }
  const document: unknown = JSON.parse(text)
  const { head, boolean, results } = isResults(document) ? document : {}
  if (boolean !== undefined) return { kind: 'boolean', value: boolean }
  return { kind: 'table', columns: head?.vars ?? [], rows: results?.bindings ?? [] }
}

function isResults(document: unknown): document is ResultsDocument {
  return typeof document === 'object' && document !== null
}

/** The column that sorts the rows; null for the order of the service. */
export interface Sorting {
  readonly column: string
  readonly isDescending: boolean
}

/** The next order when a column is clicked: ascending, descending, that of the service. */
export function nextSorting(sorting: Sorting | null, column: string): Sorting | null {
  if (sorting?.column !== column) return { column, isDescending: false }
  return sorting.isDescending ? null : { column, isDescending: true }
}

const collator = new Intl.Collator('en', { numeric: true })
const NUMBERS = new Set(['integer', 'decimal', 'double', 'float', 'int', 'long', 'short'].map((name) => XSD + name))

/** Sorts numbers by value and other terms as text; rows without a value come last. */
export function sortRows(rows: readonly ResultRow[], sorting: Sorting | null): readonly ResultRow[] {
  if (sorting === null) return rows
  const { column, isDescending } = sorting
  const sign = isDescending ? -1 : 1
  return rows.toSorted((first, second) => {
    const [a, b] = [first[column], second[column]]
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    return sign * compareTerms(a, b)
  })
}

function compareTerms(a: Term, b: Term): number {
  if (isNumber(a) && isNumber(b)) return Number(a.value) - Number(b.value)
  return collator.compare(String(a.value), String(b.value))
}

export function isNumber({ datatype }: Term): boolean {
  return datatype !== undefined && NUMBERS.has(datatype)
}
