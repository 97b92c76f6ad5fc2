import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/search/query/parse-query.ts'
import { termsOf, type ExpandedTerms } from '../../src/search/query/terms.ts'
import { smallIndex } from './small.ts'

const small = await smallIndex()
/** As if every word were usual but those that nobody writes as one. */
const vocabulary = {
  ...small,
  count: (word = '') => (/^(?:secureshel|decoyenviron|blankpass|nullpass)/.test(word) ? 0 : 30),
}

function termsIn(text: string): ExpandedTerms {
  return termsOf(parseQuery(text), vocabulary)
}

/** The ways of the first term, as words with blanks. */
function variantsOf(text: string, by?: string): readonly string[] {
  const [term] = termsIn(text).terms
  const variants = (term?.variants ?? []).filter((variant) => by === undefined || variant.by === by)
  return variants.map(({ words }) => words.join(' '))
}

describe('A search term', () => {
  it.for([
    ['multi factor', 'multifactor'],
    ['multi-factor', 'multifactor'],
    ['PermitRootLogin', 'permitrootlogin'],
    ['log in', 'login'],
    ['rhel9', 'rhel 9'],
    ['smb1', 'smb v1'],
    ['cci 366', 'cci-366'],
    ['AC-02(01)', 'ac-2-1'],
    ['ike version 2', 'ikev2'],
  ])('%s is also looked for as %s', ([text = '', variant]) => {
    expect(variantsOf(text)).toContain(variant)
  })

  it('includes synonyms of the ontology and of the table of abbreviations', () => {
    expect(variantsOf('honeypot', 'synonym')).toEqual(['decoi environ'])
    expect(variantsOf('decoy environment', 'synonym')).toEqual(['honeypot'])
    expect(variantsOf('ssh', 'abbreviation')).toEqual(['secur shell'])
    expect(variantsOf('secure shell', 'abbreviation')).toEqual(['ssh'])
    const written = { ...small, count: () => 30 }
    const [term] = termsOf(parseQuery('honeypot'), written).terms
    expect(term?.variants.map(({ words }) => words.join(' '))).toContain('decoyenviron')
    expect(termsIn('honeypot').expanded).toEqual([{ from: 'honeypot', to: 'Decoy Environment', because: 'synonym' }])
  })

  it('may end with an unknown version number: then its name counts', () => {
    const partsOf = (text: string): readonly string[] =>
      termsIn(text).terms.flatMap(({ parts }) => parts.map(({ words }) => words.join(' ')))
    expect(partsOf('decoyenviron3')).toEqual(['decoyenviron'])
    expect(partsOf('gnome3')).toEqual([])
  })

  it('may be short for a word, and not the other way round', () => {
    expect(variantsOf('creds', 'abbreviation')).toEqual(['credenti'])
    expect(variantsOf('credentials', 'abbreviation')).toEqual([])
  })

  it('may be everyday words for a term, and not the other way round', () => {
    expect(variantsOf('nobody uses', 'synonym')).toEqual(['inact', 'unus'])
    expect(variantsOf('ping', 'synonym')).toContain('icmp echo')
    expect(variantsOf('unused', 'synonym')).toEqual([])
    expect(termsIn('modems that nobody uses any more').expanded).toContainEqual({
      from: 'nobody uses',
      to: 'unused',
      because: 'synonym',
    })
  })

  it('in two words has the synonyms of the joined word', () => {
    expect(variantsOf('log in', 'synonym')).toEqual(variantsOf('login', 'synonym'))
    expect(variantsOf('login', 'synonym')).toContain('logon')
  })

  it('in two words may be any form of the verb, unless an object follows', () => {
    const synonymsOf = (text: string): readonly string[] =>
      termsIn(text).terms.flatMap(({ variants }) => variants.map(({ words }) => words.join(' ')))
    expect(synonymsOf('without logging in')).toContain('logon')
    expect(synonymsOf('logged in for too long')).toContain('logon')
    expect(synonymsOf('logging in audit records')).not.toContain('logon')
  })

  it('knows the short forms that labels and texts state', () => {
    expect(variantsOf('cross-site request forging', 'abbreviation')).toEqual(['csrf'])
  })

  it('in quotes is not split', () => {
    expect(variantsOf('"secure shell"')).toEqual(['secur shell', 'ssh'])
    expect(variantsOf('"multi factor"')).toEqual(['multi factor'])
  })

  it('may be the beginning of a word if no record has it', () => {
    const unsaid = { ...vocabulary, count: (word = '') => (word === 'passw' ? 0 : 30) }
    const [lock, passw] = termsOf(parseQuery('lock passw'), unsaid).terms
    expect(lock?.variants.some(({ prefix }) => prefix)).toBe(false)
    const variants = passw?.variants ?? []
    expect(variants.filter(({ prefix }) => prefix).map(({ words }) => words)).toEqual([['passw']])
    expect(variantsOf('pa', 'beginning')).toEqual([])
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
    const variants = termsIn('log in attempts').terms[0]?.variants ?? []
    expect(variants[0]).toEqual({ by: 'itself', words: ['log', 'in'], prefix: false, weight: 1 })
    expect(variants.at(-1)).toEqual({ by: 'itself', words: ['log'], prefix: false, weight: 0.4 })
    expect(variantsOf('logging in audit records', 'itself')).toEqual(['log'])
    expect(variantsOf('log attempts', 'itself')).toEqual(['log'])
  })

  it('may be a rare abbreviation: then its expansion is searched by parts', () => {
    const partsOf = (count: number): readonly string[] =>
      (termsOf(parseQuery('CSRF'), { ...vocabulary, count: () => count }).terms[0]?.parts ?? []).map(({ words }) =>
        words.join(' '),
      )
    expect(partsOf(4)).toEqual(['cross', 'site', 'request', 'forg'])
    expect(partsOf(5)).toEqual([])
  })

  it('has a limited number of expansions', () => {
    for (const { variants } of termsIn('a b c d e f g h i j k l').terms) expect(variants.length).toBeLessThanOrEqual(12)
  })
})
