import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RuleBenchmark } from '../../src/contracts/guidance-records.ts'
import type { ControlLink } from '../../src/contracts/sources.ts'
import { temporaryFolder } from '../support/folder.ts'
import { ask, openSearcher, labels, withLongWait, REQUEST } from './in-memory.ts'
import type { MemoryRecord } from './memory-feed.ts'
import { CONTENT, documentOf, ruleOf } from './small.ts'

const URN: RuleBenchmark = { id: 2, kind: 'stig', benchmarkId: 'Urn_9_STIG', title: 'Acme Urn 9 STIG', version: 'V1R2' }
const SRG: RuleBenchmark = { id: 3, kind: 'srg', benchmarkId: 'Pot_SRG', title: 'Pot SRG', version: 'V3R1' }

const RULES: readonly MemoryRecord[] = [
  ruleOf(1, 'Samovar must limit heat', { severity: 'high', names: ['SV-700001r1_rule'] }),
  ruleOf(2, 'Acme Urn 9 must limit heat', { benchmark: URN, severity: 'low' }),
  ruleOf(3, 'Pots must limit heat', { benchmark: SRG, kind: 'requirement', severity: 'high' }),
  ruleOf(4, 'Steam is kept', { severity: 'low', fix: 'Limit nothing. Telnet is off.' }),
  ruleOf(5, 'Telnet must be off', { severity: 'medium', fix: 'Turn it off.' }),
]

async function ids(query: string, options: Parameters<typeof ask>[2] = {}): Promise<readonly (string | null)[]> {
  return (await ask(await openSearcher(RULES), query, options)).results.map(({ id }) => id)
}

describe('Equal rules of different products', () => {
  it('are one result that lists the others, or single results on request', async () => {
    const { results, pagination } = await ask(await openSearcher(RULES), 'limit heat', { kinds: ['rule'] })
    expect(results.map(({ label }) => label)).toEqual(['Samovar must limit heat', 'Steam is kept'])
    expect(pagination.total).toBe(2)
    expect(results[0]?.folded).toMatchObject({
      count: 1,
      records: [{ label: 'Acme Urn 9 must limit heat', benchmark: 'Acme Urn 9 STIG' }],
    })
    const apart = await ids('limit heat', { kinds: ['rule'], isFolded: false })
    expect(apart).toHaveLength(3)
  })

  it('are not grouped with a requirement, nor in a search of all releases', async () => {
    expect(await labels(await openSearcher(RULES), 'limit heat')).toContain('Pots must limit heat')
    expect(await ids('limit heat', { kinds: ['rule'], releases: [1, 2] })).toHaveLength(3)
  })
})

describe('A query of operators alone', () => {
  it('finds all matching records', async () => {
    const high = ['Samovar must limit heat', 'Pots must limit heat']
    for (const query of ['severity:high', 'CAT I', 'high severity'])
      expect((await labels(await openSearcher(RULES), query)).toSorted()).toEqual(high.toSorted())
    expect(await labels(await openSearcher(RULES), 'severity:high -pots')).toEqual([high[0]])
    expect(await labels(await openSearcher(RULES), 'NOT heat', { kinds: ['rule'] })).toEqual([
      'Steam is kept',
      'Telnet must be off',
    ])
    expect(await labels(await openSearcher(RULES), 'title:telnet')).toEqual(['Telnet must be off'])
    expect(await labels(await openSearcher(RULES), 'severity:none')).toEqual([])
  })
})

describe('A kind whose titles often have a word', () => {
  const weaknesses = ['Injection of steam', 'Injection of tea', 'Injection of heat', 'Leaking lid'].map(
    (label, index) => documentOf(`CWE-${index + 1}`, { kind: 'weakness', id: `CWE-${index + 1}`, label }),
  )
  const content = { ...CONTENT, documents: [...CONTENT.documents, ...weaknesses] }
  const rules = [ruleOf(1, 'Samovar must prevent injection'), ...RULES.slice(1)]

  async function factors(query: string): Promise<ReadonlyMap<string, number | undefined>> {
    const { results } = await ask(await openSearcher(rules, content), query, { isExplained: true })
    return new Map(results.map(({ kind, explanation }) => [kind, explanation?.factor]))
  }

  it('has a larger factor, and each other kind a smaller one', async () => {
    const factorByKind = await factors('injection')
    expect(factorByKind.get('weakness')).toBeCloseTo(1.1)
    expect(factorByKind.get('rule')).toBeGreaterThan(1)
    expect(factorByKind.get('rule')).toBeLessThan(1.05)
  })

  it('is recognised by all words: a word of rules raises rules', async () => {
    const factorByKind = await factors('heat limit injection')
    expect(factorByKind.get('rule')).toBeGreaterThan(1.05)
  })
})

