import { describe, expect, it } from 'vitest'
import { NamedGraphs } from '../../../src/graph/store.ts'
import { messageOf, type Refusal } from '../../../src/platform/errors.ts'
import { explainMalformed } from '../../../src/sparql/query/malformed.ts'

const graphs = new NamedGraphs()

function explained(query: string): string {
  return refusalFor(query).message
}

/** The refusal of a query that the engine does not take. */
function refusalFor(query: string): Refusal {
  try {
    graphs.answer(query, { dataset: { defaults: [], named: [] }, mediaType: 'text/csv', baseIri: 'http://localhost/' })
  } catch (error) {
    return explainMalformed(query, messageOf(error), 'http://localhost/')
  }
  throw new Error(`The engine takes ${query}`)
}

describe('The message about a malformed query', () => {
  it.each([
    [
      'SELECT * {\n ?s rdfs:label ?o }',
      'Line 2, column 5: no PREFIX says what “rdfs:label” stands for. Begin the query with PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>.',
    ],
    [
      'PREFIX a: <urn:a> SELECT * { a:x foo:y _:b }',
      'Line 1, column 34: no PREFIX says what “foo:y” stands for. Begin the query with PREFIX foo: <…>.',
    ],
    ['SELECT *\r\n{ # why?\r\n ?s ?p }', 'Line 3, column 8: “}” cannot stand here.'],
    [
      'SELEC * {}',
      'Line 1, column 1: “SELEC” cannot stand here. Possible: PREFIX, BASE, SELECT, ASK, CONSTRUCT, DESCRIBE.',
    ],
    ['SELECT * { ?s ?p', 'Line 1, column 17: the query ends too early.'],
    ['SELECT * {} LIMIT ten', 'Line 1, column 19: “ten” cannot stand here. Possible: a whole number.'],
    ['SELECT * {} ORDER ?s', 'Line 1, column 19: “?s” cannot stand here. Possible: BY.'],
    ['ASK { FILTER(CONTAINS(?x)) }', 'Line 1, column 25: “)” cannot stand here. Possible: “,”.'],
    ['ASK { ?s ?p "abc }', 'Line 1, column 13: the text that begins here does not end.'],
    ['ASK { ?s ?p <http://x y> }', 'Line 1, column 13: what begins here with < is not an IRI.'],
    ['ASK { ?s ?p “x” }', 'Line 1, column 13: ““” cannot stand here.'],
    ['SELECT (1 AS ?x) (2 AS ?x) {}', 'Two or more of the resulting columns have the same name (?x).'],
    ['SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o }', 'The SELECT contains a variable that is unbound.'],
  ])('names the place: %s', (query, detail) => {
    expect(explained(query)).toBe(detail)
  })

  it.each([
    ['SELECT (<http://x/f>(1) AS ?z) {}', 'http://x/f', { line: 1, column: 9 }],
    ['PREFIX x: <http://x/>\nASK { ?s ?p ?o\n FILTER(x:f(?o)) }', 'http://x/f', { line: 3, column: 9 }],
    ['ASK { ?s ?p ?o FILTER(<f>(?o)) }', 'http://localhost/f', { line: 1, column: 23 }],
  ])('names an unknown function that is called: %s', (query, name, position) => {
    const { code, message, members } = refusalFor(query)
    expect([code, members]).toEqual(['query_not_supported', position])
    expect(message).toContain(`Line ${position.line}, column ${position.column}: there is no function “${name}” here`)
  })

  it('never mentions extensions of the engine', () => {
    const query = 'SELECT * { ?s a ?c LATERAL { ?s ?p } }'
    expect(explained(query)).not.toContain('“LATERAL”')
  })

  it('is short for any query', () => {
    for (const part of ['a', '(', '{', '"', '<', '?s a:b ', '\u{1F600}', '\\', '# \n'])
      expect(explained(`SELECT * ${part.repeat(20_000)}`).length).toBeLessThan(500)
  })
})
