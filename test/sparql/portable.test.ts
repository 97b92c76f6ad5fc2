import { describe, expect, it } from 'vitest'
import { portableQuery } from '../../src/sparql/engine/portable.ts'

const OPTIONS = { baseIri: 'http://localhost:3000/sparql', maxRows: 10, paths: true }
const BASE = 'BASE <http://localhost:3000/sparql>\n'

function portable(text: string): ReturnType<typeof portableQuery> {
  return portableQuery(text, OPTIONS)
}

describe('A query for another engine', () => {
  it.each([
    'PREFIX ex: <http://x/> SELECT * { ?s a ex:T ; ex:p*/ex:q "it\'s <a> GRAPH" } ORDER BY DESC(?s)',
    'SELECT ?s (COUNT(DISTINCT ?o) AS ?n) { ?s ?p ?o FILTER(?o < 3 && ?o >= 1) } GROUP BY ?s HAVING(?n > 1)',
    'PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> ASK { ?s ?p ?o FILTER(xsd:integer(?o) IN (1, 2)) }',
    'SELECT * { VALUES (?s ?o) { (<http://x> <urn:y>) (UNDEF "z"@en) } _:a ?p [ ?q "x"^^<http://t> ] }',
    'BASE <http://x/> CONSTRUCT { <a> <b> ?o } WHERE { ?s ?p ?o OPTIONAL { ?o ?q ?r } }',
    'DESCRIBE <http://x> ?s WHERE { ?s ?p ?o } LIMIT 3',
    'select * { ?s ?p ?o minus { ?s a ?o } filter not exists { ?o ?p ?s } }',
  ])('is sent: %s', (text) => {
    expect(portable(text)?.text.startsWith(BASE + text.slice(0, 40))).toBe(true)
  })

  it.each([
    ['names a graph', 'SELECT * { GRAPH <http://x> { ?s ?p ?o } }'],
    ['names any graph', 'SELECT * { graph ?g { ?s ?p ?o } }'],
    ['calls a function', 'SELECT (<http://x/f>(1) AS ?x) {}'],
    ['calls by a prefixed name', 'PREFIX x: <http://x/> SELECT * { FILTER(x:f (1)) }'],
    ['calls what the engine has built in', 'SELECT (bif:http_get("http://127.0.0.1/") AS ?x) {}'],
    ['declares that first', 'PREFIX bif: <bif:> SELECT * { ?o bif:contains "x" }'],
    ['names it as a predicate', 'SELECT * { ?o <bif:contains> "x" }'],
    ['loads a class', 'SELECT * { ?o <java:org.example.Load> ?x }'],
    ['uses a prefix that it does not declare', 'SELECT * { ?o sql:f "x" }'],
    ['begins with a pragma', 'DEFINE input:grab-all "yes" SELECT * { ?s ?p ?o }'],
    ['has a clause of an engine', 'SELECT * { ?s ?p ?o OPTION (TRANSITIVE) }'],
    ['has the language of an engine', 'SELECT * { ?s ?p ?o FILTER(`delete from t`) }'],
    ['has a graph inside', 'SELECT * { { SELECT * FROM <http://x> { ?s ?p ?o } } }'],
    ['has an escaped letter', String.raw`SELECT * { ?s ?p "\u0022 } #" }`],
    ['has an open text', 'SELECT * { ?s ?p "x } '],
    ['has an open text of another kind', "SELECT * { ?s ?p 'x } "],
    ['has an apostrophe in an IRI', "SELECT * { ?s ?p <http://x'y> }"],
    ['has an escape beside a name', String.raw`SELECT * { ?s ?p \x }`],
  ])('is not sent where it %s', (_what, text) => {
    expect(portable(text)).toBeNull()
  })

  it.each(['<http://x>*', '<http://x>+', 'x:p+', 'a*', '(x:p/x:q)*', '^x:p*'])(
    'is not sent with the path %s to an engine that may err there',
    (path) => {
      const text = `PREFIX x: <http://x/> SELECT * { ?s ${path} ?o }`
      expect(portable(text)).not.toBeNull()
      expect(portableQuery(text, { ...OPTIONS, paths: false })).toBeNull()
      const plain = 'SELECT (COUNT(*) AS ?n) (?a * 2 + ?b AS ?m) { ?s ?p ?o }'
      expect(portableQuery(plain, { ...OPTIONS, paths: false })).not.toBeNull()
    },
  )

  it('has no comments, no dataset, and a limit', () => {
    const text = `# GRAPH
PREFIX x: <http://x/> # PREFIX y: <y:>
SELECT ?s FROM <http://a> FROM NAMED x:b { ?s ?p "#" }#pragma`
    const sent = portable(text)?.text ?? ''
    expect(sent.replaceAll(/\s+/g, ' ')).toBe(`${BASE.trim()} PREFIX x: <http://x/> SELECT ?s { ?s ?p "#" } LIMIT 10 `)
  })

  it.each([
    ['SELECT ?s { ?s ?p ?o } LIMIT 3', 'SELECT ?s { ?s ?p ?o } LIMIT 3'],
    ['SELECT ?s { ?s ?p ?o }', 'SELECT ?s { ?s ?p ?o } LIMIT 10'],
    ['CONSTRUCT { ?s ?p 1 } WHERE { ?s ?p ?o } LIMIT 2', 'SELECT * WHERE { ?s ?p ?o } LIMIT 2'],
    ['CONSTRUCT { ?s ?p 1 } { { ?s ?p ?o } }', 'SELECT * { { ?s ?p ?o } }'],
    ['CONSTRUCT WHERE { ?s ?p ?o }', 'SELECT * WHERE { ?s ?p ?o }'],
    ['DESCRIBE ?s { ?s ?p ?o }', 'SELECT * { ?s ?p ?o }'],
    ['DESCRIBE <http://x>', null],
    ['ASK { ?s ?p ?o }', null],
  ])('is counted: %s', (text, counted) => {
    const countQuery = portable(text)?.count?.replaceAll(/\s+/g, ' ') ?? null
    const around = `${BASE.trim()} SELECT (COUNT(*) AS ?parapetRows) WHERE { { `
    expect(countQuery).toBe(counted === null ? null : `${around}${counted} } }`)
  })
})
