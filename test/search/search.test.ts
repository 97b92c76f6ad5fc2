import { describe, expect, it } from 'vitest'
import type { Search, SearchRequest } from '../../src/contracts/search.ts'
import type { OntologyContent } from '../../src/contracts/sources.ts'
import { createSearch } from '../../src/search/search.ts'
import { MemoryGuidance, type MemoryRecord } from './memory-guidance.ts'
import { CCIS, CONTENT, documentOf, ruleOf } from './small.ts'

const OPEN = {
  ...{ kinds: [], severities: [], tactics: [], benchmarks: null, releases: null },
  ...{ page: 1, perPage: 20 },
} as const satisfies Omit<SearchRequest, 'text'>

const RULES = [
  ruleOf(1, 'Samovars must lock an account after three failed attempts', {
    ...{ ccis: ['CCI-000044'], severity: 'high', fix: 'Set minlen = 15, for minlen counts.' },
  }),
  ruleOf(2, 'Accounts of samovars must be kept', { fix: 'A list: ucredit, minlen, dcredit.' }),
  ruleOf(3, 'Quokkas must be concealed', {
    ...{ kind: 'authored-rule', benchmark: null, readers: ['vera'] },
  }),
]

interface Given {
  readonly search: Search<string | null>
  readonly guidance: MemoryGuidance
}

function given(records: readonly MemoryRecord[] = RULES, content = CONTENT): Given {
  const guidance = new MemoryGuidance(records, CCIS)
  const { version, digest } = content
  const ontology = {
    current: () => ({ version, digest }),
    content: () => Promise.resolve(content),
  }
  return { guidance, search: createSearch({ ontology, guidance, abbreviations: [] }) }
}

async function labels({ search }: Given, text: string, more: Partial<SearchRequest> = {}) {
  const { results } = await search.unified(null, { ...OPEN, text, ...more })
  return results.map(({ label }) => label)
}

