import type { EmbeddedGraph } from '../../../src/graph/store.ts'
import { addressOf, readFileAt } from './files.ts'

const PREFIXES = `
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#>
PREFIX qt: <http://www.w3.org/2001/sw/DataAccess/tests/test-query#>
`
const ENTRY = '?list mf:entries/rdf:rest*/rdf:first ?test . ?test a ?type'
const SYNTAX_TESTS = {
  text: `${PREFIXES} SELECT * { ${ENTRY} ; mf:action ?action OPTIONAL { ?test mf:result ?result } } ORDER BY ?test`,
  columns: ['test', 'type', 'action'],
  optional: ['result'],
} as const

/** A test of how a document is read. */
export interface DocumentTest {
  readonly name: string
  /** Whether the document has to be refused. */
  readonly isNegative: boolean
  /** Address of the document. */
  readonly document: string
  /** Address of what it says; null if it only has to be read. */
  readonly expected: string | null
}

/** The tests of a syntax of RDF 1.1. */
export async function documentTests(folder: string): Promise<readonly DocumentTest[]> {
  const rows = await manifestAt(`rdf/rdf11/${folder}/manifest.ttl`).select(SYNTAX_TESTS)
  return rows.map(({ test, type, action, result }) => ({
    name: localName(test.value),
    isNegative: type.value.includes('Negative'),
    document: action.value,
    expected: result?.value ?? null,
  }))
}

function manifestAt(path: string): EmbeddedGraph {
  return readFileAt(addressOf('rdf-tests', path)).graph
}

function localName(iri: string): string {
  return iri.slice(iri.lastIndexOf('#') + 1)
}

const QUERY_TESTS = {
  text: `${PREFIXES}
SELECT * {
  ${ENTRY} ; mf:action ?action
  FILTER (?type IN (mf:QueryEvaluationTest, mf:CSVResultFormatTest, mf:PositiveSyntaxTest, mf:NegativeSyntaxTest,
    mf:PositiveSyntaxTest11, mf:NegativeSyntaxTest11))
  OPTIONAL { ?test mf:result ?result }
  OPTIONAL { ?action qt:query ?query }
  OPTIONAL { ?action qt:data ?data }
  OPTIONAL { ?action qt:graphData ?named }
  OPTIONAL { ?test mf:resultCardinality ?cardinality }
} ORDER BY ?test`,
  columns: ['test', 'type', 'action'],
  optional: ['result', 'query', 'data', 'named', 'cardinality'],
} as const

export interface QueryTest {
  /** With the folder that it is in. */
  readonly name: string
  readonly kind: 'answer' | 'readable' | 'unreadable'
  /** Address of the query. */
  readonly query: string
  readonly defaults: readonly string[]
  readonly named: readonly string[]
  /** Address of the answer; null if the query only has to be read. */
  readonly expected: string | null
  /** Whether repeated rows may be fewer. */
  readonly isLax: boolean
}

/** The tests of queries in a folder of the suite of SPARQL. */
export async function queryTests(folder: string): Promise<readonly QueryTest[]> {
  const rows = await manifestAt(`sparql/${folder}/manifest.ttl`).select(QUERY_TESTS)
  const tests = new Map<string, QueryTest>()
  for (const row of rows) {
    const earlier = tests.get(row.test.value)
    tests.set(row.test.value, {
      name: `${folder.slice(folder.indexOf('/') + 1)}/${localName(row.test.value)}`,
      kind: kindOf(row.type.value),
      query: (row.query ?? row.action).value,
      defaults: withOne(earlier?.defaults, row.data?.value),
      named: withOne(earlier?.named, row.named?.value),
      expected: row.result?.value ?? null,
      isLax: row.cardinality !== undefined,
    })
  }
  return [...tests.values()]
}

function withOne(names: readonly string[] = [], name?: string): readonly string[] {
  return name === undefined ? names : [...new Set([...names, name])]
}

function kindOf(type: string): QueryTest['kind'] {
  if (type.includes('Negative')) return 'unreadable'
  return type.includes('Positive') ? 'readable' : 'answer'
}
