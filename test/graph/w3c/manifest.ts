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
