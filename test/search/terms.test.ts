import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/search/question/query.ts'
import { termsOf, type ExpandedTerms } from '../../src/search/question/terms.ts'
import { smallIndex } from './small.ts'

const small = await smallIndex()
/** As if every word were usual but those that nobody writes as one. */
const known = {
  ...small,
  count: (word = '') => (/^(?:secureshel|decoyenviron|blankpass|nullpass)/.test(word) ? 0 : 30),
}

function termsIn(text: string): ExpandedTerms {
  return termsOf(parseQuery(text), known)
}

/** The ways of the first term, as words with blanks. */
function waysOf(text: string, by?: string): readonly string[] {
  const [term] = termsIn(text).terms
  const ways = (term?.ways ?? []).filter((way) => by === undefined || way.by === by)
  return ways.map(({ words }) => words.join(' '))
}

describe('A search term', () => {
  it.for([
    ['multi factor', 'multifactor'],
    ['multi-factor', 'multifactor'],
    ['PermitRootLogin', 'permitrootlogin'],
    ['log in', 'login'],
    ['rhel9', 'rhel 9'],
    ['smb1', 'smb v1'],
    ['randomisation', 'random'],
    ['cci 366', 'cci-366'],
    ['AC-02(01)', 'ac-2-1'],
    ['ike version 2', 'ikev2'],
  ])('%s is also looked for as %s', ([text = '', way]) => {
    expect(waysOf(text)).toContain(way)
  })

  it('includes synonyms of the ontology and of the table of abbreviations', () => {
    expect(waysOf('honeypot', 'synonym')).toEqual(['decoi environ'])
    expect(waysOf('decoy environment', 'synonym')).toEqual(['honeypot'])
    expect(waysOf('ssh', 'abbreviation')).toEqual(['secur shell'])
    expect(waysOf('secure shell', 'abbreviation')).toEqual(['ssh'])
    const written = { ...small, count: () => 30 }
    const [term] = termsOf(parseQuery('honeypot'), written).terms
    expect(term?.ways.map(({ words }) => words.join(' '))).toContain('decoyenviron')
    expect(termsIn('honeypot').expanded).toEqual([{ from: 'honeypot', to: 'Decoy Environment', because: 'synonym' }])
  })

  it('may end with an unknown version number: then its name counts', () => {
    const partsOf = (text: string): readonly string[] =>
      termsIn(text).terms.flatMap(({ parts }) => parts.map(({ words }) => words.join(' ')))
    expect(partsOf('decoyenviron3')).toEqual(['decoyenviron'])
    expect(partsOf('gnome3')).toEqual([])
  })

  it('may be short for a word, and not the other way round', () => {
    expect(waysOf('creds', 'abbreviation')).toEqual(['credenti'])
    expect(waysOf('credentials', 'abbreviation')).toEqual([])
  })

  it('may be everyday words for a term, and not the other way round', () => {
    expect(waysOf('nobody uses', 'synonym')).toEqual(['inact', 'unus'])
    expect(waysOf('ping', 'synonym')).toContain('icmp echo')
    expect(waysOf('unused', 'synonym')).toEqual([])
    expect(termsIn('modems that nobody uses any more').expanded).toContainEqual({
      from: 'nobody uses',
      to: 'unused',
      because: 'synonym',
    })
  })

  it('across a stop word counts less than the words beside it', () => {
    const all = termsIn('users without password').terms
    expect(all.map(({ text }) => text)).toEqual(['users', 'password', 'without password'])
    const said = all[2]?.ways.map(({ words, weight }) => [words.join(' '), weight])
    expect(said).toEqual([
      ['blank password', 0.375],
      ['null password', 0.375],
    ])
    const unsaid = { ...known, count: (first = '') => (/^(?:blank|null)/.test(first) ? 0 : 30) }
    expect(termsOf(parseQuery('users without password'), unsaid).terms).toHaveLength(2)
    // A longer run with a term of its own is not about that.
    const longer = termsIn('sudo without password').terms
    expect(longer.map(({ text }) => text)).toEqual(['sudo', 'password'])
    expect(waysOf('sudo without password', 'synonym')).toContain('nopasswd')
  })

  it('may be an actor, if few records mention it', () => {
    const formsOf = (text: string, count: number): readonly string[] => {
      const counted = { ...known, count: (word = '') => (/er?$|gg$/.test(word) ? count : 30) }
      const [term] = termsOf(parseQuery(text), counted).terms
      return (term?.ways ?? []).flatMap(({ by, words }) => (by === 'form' ? [words.join(' ')] : []))
    }
    expect(formsOf('keylogger', 0)).toEqual(['keylog'])
    expect(formsOf('keyloggers', 4)).toEqual(['keylog'])
    expect(formsOf('keylogger', 5)).toEqual([])
    expect(formsOf('keylog', 0)).toEqual([])
  })

  it('in two words has the synonyms of the joined word', () => {
    expect(waysOf('log in', 'synonym')).toEqual(waysOf('login', 'synonym'))
    expect(waysOf('login', 'synonym')).toContain('logon')
  })

  it('in two words may be any form of the verb, unless an object follows', () => {
    const synonymsOf = (text: string): readonly string[] =>
      termsIn(text).terms.flatMap(({ ways }) => ways.map(({ words }) => words.join(' ')))
    expect(synonymsOf('without logging in')).toContain('logon')
    expect(synonymsOf('logged in for too long')).toContain('logon')
    expect(synonymsOf('logging in audit records')).not.toContain('logon')
  })

  it('knows the short forms that labels and texts state', () => {
    expect(waysOf('cross-site request forging', 'abbreviation')).toEqual(['csrf'])
  })

  it('in quotes is not split', () => {
    expect(waysOf('"secure shell"')).toEqual(['secur shell', 'ssh'])
    expect(waysOf('"multi factor"')).toEqual(['multi factor'])
  })

  it('may be the beginning of a word if it is the last', () => {
    expect(waysOf('lock passw', 'beginning')).toEqual([])
    const ways = termsIn('lock passw').terms[1]?.ways ?? []
    expect(ways.filter(({ prefix }) => prefix).map(({ words }) => words)).toEqual([['passw']])
    expect(waysOf('pa', 'beginning')).toEqual([])
  })

  it('is also searched by its parts, unless it is in quotes', () => {
    const partsOf = (text: string): readonly string[] =>
      (termsIn(text).terms[0]?.parts ?? []).map(({ words }) => words.join(' '))
    expect(partsOf('/etc/ssh/sshd_config')).toEqual(['etc', 'ssh', 'sshd', 'config'])
    expect(partsOf('init_on_free')).toEqual(['init', 'free'])
    expect(partsOf('"sshd_config"')).toEqual([])
    expect(partsOf('ssh')).toEqual([])
  })

  it('is joined with a particle that changes its meaning', () => {
    const ways = termsIn('log in attempts').terms[0]?.ways ?? []
    expect(ways[0]).toEqual({ by: 'itself', words: ['log', 'in'], prefix: false, weight: 1 })
    expect(ways.at(-1)).toEqual({ by: 'itself', words: ['log'], prefix: false, weight: 0.4 })
    expect(waysOf('logging in audit records', 'itself')).toEqual(['log'])
    expect(waysOf('log attempts', 'itself')).toEqual(['log'])
  })

  it('may be a rare abbreviation: then its expansion is searched by parts', () => {
    const partsOf = (count: number): readonly string[] =>
      (termsOf(parseQuery('CSRF'), { ...known, count: () => count }).terms[0]?.parts ?? []).map(({ words }) =>
        words.join(' '),
      )
    expect(partsOf(4)).toEqual(['cross', 'site', 'request', 'forg'])
    expect(partsOf(5)).toEqual([])
  })

  it('has a limited number of expansions', () => {
    for (const { ways } of termsIn('a b c d e f g h i j k l').terms) expect(ways.length).toBeLessThanOrEqual(12)
  })
})
