import { expect, it } from 'vitest'
import { readResults, writeResults } from '../../../src/sparql/engine/results.ts'

const ROW = {
  node: { type: 'bnode', value: 'nodeID://b1' },
  text: { type: 'literal', value: 'a,"b"', 'xml:lang': 'en' },
  old: { type: 'typed-literal', value: '1', datatype: 'urn:d' },
}
const JSON_RESULTS = JSON.stringify({ head: { vars: ['node', 'text', 'old', 'none'] }, results: { bindings: [ROW] } })

it.each([
  ['text/csv', 'node,text,old,none\r\n_:nodeIDb1,"a,""b""",1,\r\n'],
  ['text/tab-separated-values', '?node\t?text\t?old\t?none\n_:nodeIDb1\t"a,\\"b\\""@en\t"1"^^<urn:d>\t\n'],
])('Results of another engine as %s keep blank nodes, languages and datatypes', (mediaType, text) => {
  expect(writeResults(readResults(JSON_RESULTS, 'SELECT'), mediaType)).toBe(text)
})
