import { describe, expect, it } from 'vitest'
import { ask, openSearcher, labels, withLongWait } from './in-memory.ts'
import { CONTENT, documentOf, ruleOf } from './small.ts'

const RULES = [
  ruleOf(1, 'Samovars must lock an account after three failed attempts', {
    ccis: ['CCI-000044'],
    severity: 'high',
    fix: 'Set minlen = 15, for minlen counts.',
  }),
  ruleOf(2, 'Accounts of samovars must be kept', { fix: 'A list: ucredit, minlen, dcredit.' }),
  ruleOf(3, 'Quokkas must be concealed', { kind: 'authored-rule', benchmark: null, readers: ['vera'] }),
]

describe('The search', () => {
  it('puts the named record first, then related ones', async () => {
    const names = await labels(await openSearcher(RULES), 'T1110')
    expect(names.slice(0, 2)).toEqual(['Brute Force', 'Password Guessing'])
    expect(await labels(await openSearcher(RULES), 'CCI-000044')).toEqual(
      expect.arrayContaining(['CCI-000044', 'Account Locking', RULES[0]?.match.title]),
    )
    expect((await labels(await openSearcher(RULES), 'AC-7'))[0]).toBe('AC-7')
  })

  it('knows the names of controls that the ontology does not have', async () => {
    const [first] = (await ask(await openSearcher(RULES), 'account management')).results
    expect(first).toMatchObject({ kind: 'control', id: 'AC-2', label: 'Account Management' })
  })

  it('lists techniques and rules together', async () => {
    expect((await labels(await openSearcher(RULES), 'account lock')).slice(0, 2)).toEqual([
      'Account Locking',
      'Samovars must lock an account after three failed attempts',
    ])
  })

  it('puts a label before a synonym, and a synonym before the name of a benchmark', async () => {
    const boiler = { kind: 'artifact', label: 'Boiler', synonyms: ['Copper samovar'] } as const
    const documents = [documentOf('Boiler', boiler), documentOf('Urn', { kind: 'artifact', label: 'Copper samovar' })]
    const rules = [ruleOf(1, 'Accounts must be kept')]
    const names = await labels(await openSearcher(rules, { ...CONTENT, documents }), 'samovar')
    expect(names).toEqual(['Copper samovar', 'Boiler', 'Accounts must be kept'])
  })

  it('puts a technique before other records of its name', async () => {
    const kinds = ['technique', 'offensive-technique', 'weakness', 'artifact'] as const
    const documents = kinds.toReversed().map((kind) => documentOf(`${kind}1`, { kind, label: 'Kettle' }))
    const { results } = await ask(await openSearcher([], { ...CONTENT, documents }), 'kettle')
    expect(results.map(({ kind }) => kind)).toEqual(kinds)
  })

  it('prefers a text with the exact words in a better field', async () => {
    expect((await labels(await openSearcher(RULES), 'minlen'))[0]).toBe(RULES[0]?.match.title)
    expect((await labels(await openSearcher(RULES), 'minlen ='))[0]).toBe(RULES[0]?.match.title)
  })

  it('weighs a word of one record at most twice as much as a word of ten', async () => {
    const once = ruleOf(90, 'Samovars forbid copper')
    const others = Array.from({ length: 40 }, (_, index) => ruleOf(index + 1, `${index < 10 ? 'Kettles' : 'Urns'} hum`))
    const search = await openSearcher([once, ...others])
    const scoreFor = async (text: string): Promise<number> => {
      const { results } = await ask(search, text, { isExplained: true, isFolded: false, kinds: ['rule'] })
      return results.find(({ label }) => label === 'Kettles hum')?.explanation?.words ?? 0
    }
    expect(await scoreFor('forbid kettles')).toBeGreaterThan(0.333 * (await scoreFor('kettles')))
  })

  it('prefers a word typed as one to its parts in a shorter title', async () => {
    const whole = ruleOf(90, 'What boiler.conf says of copper samovars must be kept by its owner')
    const apart = ruleOf(91, 'The conf of a boiler')
    const others = Array.from({ length: 40 }, (_, index) =>
      ruleOf(index + 1, `${['Boilers', 'The conf', 'Quokkas'][Math.min(2, index >> 2)]} hum`),
    )
    const titles = await labels(await openSearcher([apart, whole, ...others]), 'boiler.conf')
    expect(titles.slice(0, 2)).toEqual([whole.match.title, apart.match.title])
  })

  it('finds records by a quoted part of their label', async () => {
    expect((await labels(await openSearcher(RULES), 'path traversal'))[0]).toContain('Improper Limitation')
  })

  it('names the link from a rule to a technique, also by the control of its CCI', async () => {
    const { results } = await ask(await openSearcher(RULES), 'SV-700001')
    expect(results[0]?.links.map(({ sentence }) => sentence)).toEqual([
      'SV-700001 → CCI-000044 → narrower → Account Locking (Harden)',
      'SV-700001 → CCI-000044 → AC-7 → related → Account Locking (Harden)',
    ])
    expect(results[0]?.links_total).toBe(2)
  })

  it('counts all results', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ruleOf(index + 1, `Kettle ${index}`))
    const { pagination } = await ask(await openSearcher(many), 'kettle', { isFolded: false })
    expect(pagination).toMatchObject({ total: 500, total_is: 'exact' })
  })

  it('returns every record once over all pages', async () => {
    const many = Array.from({ length: 130 }, (_, index) => ruleOf(index + 1, `Kettle ${index}`))
    const pages = [1, 2, 3, 4, 5, 6, 7]
    const library = await openSearcher(many)
    const byPage = await Promise.all(pages.map((page) => labels(library, 'kettle', { page, isFolded: false })))
    expect(new Set(byPage.flat()).size).toBe(130)
    expect(byPage.flat()).toHaveLength(130)
  })

  it('has the same order for any order of records', async () => {
    const queries = ['samovar', 'account', 'lock account', 'minlen', 'CCI-000044']
    for (const text of queries)
      expect(await labels(await openSearcher(RULES.toReversed()), text)).toEqual(
        await labels(await openSearcher(RULES), text),
      )
  })

  it('shows the best of each kind with group=kind, on the first page', async () => {
    const library = await openSearcher(RULES)
    const { results, groups = [], facets } = await ask(library, 'lock accounts', { isGrouped: true, perPage: 100 })
    expect(groups.length).toBeGreaterThan(1)
    expect(groups.map(({ kind, total }) => [kind, total])).toEqual(
      [...new Set(results.map(({ kind }) => kind))].map((kind) => [
        kind,
        facets.kind.find(({ value }) => value === kind)?.count,
      ]),
    )
    for (const { kind, results: best } of groups)
      expect(best).toEqual(results.filter((result) => result.kind === kind).slice(0, 5))
    const second = await ask(library, 'lock accounts', { isGrouped: true, perPage: 1, page: 2 })
    expect([second.groups, (await ask(library, 'lock accounts')).groups]).toEqual([undefined, undefined])
  })

  it('reveals no unreadable record, not even by a correction', async () => {
    const library = await openSearcher(RULES)
    const hidden = await ask(library, 'quokka')
    expect([hidden.results, hidden.facets.kind, hidden.query.corrected]).toEqual([[], [], null])
    const seen = await ask(library, 'quokka', { reader: 'vera' })
    expect(seen.results.map(({ kind }) => kind)).toEqual(['authored-rule'])
    expect((await ask(library, 'quoka', { reader: 'vera' })).query.corrected).toBeNull()
    const { searcher, feed } = library
    const typed = { text: 'quok', limit: 10 }
    expect(await searcher.suggest({ ...withLongWait(feed.readable(null)), ...typed })).toEqual({
      named: [],
      others: [],
    })
    expect((await searcher.suggest({ ...withLongWait(feed.readable('vera')), ...typed })).others).toHaveLength(1)
  })
})

