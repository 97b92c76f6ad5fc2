import { describe, expect, it } from 'vitest'
import { readQuery } from '../../../src/sparql/query/read-query.ts'
import { refusalOf } from '../../support/refusal.ts'

const BASE = 'http://localhost:3000/sparql'

function read(text: string): ReturnType<typeof readQuery> {
  return readQuery(text, BASE)
}

describe('Reading a query', () => {
  it.each([
    ['prefix x: <a:> select * { ?s ?p ?o }', 'SELECT'],
    ['# INSERT\nBASE <http://b/> ASK {}', 'ASK'],
    ['CONSTRUCT WHERE { ?s ?p ?o }', 'CONSTRUCT'],
    ['DESCRIBE <a:b>', 'DESCRIBE'],
    ['SELECTION', null],
  ])('finds the form of "%s"', (text, form) => {
    expect(read(text).form).toBe(form)
  })

  it('resolves the IRIs of its dataset and all others in its text', () => {
    const text = `BASE <http://b/c> PREFIX p-q.r: <http://p#>
      SELECT * FROM <d> FROM NAMED p-q.r:e FROM NAMED <\\u0061:f> { GRAPH p-q.r:g { ?s a _:h } }`
    const { from, fromNamed, mentioned } = read(text)
    expect(from).toEqual(['http://b/d'])
    expect(fromNamed).toEqual(['http://p#e', 'a:f'])
    expect([...mentioned]).toEqual(['http://b/d', 'http://p#e', 'a:f', 'http://p#g'])
    expect(read('ASK FROM <g> {}').from).toEqual(['http://localhost:3000/g'])
  })

  it.each([
    ['SELECT * { GRAPH ?g {} }', true],
    ['SELECT * {{graph?g{}}}', true],
    ['SELECT * { ?s ?p 1GRAPH<a:b>{} }', true],
    ['SELECT * { \\u0047RAPH ?g {} }', true],
    ['SELECT * { \\U00000067raph ?g {} }', true],
    ['SELECT * FROM <a:b> { ?s ?p ?o }', false],
  ])('knows whether "%s" may read graphs by their names', (text, may) => {
    expect(read(text).readsNamed).toBe(may)
  })

  it.each([
    ['SELECT * { SERVICE <http://x> {} }', 'SERVICE (line 1, column 12)'],
    ['SELECT * {\n {} UNION { {service silent ?x {} } } }', 'SERVICE (line 2, column 14)'],
    ['SELECT * { ?s ?p ?o FILTER(?a<?b).SERVICE<http://x>{} }', 'SERVICE (line 1, column 35)'],
    ["SELECT * {?s ?p ?o FILTER(?a<?b&&?c='x>') SERVICE <x> {} FILTER(?z='')}", 'SERVICE'],
    ['SELECT * { FILTER EXISTS { SERVICE <http://x> {} } }', 'SERVICE'],
    ['PREFIX a: <b> INSERT DATA { <a> <b> <c> }', 'INSERT (line 1, column 15)'],
    ['load <http://x>', 'LOAD'],
    ['WITH <g> DELETE {} WHERE {}', 'WITH'],
    ['DROP ALL', 'DROP'],
  ])('refuses %s', async (text, where) => {
    const refusal = await refusalOf(() => read(text))
    expect(refusal.code).toBe('query_not_supported')
    expect(refusal.message).toContain(where)
  })

  it.each([
    'SELECT * { ?s ?p "SERVICE <x> {}" }',
    "SELECT * { ?s ?p '''\n' SERVICE \\''' } ''' }",
    'SELECT * { ?s ?p ?o } # SERVICE <x> {}',
    'PREFIX service: <a:> SELECT ?service { ?service service:service _:service }',
    'SELECT * { ?s ?p <http://x/SERVICE> ; ?q "a"@en-service ; ex-service:b ex:a.service }',
    "SELECT * { ?s ?p <http://x/O'Reilly> }",
  ])('lets %s pass', (text) => {
    expect(read(text).form).toBe('SELECT')
  })

  it('writes booleans in small letters, and leaves everything else in place', () => {
    const query = read('SELECT * { FILTER(TRUE != False) ?TRUE <TRUE> FALSE:TRUE, "TRUE"@TRUE } # TRUE')
    expect(query.text).toBe('SELECT * { FILTER(true != false) ?TRUE <TRUE> FALSE:TRUE, "TRUE"@TRUE } # TRUE')
    expect(query.bounded(7)).toBe(`${query.text}\nLIMIT 7\n`)
  })

  it.each([
    ['SELECT * { ?s ?p ?o }', 'SELECT * { ?s ?p ?o }\nLIMIT 7\n'],
    ['SELECT * { ?s ?p ?o } # end', 'SELECT * { ?s ?p ?o } # end\nLIMIT 7\n'],
    ['SELECT * { ?s ?p ?o } LIMIT 3', 'SELECT * { ?s ?p ?o } LIMIT 3'],
    ['SELECT * { ?s ?p ?o } limit 30 OFFSET 2', 'SELECT * { ?s ?p ?o } limit 7 OFFSET 2'],
    ['SELECT * { {SELECT * {} LIMIT 30} }', 'SELECT * { {SELECT * {} LIMIT 30} }\nLIMIT 7\n'],
    ['SELECT * { VALUES ?a {1} } VALUES ?s { <a:b> }', 'SELECT * { VALUES ?a {1} } \nLIMIT 7\nVALUES ?s { <a:b> }'],
    ['SELECT * { ?s ?p ?o', 'SELECT * { ?s ?p ?o'],
    ['CONSTRUCT WHERE { ?s ?p ?o }', 'CONSTRUCT WHERE { ?s ?p ?o }'],
  ])('bounds %s', (text, bounded) => {
    expect(read(text).bounded(7)).toBe(bounded)
  })

  it.each([
    ['SELECT ?s { ?s ?p ?o }', true],
    ['SELECT ?now { ?now <http://x/RAND> "UUID()" } # NOW()', true],
    ['SELECT (rand() AS ?r) {}', false],
    ['SELECT * { ?s ?p ?o FILTER(?o<NOW()) }', false],
    ['SELECT * { BIND(STRUUID () AS ?id) }', false],
    ['SELECT * { { SELECT (uuid() AS ?id) {} } }', false],
    ['CONSTRUCT { ?b a <a:b> } { BIND(BNODE() AS ?b) }', false],
  ])('knows whether %s has the same answer again', (text, isRepeatable) => {
    expect(read(text).isRepeatable).toBe(isRepeatable)
  })

  it('refuses nesting that would crash the engine', async () => {
    for (const bracket of ['{', '(', '[']) {
      const deep = `SELECT * { ${bracket.repeat(5000)}`
      const refusal = await refusalOf(() => read(deep))
      expect(refusal.code).toBe('query_too_demanding')
    }
  })

  it('takes time linear in the length of the text', () => {
    const pieces = ['a', 'a.', 'a-', '<a', '"a', "<x'>", '"\\', '<b> ', '<\\u', '{}', "'''", 'a:.']
    for (const piece of pieces) {
      const text = `SELECT * ${piece.repeat(100_000 / piece.length)}`
      const begun = performance.now()
      expect(read(text).form).toBe('SELECT')
      expect(performance.now() - begun, piece).toBeLessThan(2000)
    }
  })
})