describe('A weakness whose other name is a part of the query', () => {
  const label = "Improper Filtering of Steam ('Boiling Leak')"
  const weakness = documentOf('CWE-9', { kind: 'weakness', id: 'CWE-9', label })
  const content = { ...CONTENT, documents: [...CONTENT.documents, weakness], digest: 'e'.repeat(64) }
  const rule = 'Kitchens must prevent a boiling leak in jars'

  it('comes before rules that have more of the words', async () => {
    const searcher = await openSearcher([ruleOf(1, rule)], content)
    expect(await labels(searcher, 'boiling leak in kitchen jars')).toEqual([label, rule])
    expect(await labels(searcher, 'boiling in kitchen jars')).toEqual([rule, label])
  })
})

describe('A technique beside rules', () => {
  const guard = documentOf('Guard', {
    kind: 'technique',
    id: 'D3-G',
    label: 'Vessel Guard',
    text: `Watches. ${'Unrelated words. '.repeat(80)} It may limit heat.`,
  })
  const content = { ...CONTENT, documents: [...CONTENT.documents, guard], digest: 'c'.repeat(64) }

  it('is ranked with techniques, so that a filter by kind finds as many as its facet counts', async () => {
    const library = await openSearcher(RULES, content)
    const { results, facets } = await ask(library, 'limit heat')
    expect(facets.kind).toContainEqual({ value: 'technique', label: 'technique', count: 1 })
    expect(results.map(({ label }) => label)).toContain('Vessel Guard')
    expect(await labels(library, 'limit heat', { kinds: ['technique'] })).toEqual(['Vessel Guard'])
  })

  it('comes first under any of its names', async () => {
    const called = documentOf('Guarding', { kind: 'tactic', label: 'Command and Control' })
    const rule = ruleOf(1, 'C2 must be limited')
    const tactics = { ...content, documents: [called], links: [], digest: 'd'.repeat(64) }
    expect((await labels(await openSearcher([rule], tactics), 'C2'))[0]).toBe('Command and Control')
  })
})

describe('A facet', () => {
  it('counts the results of each value, regardless of its own selection', async () => {
    const library = await openSearcher(RULES)
    const open = await ask(library, 'limit heat telnet')
    const chosen = await ask(library, 'limit heat telnet', { severities: ['high'] })
    expect(chosen.facets.severity).toEqual(open.facets.severity)
    expect(chosen.results.every(({ severity }) => severity === 'high')).toBe(true)
    for (const facet of ['kind', 'severity', 'benchmark'] as const)
      for (const { value, count } of open.facets[facet]) {
        const filter = { kind: 'kinds', severity: 'severities', benchmark: 'benchmarks' }[facet]
        const only = facet === 'benchmark' ? Number(value) : value
        const { pagination } = await ask(library, 'limit heat telnet', { [filter]: [only] })
        expect([facet, value, pagination.total]).toEqual([facet, value, count])
      }
    const low = await ask(library, 'limit heat telnet', { severities: ['low'] })
    expect(low.facets.kind).toEqual([{ value: 'rule', label: 'rule', count: 2 }])
  })
})

describe('A cursor', () => {
  it('pages through all results once and in order', async () => {
    const many = Array.from({ length: 45 }, (_, index) => ruleOf(index + 1, `Kettle ${index}`))
    const library = await openSearcher(many)
    const whole = await ask(library, 'kettle', { isFolded: false, perPage: 100 })
    const pagedIds: (string | null)[] = []
    let cursor: string | null = null
    do {
      const { results, pagination } = await ask(library, 'kettle', { isFolded: false, perPage: 7, cursor })
      pagedIds.push(...results.map(({ id }) => id))
      expect(pagination.total).toBe(45)
      cursor = pagination.next
    } while (cursor !== null)
    expect(pagedIds).toEqual(whole.results.map(({ id }) => id))
  })

  it.for(['x', '', 'W10', 'eyJhIjoxfQ'])('is refused where no answer gave it: %s', async (cursor) => {
    await expect(ask(await openSearcher(RULES), 'heat', { cursor })).rejects.toMatchObject({
      code: 'parameter_invalid',
    })
  })
})