describe('The library of the search', () => {
  it('has all changes before the question, and no removed record', async () => {
    const library = await openSearcher(RULES)
    library.feed.put(ruleOf(4, 'Kettles must be blue'))
    expect(await labels(library, 'kettles')).toEqual(['Kettles must be blue'])
    library.feed.put(ruleOf(4, 'Kettles must be green'))
    expect(await labels(library, 'kettles')).toEqual(['Kettles must be green'])
    library.feed.remove({ kind: 'rule', id: 4 })
    expect(await labels(library, 'kettles')).toEqual([])
    library.feed.remove({ kind: 'authored-rule', id: 3 })
    expect((await ask(library, 'quokka', { reader: 'vera' })).results).toEqual([])
  })

  it('is rebuilt if the database was replaced', async () => {
    const library = await openSearcher(RULES)
    library.feed.becomeAnother([ruleOf(1, 'Kettles must be blue')])
    expect(await labels(library, 'kettles')).toEqual(['Kettles must be blue'])
    expect(await labels(library, 'samovars')).toEqual(['Kettles must be blue'])
  })
})

describe('Another release of the ontology', () => {
  it('replaces the first one', async () => {
    const library = await openSearcher(RULES)
    const kettle = documentOf('Kettle', { kind: 'artifact', label: 'Kettle' })
    await library.searcher.takeOntology({ ...CONTENT, version: '2.0', digest: 'b'.repeat(64), documents: [kettle] })
    const { ontology, results } = await ask(library, 'kettle')
    expect([ontology?.version, results.map(({ label }) => label)]).toEqual(['2.0', ['Kettle']])
    await library.searcher.takeOntology(null)
    expect((await ask(library, 'kettle')).ontology).toBeNull()
  })
})

describe('A record that the caller may not read', () => {
  const HIDDEN = [
    ruleOf(7, 'Quokkas hum', { kind: 'authored-rule', benchmark: null, readers: ['vera'], names: ['QKKA-00-000007'] }),
  ]

  it.for(['QKKA-00-000007', 'QKKA-00-00000', 'quokkas', 'quokka lock', 'quoka', '"quokkas hum"', 'title:quokkas'])(
    'changes nothing in any answer: %s',
    async (text) => {
      const without = await openSearcher(RULES.slice(0, 2))
      const withIt = await openSearcher([...RULES.slice(0, 2), ...HIDDEN])
      const options = { isExplained: true, isGrouped: false }
      expect(await ask(withIt, text, options)).toEqual(await ask(without, text, options))
      const { searcher } = withIt
      const typed = { ...withLongWait([]), text, limit: 10 }
      expect(await searcher.suggest(typed)).toEqual(await without.searcher.suggest(typed))
    },
  )

  it('does not reveal that it cites something unique', async () => {
    const unbenched = { kind: 'authored-rule', benchmark: null } as const
    const readable = ruleOf(8, 'Wombats dig', { ...unbenched, readers: ['vera'] })
    const hidden = ruleOf(9, 'Quolls hide', { ...unbenched, readers: [], ccis: ['CCI-009999'] })
    const library = await openSearcher([...RULES.slice(0, 2), readable, hidden])
    const { query, results } = await ask(library, 'CCI-009999', { reader: 'vera' })
    expect(query.unknown).toBe('CCI-009999')
    expect(results.map(({ label }) => label)).not.toContain('Quolls hide')
  })
})
