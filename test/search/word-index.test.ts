import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Meaning } from '../../src/contracts/sources.ts'
import { placeOf, WordIndex } from '../../src/search/word-index.ts'

const word = fc.constantFrom('a', 'ab', 'abc', 'b', 'ba', 'c')
const fields = fc.array(
  fc.record({ name: fc.constantFrom('label', 'text'), words: fc.array(word, { maxLength: 6 }) }),
  { maxLength: 3 },
)
const way = fc.record({
  words: fc.array(word, { minLength: 1, maxLength: 3 }),
  prefix: fc.boolean(),
})
const wanted: fc.Arbitrary<readonly Meaning[]> = fc.array(
  fc.record({ ways: fc.array(way, { minLength: 1, maxLength: 3 }) }),
  { minLength: 1, maxLength: 3 },
)

describe('The index of words', () => {
  it('finds what reading every record would find', () => {
    fc.assert(
      fc.property(
        fc.array(fields, { maxLength: 12 }),
        wanted,
        fc.boolean(),
        (records, all, only) => {
          const index = new WordIndex()
          for (const record of records) index.add(record)
          const within = only ? new Set(['label']) : null
          const expected = records.flatMap((record, number) => {
            const said = record.filter(({ name }) => within?.has(name) ?? true)
            const meets = all.every(({ ways }) =>
              ways.some((one) => said.some(({ words }) => placeOf(words, one) !== -1)),
            )
            return meets ? [number] : []
          })
          expect(index.find(all, within)).toEqual(expected)
        },
      ),
    )
  })

  it('knows where words stand next to each other', () => {
    const words = ['lock', 'the', 'account']
    expect(placeOf(words, { words: ['the', 'acc'], prefix: true })).toBe(1)
    expect(placeOf(words, { words: ['the', 'acc'], prefix: false })).toBe(-1)
    expect(placeOf(words, { words: ['account', 'lock'], prefix: false })).toBe(-1)
  })
})
