import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { snippetOf } from '../../src/search/answers/snippet.ts'
import { parseQuery } from '../../src/search/query/parse-query.ts'
import { termsOf, type Term } from '../../src/search/query/terms.ts'
import { smallIndex } from './small.ts'

const vocabulary = { ...(await smallIndex()), count: () => 3 }

function terms(text: string): readonly Term[] {
  return termsOf(parseQuery(text), vocabulary).terms
}

/** The highlighted parts of a snippet. */
function marked(text: string, query: string): readonly string[] {
  const snippet = snippetOf([{ field: 'text', text }], terms(query))?.snippet
  return (snippet?.highlights ?? []).map(({ start, end }) => snippet?.text.slice(start, end) ?? '')
}

describe('A snippet', () => {
  it('marks words in other forms, and words that are written joined or apart', () => {
    expect(marked('Enforcing policies and a policy', 'policy enforce')).toEqual(['Enforcing', 'policies', 'policy'])
    expect(marked('Set PermitRootLogin to no', 'permitrootlogin')).toEqual(['PermitRootLogin'])
    expect(marked('Open /etc/ssh/sshd_config now', '/etc/ssh/sshd_config')).toEqual(['etc/ssh/sshd_config'])
  })

  it('marks words in any case and inside others, and no interrupted phrases', () => {
    expect(marked('LOGIN, then NoLoginHere, never logic', 'login')).toEqual(['LOGIN', 'NoLoginHere'])
    expect(marked('Un état, ÉTAT et Etat', 'etat')).toEqual(['état', 'ÉTAT', 'Etat'])
    expect(marked('The account: lock it', '"account lock"')).toEqual(['account: lock'])
    expect(marked('The account may never lock', '"account lock"')).toEqual([])
  })

  it('is cut around the best match', () => {
    const filler = 'nothing of the kind. '.repeat(100)
    const text = `lock. ${filler}Here the account is locked for an hour. ${filler}`
    const snippet = snippetOf([{ field: 'text', text }], terms('account lock'))?.snippet
    expect(snippet?.text).toContain('account is locked')
    expect(snippet?.text.length).toBeLessThan(260)
    expect(snippet?.text).toMatch(/^… .* …$/)
  })

  it('is taken from the text with the best match, or from the first', () => {
    const texts = [
      { field: 'title', text: 'Locks' },
      { field: 'fixtext', text: 'Lock the account' },
    ]
    expect(snippetOf(texts, terms('account lock'))?.field).toBe('fixtext')
    expect(snippetOf(texts, terms('lock'))?.field).toBe('title')
    expect(snippetOf(texts, terms('kettle'))?.field).toBe('title')
    expect(snippetOf([], terms('lock'))).toBeNull()
  })

  it('marks places in the text, in their order, that do not overlap', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.string(), (text, query) => {
        const snippet = snippetOf([{ field: 'text', text }], terms(query))?.snippet
        let last = 0
        for (const { start, end } of snippet?.highlights ?? []) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          last = end
        }
        expect(last).toBeLessThanOrEqual(snippet?.text.length ?? 0)
      }),
    )
  })
})