describe('The search', () => {
  it('puts what is named first, then what belongs to it', async () => {
    const found = await labels(given(), 'T1110')
    expect(found.slice(0, 2)).toEqual(['Brute Force', 'Password Guessing'])
    expect(await labels(given(), 'CCI-000044')).toEqual(
      expect.arrayContaining(['CCI-000044', 'Account Locking', RULES[0]?.match.title]),
    )
    expect((await labels(given(), 'AC-7'))[0]).toBe('AC-7')
  })

  it('tells techniques and rules together', async () => {
    expect((await labels(given(), 'account lock')).slice(0, 2)).toEqual([
      'Account Locking',
      'Samovars must lock an account after three failed attempts',
    ])
  })

  it('puts a label before a synonym, and a synonym before the name of a benchmark', async () => {
    const boiler = { kind: 'artifact', label: 'Boiler', synonyms: ['Copper samovar'] } as const
    const documents = [
      documentOf('Boiler', boiler),
      documentOf('Urn', { kind: 'artifact', label: 'Copper samovar' }),
    ]
    const rules = [ruleOf(1, 'Accounts must be kept')]
    const found = await labels(given(rules, { ...CONTENT, documents }), 'samovar')
    expect(found).toEqual(['Copper samovar', 'Boiler', 'Accounts must be kept'])
  })

  it('puts a technique before what else is called so', async () => {
    const kinds = ['technique', 'offensive-technique', 'weakness', 'artifact'] as const
    const documents = kinds
      .toReversed()
      .map((kind) => documentOf(`${kind}1`, { kind, label: 'Kettle' }))
    const { search } = given([], { ...CONTENT, documents })
    const { results } = await search.unified(null, { ...OPEN, text: 'kettle' })
    expect(results.map(({ kind }) => kind)).toEqual(kinds)
  })

  it('prefers a text that says it as it was typed, in the better place', async () => {
    expect((await labels(given(), 'minlen'))[0]).toBe(RULES[0]?.match.title)
    expect((await labels(given(), 'minlen ='))[0]).toBe(RULES[0]?.match.title)
  })

  it('finds by what a label has in quotes', async () => {
    expect((await labels(given(), 'path traversal'))[0]).toContain('Improper Limitation')
  })

  it('says through what a rule bears on a technique, also by the control of its CCI', async () => {
    const { results } = await given().search.unified(null, { ...OPEN, text: 'SV-700001' })
    expect(results[0]?.links.map(({ sentence }) => sentence)).toEqual([
      'SV-700001 → CCI-000044 → narrower → Account Locking (Harden)',
      'SV-700001 → CCI-000044 → AC-7 → related → Account Locking (Harden)',
    ])
    expect(results[0]?.links_total).toBe(2)
  })

  it('asks guidance a bounded number of times, for a bounded number of rows', async () => {
    const texts = ['a', 'samovar account', 'zzz yyy xxx www vvv uuu', 'x1 y2 z3 '.repeat(1000)]
    for (const text of [...texts, 'samovar qqq lock rrr attempts sss three']) {
      const { guidance, search } = given()
      await search.unified(null, { ...OPEN, text })
      expect(guidance.questions.length).toBeLessThanOrEqual(24)
      for (const { limit, wanted } of guidance.questions) {
        expect(limit).toBeLessThanOrEqual(400)
        expect(wanted.length).toBeLessThanOrEqual(60)
      }
    }
  })

  it('says that there may be more where a question was cut', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ruleOf(index + 1, `Kettle ${index}`))
    const cut = await given(many).search.unified(null, { ...OPEN, text: 'kettle' })
    expect(cut.pagination).toMatchObject({ total: 400, total_is: 'at_least' })
    const few = await given(many.slice(0, 30)).search.unified(null, { ...OPEN, text: 'kettle' })
    expect(few.pagination).toMatchObject({ total: 30, total_is: 'exact' })
  })

  it('gives every record once, whatever page it is on', async () => {
    const many = Array.from({ length: 130 }, (_, index) => ruleOf(index + 1, `Kettle ${index}`))
    const pages = [1, 2, 3, 4, 5, 6, 7]
    const all = await Promise.all(pages.map((page) => labels(given(many), 'kettle', { page })))
    expect(new Set(all.flat()).size).toBe(130)
    expect(all.flat()).toHaveLength(130)
  })

  it('has the same order in whatever order records come', async () => {
    const ways = ['samovar', 'account', 'lock account', 'minlen', 'CCI-000044']
    for (const text of ways)
      expect(await labels(given(RULES.toReversed()), text)).toEqual(await labels(given(), text))
  })

  it('tells nobody what they may not read, nor corrects a word to it', async () => {
    const { search } = given()
    const hidden = await search.unified(null, { ...OPEN, text: 'quokka' })
    expect([hidden.results, hidden.facets.kind, hidden.query.corrected]).toEqual([[], [], null])
    const seen = await search.unified('vera', { ...OPEN, text: 'quokka' })
    expect(seen.results.map(({ kind }) => kind)).toEqual(['authored-rule'])
    expect((await search.unified('vera', { ...OPEN, text: 'quoka' })).query.corrected).toBeNull()
    expect(await search.suggest(null, 'quok', 10)).toEqual([])
    expect(await search.suggest('vera', 'quok', 10)).toHaveLength(1)
  })
})

describe('Another release of the ontology', () => {
  it('takes the place of the first once it has been read; until then that one answers', async () => {
    let content: OntologyContent = CONTENT
    let readings = 0
    let goOn = (): void => undefined
    const promise = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const search = createSearch<null>({
      ontology: {
        current: () => content,
        content: async () => {
          readings += 1
          if (readings > 1) await promise
          return content
        },
      },
      guidance: new MemoryGuidance([], CCIS),
      abbreviations: [],
    })
    const versionOf = async () =>
      (await search.unified(null, { ...OPEN, text: 'kettle' })).ontology?.version
    expect(await versionOf()).toBe('1.0')
    const kettle = documentOf('Kettle', { kind: 'artifact', label: 'Kettle' })
    content = { ...CONTENT, version: '2.0', digest: 'b'.repeat(64), documents: [kettle] }
    expect(await versionOf()).toBe('1.0')
    goOn()
    await expect.poll(versionOf).toBe('2.0')
    expect(readings).toBe(2)
  })
})
