import { describe, expect, it } from 'vitest'
import { iri, text } from '../../../../src/graph/term.ts'
import { csvPieces } from '../../../../src/ontology/views/mapping/csv.ts'
import { results, type ResultRow } from '../../../../src/ontology/views/rows.ts'

function csv(vars: readonly string[], rows: readonly ResultRow[]): string {
  return [...csvPieces(results(vars, rows))].join('')
}

describe('csvPieces', () => {
  it('writes the columns as a header, plain values, and CRLF after every line', () => {
    const rows = [{ a: iri('http://example.org/x'), b: text('two words') }]
    expect(csv(['a', 'b'], rows)).toBe('a,b\r\nhttp://example.org/x,two words\r\n')
  })

  it('writes the header alone without rows', () => {
    expect(csv(['a', 'b'], [])).toBe('a,b\r\n')
  })

  it('leaves unbound columns empty', () => {
    expect(csv(['a', 'b', 'c'], [{ b: text('x') }])).toBe('a,b,c\r\n,x,\r\n')
  })

  it.each([
    ['a comma', 'x,y', '"x,y"'],
    ['a quotation mark', 'x "y"', '"x ""y"""'],
    ['CRLF', 'x\r\ny', '"x\r\ny"'],
    ['a line feed', 'x\ny', '"x\ny"'],
    ['a carriage return', 'x\ry', '"x\ry"'],
  ])('quotes a value with %s', (_, value, expected) => {
    expect(csv(['a', 'b'], [{ a: text(value), b: text('z') }])).toBe(`a,b\r\n${expected},z\r\n`)
  })

  it.each(["it's", 'a;b', ' padded ', '=1+1', 'tab\there', 'ü'])('does not quote %j', (value) => {
    expect(csv(['a', 'b'], [{ a: text(value), b: text('z') }])).toBe(`a,b\r\n${value},z\r\n`)
  })

  it('writes many rows in several pieces', () => {
    const rows = Array.from({ length: 2500 }, (_, index) => ({ a: text(String(index)) }))
    const pieces = [...csvPieces(results(['a'], rows))]
    expect(pieces.length).toBeGreaterThan(2)
    const expected = ['a', ...rows.map((row) => row.a.value), '']
    expect(pieces.join('')).toBe(expected.join('\r\n'))
  })

  it('refuses JSON other than SPARQL results', () => {
    expect(() => [...csvPieces({ rows: [] })]).toThrow('SPARQL results')
  })
})