describe('A typed query', () => {
  it.for([
    ['limit -urn', ['SV-700001', 'SV-700003', 'SV-700004']],
    ['limit NOT urn', ['SV-700001', 'SV-700003', 'SV-700004']],
    ['title:telnet', ['SV-700005']],
    ['fix:telnet', ['SV-700004']],
    ['telnet severity:low', ['SV-700004']],
    ['"must limit"', ['SV-700001', 'SV-700002', 'SV-700003']],
    ['"limit must"', []],
  ] as const)('%s finds the expected records', async ([query, expected]) => {
    expect([...(await ids(query, { isFolded: false, kinds: ['rule', 'requirement'] }))].sort()).toEqual(expected)
  })

  it.for(['limit high severity', 'CAT I limit', 'limit severity high'])(
    'prefers the severity that it names: %s',
    async (query) => {
      const [first] = (await ask(await openSearcher(RULES), query, { isFolded: false })).results
      expect(first?.severity).toBe('high')
    },
  )

  it('prefers rules of the product that it names', async () => {
    expect((await ids('acme urn 9 limit heat', { isFolded: false }))[0]).toBe('SV-700002')
    const [first] = (await ask(await openSearcher(RULES), 'urn9 limit heat', { isExplained: true, isGrouped: false }))
      .results
    expect(first?.explanation?.factor).toBeGreaterThan(1)
  })

  it('puts rules of a product named alone first, but after records with this name', async () => {
    const urn = documentOf('Urn', { kind: 'artifact', label: 'Acme urn' })
    const library = await openSearcher(RULES, { ...CONTENT, documents: [urn] })
    const { results } = await ask(library, 'acme urn', { isExplained: true, isGrouped: false })
    expect(results.map(({ label }) => label).slice(0, 2)).toEqual(['Acme urn', 'Acme Urn 9 must limit heat'])
    // More than 1 for its kind alone.
    expect(results[1]?.explanation?.factor).toBeLessThanOrEqual(1.1)
    const [first] = (await ask(library, 'acme urn 9 severity:low')).results
    expect(first?.id).toBe('SV-700002')
  })

  it('puts records on its subject before those of the product family alone', async () => {
    const cisco: RuleBenchmark = { ...URN, benchmarkId: 'Cisco_IOS_STIG', title: 'Cisco IOS Switch STIG' }
    const rules = [
      ...[21, 22, 23, 24].map((id) => ruleOf(id, `Guests of house ${id} must see a banner`)),
      ruleOf(2, 'Phones must be kept', { fix: 'Cisco phones and Cisco cables by Cisco, for every Cisco.' }),
      ruleOf(3, 'A banner must be shown', { benchmark: cisco }),
      ruleOf(4, 'Kettles must be kept', { benchmark: cisco }),
      ...Array.from({ length: 20 }, (_, number) => ruleOf(30 + number, `Lid ${number} must fit`)),
    ]
    const titles = await labels(await openSearcher(rules), 'cisco banner', { isFolded: false })
    expect(titles[0]).toBe('A banner must be shown')
    expect(titles.indexOf('Phones must be kept')).toBe(5)
  })

  it('of one word in parts weighs the same, whether other records have the parts or not', async () => {
    const worth = async (inRule: string, inDocument: string): Promise<number> => {
      const rules = [
        ruleOf(1, 'Kettles are kept', { fix: 'Set hotwater.' }),
        ruleOf(2, 'Urns are kept', { fix: inRule }),
      ]
      const documents = [documentOf('Mug', { kind: 'artifact', label: 'Mug', text: inDocument })]
      const library = await openSearcher(rules, { ...CONTENT, documents })
      const { results } = await ask(library, 'hot-water', { isExplained: true, isGrouped: false })
      const { explanation } = results.find(({ label }) => label === 'Kettles are kept') ?? {}
      return explanation?.words ?? 0
    }
    const beside = await worth('Water is hot', 'Tea is cold')
    expect(beside).toBeGreaterThan(0)
    expect(await worth('Tea is cold', 'Water is hot')).toBeCloseTo(beside, 5)
  })

  it('is corrected if a word is unknown; swapped letters are one mistake', async () => {
    const { query, results } = await ask(await openSearcher(RULES), 'haet limit')
    expect(query.corrected).toBe('heat limit')
    expect(results[0]?.label).toContain('must limit heat')
    const uncorrected = await ask(await openSearcher(RULES), 'limit zzzzzzzz')
    expect([uncorrected.query.corrected, uncorrected.suggestions]).toEqual([null, []])
  })

  it('is reported as unknown if it is an identifier without a record, with its neighbours', async () => {
    const { query, results } = await ask(await openSearcher(RULES), 'SV-700009')
    expect(query.unknown).toBe('SV-700009')
    expect(results.length).toBeGreaterThan(0)
    expect(results.every(({ id }) => id?.startsWith('SV-70000') === true)).toBe(true)
    expect((await ask(await openSearcher(RULES), 'SV-700001')).query.unknown).toBeNull()
    expect((await ask(await openSearcher(RULES), 'CWE-99999')).query.unknown).toBe('CWE-99999')
  })

  it('finds nothing if it is empty', async () => {
    expect(await ids('qqxzv wvvxq')).toEqual([])
    expect(await ids('')).toEqual([])
  })

  it('is explained on request', async () => {
    const library = await openSearcher(RULES)
    const [plain] = (await ask(library, 'telnet')).results
    expect(plain?.explanation).toBeUndefined()
    const [first] = (await ask(library, 'telnet', { isExplained: true, isGrouped: false })).results
    expect(first?.explanation?.terms).toMatchObject([
      { term: 'telnet', said: [{ said: 'telnet', by: 'itself', fields: ['title'] }] },
    ])
    expect(first?.explanation?.score).toBeGreaterThan(first?.explanation?.words ?? 1)
  })
})

