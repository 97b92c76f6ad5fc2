import { describe, expect, it } from 'vitest'
import type { PhraseAlternatives } from '../../../src/contracts/guidance-records.ts'
import { textQuery, textsContaining } from '../../../src/guidance/search/global-query.ts'

/** `whole`, `beginning*` or `*inside*`, the first alternative of each. */
function sought(phrases: readonly PhraseAlternatives[]): readonly string[] {
  return phrases.map(({ alternatives: [first] }) => {
    const words = first?.words.join(' ') ?? ''
    if (first?.inside === true) return `*${words}*`
    return first?.prefix === true ? `${words}*` : words
  })
}

describe('Global search', () => {
  it.each([
    ['a 1 b 2', ['1', 'b']],
    ['lock the samovar lid', ['the', 'samovar', '*lock*', '*lid*']],
    ['x samovar y', ['samovar']],
    ['lock.d', ['*lock*']],
    ['d', ['*d*']],
    ['a 1', ['*a*', '*1*']],
  ])('looks inside words for the first and the last part of %s', (term, expected) => {
    expect(sought(textsContaining(term))).toEqual(expected)
  })

  it.each([
    ['e1b2', ['e', '1', 'b', '2*']],
    ['rhel9', ['rhel*', '9*']],
    ['lock s', ['lock*', 's*']],
  ])('takes the single letters in %s as beginnings only at its end', (text, expected) => {
    expect(sought(textQuery(text).required)).toEqual(expected)
  })
})
