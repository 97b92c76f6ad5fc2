import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery, possibleNames } from '../../src/search/question/query.ts'

describe('A query', () => {
  it('is taken apart at blanks and quotes; words that only join are known', () => {
    const { tokens } = parseQuery('how to  "lock the door" /etc/ssh d3f:FileHashing?')
    expect(tokens.map(({ text, quoted, isStop }) => [text, quoted, isStop])).toEqual([
      ['how', false, true],
      ['to', false, true],
      ['lock the door', true, false],
      ['/etc/ssh', false, false],
      ['FileHashing', false, false],
    ])
    expect(tokens.at(-1)?.words).toEqual(['file', 'hash'])
  })

  it('of words that only join is looked for as it stands', () => {
    expect(parseQuery('to be or not').tokens.every(({ isStop }) => !isStop)).toBe(true)
  })

  it('is cut to 24 words, and tells which', () => {
    const { tokens, used } = parseQuery(Array.from({ length: 30 }, (_, n) => `word${n}`).join(' '))
    expect(tokens).toHaveLength(24)
    expect(used).toMatch(/^word0 .* word23$/)
  })

  it('never takes longer with what is beyond the limits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.nat(40), (text, times) => {
        const query = parseQuery(text.repeat(times + 1))
        expect(query.tokens.flatMap(({ words }) => words).length).toBeLessThanOrEqual(60)
        expect(possibleNames(query).length).toBeLessThanOrEqual(42)
      }),
    )
  })
})

describe('What may be a name', () => {
  const namesIn = (text: string): readonly string[] => possibleNames(parseQuery(text)).map(({ name }) => name)

  it('is the whole query, and runs that have a number', () => {
    expect(namesIn('rule SV-257777 please')).toEqual([
      'rule-sv-257777-please',
      'rule-sv-257777',
      'sv-257777-please',
      'sv-257777',
      ...['257777', 'sv-257777', 'v-257777'].filter((name) => name !== 'sv-257777'),
    ])
    expect(namesIn('ac-2 (1)')).toContain('ac-2-1')
    expect(namesIn('password complexity')).toEqual(['password-complexity'])
  })

  it('knows how much of the query it is', () => {
    const shares = new Map(possibleNames(parseQuery('T1110 password policy')).map(({ name, share }) => [name, share]))
    expect(shares.get('t-1110')).toBe(0.5)
  })
})
