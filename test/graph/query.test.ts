// @module-tag node

import { describe, expect, it } from 'vitest'
import { bindValues, readQuery } from '../../src/graph/query.ts'

describe('bindValues', () => {
  it('puts the tokens in the place of the sample', () => {
    const text = 'SELECT * WHERE { VALUES ?s { <a:sample> <a:other> } ?s ?p ?o }'
    expect(bindValues(text, { s: ['<a:x>', '<a:y>'] })).toBe('SELECT * WHERE { VALUES ?s { <a:x> <a:y> } ?s ?p ?o }')
  })

  it('replaces every block of the variable and no other block', () => {
    const text = '{ VALUES ?s { <a:1> } } UNION { VALUES ?s { <a:2> } } VALUES ?so { <a:3> }'
    expect(bindValues(text, { s: ['<a:x>'] })).toBe(
      '{ VALUES ?s { <a:x> } } UNION { VALUES ?s { <a:x> } } VALUES ?so { <a:3> }',
    )
  })

  it('replaces a sample that runs over several lines', () => {
    expect(bindValues('VALUES ?s {\n  <a:1>\n  <a:2>\n}', { s: ['<a:x>'] })).toBe('VALUES ?s { <a:x> }')
  })

  it.each(['"$&"', '"$1 $$ $`"', '"a } b"', '"{ ?s }"'])('keeps the token %s unchanged', (token) => {
    expect(bindValues('VALUES ?s { "sample" }', { s: [token] })).toBe(`VALUES ?s { ${token} }`)
  })

  it('accepts an empty list of values', () => {
    expect(bindValues('VALUES ?s { <a:1> }', { s: [] })).toBe('VALUES ?s {  }')
  })

  it('leaves the text alone without bindings', () => {
    expect(bindValues('VALUES ?s { <a:1> }', {})).toBe('VALUES ?s { <a:1> }')
  })

  it('throws when the query has no block for a variable', () => {
    expect(() => bindValues('VALUES ?other { <a:1> }', { s: ['<a:x>'] })).toThrow('no VALUES block for ?s')
  })

  it('does not look for blocks inside the tokens of another variable', () => {
    const text = 'VALUES ?a { "sample" } VALUES ?b { "sample" }'
    const hostile = '"VALUES ?b { x }"'
    expect(bindValues(text, { a: [hostile], b: ['"y"'] })).toBe(`VALUES ?a { ${hostile} } VALUES ?b { "y" }`)
  })
})

describe('readQuery', () => {
  it('reads the file and keeps the columns that it promises', () => {
    const file = new URL('../../src/ontology/ingest/ontology.rq', import.meta.url)
    const query = readQuery(file, ['ontology'], ['version'])
    expect(query.text).toContain('SELECT ?ontology')
    expect(query.columns).toStrictEqual(['ontology'])
    expect(query.optional).toStrictEqual(['version'])
  })
})
