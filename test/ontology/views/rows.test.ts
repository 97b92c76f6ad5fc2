import { describe, expect, it } from 'vitest'
import { text } from '../../../src/graph/term.ts'
import { distinct, joinRow, prefixColumns, results } from '../../../src/ontology/views/rows.ts'

describe('joinRow', () => {
  it('has exactly the requested columns in their order', () => {
    const row = joinRow(['b', 'a'], { a: text('1'), c: text('3') }, { b: text('2') })
    expect(Object.entries(row)).toStrictEqual([
      ['b', text('2')],
      ['a', text('1')],
    ])
  })

  it('prefers the first part that binds a column', () => {
    expect(joinRow(['a'], { a: undefined }, { a: text('1') }, { a: text('2') })).toStrictEqual({ a: text('1') })
  })

  it('has no key for an unbound column', () => {
    expect(joinRow(['a'], { a: undefined })).toStrictEqual({})
  })
})

describe('prefixed', () => {
  it('renames every column', () => {
    expect(prefixColumns('off_', { artifact: text('x') })).toStrictEqual({ off_artifact: text('x') })
  })
})

describe('distinct', () => {
  it('keeps the first of equal rows, in order', () => {
    const rows = [{ a: text('2') }, { a: text('1') }, { a: text('2') }]
    expect(distinct(rows)).toStrictEqual([{ a: text('2') }, { a: text('1') }])
  })

  it('tells rows apart by column and by where a value ends', () => {
    const rows = [{ a: text('x') }, { b: text('x') }, { a: text('x'), b: text('x') }]
    expect(distinct(rows)).toHaveLength(3)
  })

  it('tells rows apart by language and datatype', () => {
    const rows = [
      { a: text('x') },
      { a: { ...text('x'), 'xml:lang': 'en' } },
      { a: { ...text('x'), datatype: 'http://example.org/t' } },
    ]
    expect(distinct(rows)).toHaveLength(3)
  })
})

describe('results', () => {
  it('have the shape of SPARQL 1.1 Query Results JSON', () => {
    expect(results(['a'], [{ a: text('x') }])).toStrictEqual({
      head: { vars: ['a'] },
      results: { bindings: [{ a: { type: 'literal', value: 'x' } }] },
    })
  })
})
