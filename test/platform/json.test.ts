import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonPieces } from '../../src/platform/json.ts'

function written(value: unknown): string {
  return [...jsonPieces(value)].join('')
}

describe('jsonPieces', () => {
  it('writes the same text as JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(written(value)).toBe(JSON.stringify(value))
      }),
    )
  })

  it('writes the same text as JSON.stringify for arrays of any length', () => {
    const member = fc.constantFrom<unknown>(0, 'a,b', null, [], {}, { a: [1, 'ü\u2028'] })
    const long = fc
      .integer({ min: 40, max: 160 })
      .chain((length) => fc.array(member, { minLength: length, maxLength: length, size: 'max' }))
    fc.assert(
      fc.property(long, (array) => {
        expect(written(array)).toBe(JSON.stringify(array))
        const nested = { before: 1, rows: { bindings: array }, after: [array.slice(0, 2)] }
        expect(written(nested)).toBe(JSON.stringify(nested))
      }),
      { numRuns: 25 },
    )
  })

  it.each([50, 51, 100, 101])('writes an array of %i numbers whole', (length) => {
    const array = Array.from({ length }, (_, index) => index)
    expect(written(array)).toBe(JSON.stringify(array))
  })

  it('cuts long arrays into pieces', () => {
    const array = Array.from({ length: 1200 }, () => 'x'.repeat(10))
    const sizes = Array.from(jsonPieces({ rows: array }), (piece) => piece.length)
    expect(Math.max(...sizes)).toBeLessThan(JSON.stringify(array).length / 2)
  })

  it('writes empty objects and arrays', () => {
    expect(written({})).toBe('{}')
    expect(written({ a: {}, b: [] })).toBe('{"a":{},"b":[]}')
  })
})