describe('Linked records', () => {
  const about = (recordId: number, title: string): MemoryRecord => ruleOf(recordId, title, { ccis: ['CCI-000044'] })

  it('are ordered by similarity to the named record', async () => {
    const rules = [
      about(1, 'Cookies have the flag'),
      about(2, 'Lock the account after failed logins'),
      about(3, 'Banners are shown'),
    ]
    const { results } = await ask(await openSearcher(rules), 'D3-AL', { kinds: ['rule'] })
    expect(results.map(({ label }) => label)[0]).toBe('Lock the account after failed logins')
    expect(results).toHaveLength(3)
  })

  it('show the requested link first', async () => {
    const links: readonly ControlLink[] = [
      ...CONTENT.links,
      {
        control: 'CCI-000044',
        label: 'CCI-000044',
        kind: 'cci',
        relation: 'related',
        technique: CONTENT.documents[1]?.iri ?? '',
      },
    ]
    const library = await openSearcher([about(1, 'Lock it')], { ...CONTENT, links })
    const firstOf = async (query: string): Promise<string | undefined> =>
      (await ask(library, query, { kinds: ['rule'] })).results[0]?.links[0]?.technique.id
    expect(await firstOf('D3-DE')).toBe('d3f:Decoy')
    expect(await firstOf('D3-AL')).toBe('d3f:AccountLocking')
  })

  it.for(['T1499', 'how to prevent flood attacks', 'protection against a flood'])(
    'defend against a named attack, if its defenses are known: %s',
    async (text) => {
      const content = {
        ...CONTENT,
        documents: [
          ...CONTENT.documents,
          documentOf('T1499', { kind: 'offensive-technique', id: 'T1499', label: 'Flood' }),
        ],
      }
      const [attack] = content.documents.slice(-1)
      const [technique] = content.documents
      const { searcher, feed } = await openSearcher([about(1, 'Lock it')], content)
      const request = { ...REQUEST, text }
      const asked = { ...withLongWait(feed.readable(null)), request }
      expect(await searcher.unified({ ...asked, defenses: null })).toEqual({ defensesOf: [attack?.iri] })
      const defenses = new Map([[attack?.iri ?? '', new Map([[technique?.iri ?? '', 0.5]])]])
      const answer = await searcher.unified({ ...asked, defenses })
      expect('results' in answer && answer.results.map(({ label }) => label)).toEqual([
        'Flood',
        'Account Locking',
        'Lock it',
      ])
    },
  )
})

describe('The index of a library', () => {
  it('is saved with permissions for its owner alone, and loaded by the next start', async () => {
    const file = join(await temporaryFolder(), 'search-index')
    const { searcher, feed } = await openSearcher(RULES, CONTENT, file)
    const before = await ask({ searcher, feed }, 'limit heat')
    await searcher.save()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const bytes = await readFile(file)
    await searcher.save()
    expect((await stat(file)).size).toBe(bytes.length)
    const next = await openSearcher(RULES, CONTENT, file)
    expect(await ask(next, 'limit heat')).toEqual(before)
    next.feed.put(ruleOf(6, 'Samovars must limit steam'))
    expect(await labels(next, 'limit steam')).toContain('Samovars must limit steam')
    await writeFile(file, bytes.subarray(0, bytes.length / 2))
    expect(await ask(await openSearcher(RULES, CONTENT, file), 'limit heat')).toEqual(before)
  })

  it('does not count removed records', async () => {
    const library = await openSearcher(RULES)
    const { total } = (await ask(library, 'limit', { isFolded: false })).pagination
    library.feed.remove({ kind: 'rule', id: 1 })
    expect((await ask(library, 'limit', { isFolded: false })).pagination.total).toBe(total - 1)
    library.feed.becomeAnother([ruleOf(9, 'Pots must limit light')])
    const { results } = await ask(library, 'limit heat', { kinds: ['rule'] })
    expect(results.map(({ label }) => label)).toEqual(['Pots must limit light'])
  })
})
