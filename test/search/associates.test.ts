import { describe, expect, it } from 'vitest'
import type { SearchResult } from '../../src/contracts/search-answer.ts'
import { ask, openSearcher, type SearchUnderTest } from './in-memory.ts'
import type { MemoryRecord } from './memory-feed.ts'
import { ruleOf } from './small.ts'

/** Three rules have a gasket and a washer, which are rare among the others. */
const WITH_GASKET = [1, 2, 3]

const RULES = [
  ...Array.from({ length: 120 }, (_, index) => ruleOf(100 + index, `Urn ${index} must limit heat`)),
  ...WITH_GASKET.map((id) => ruleOf(id, `Urn ${id} must limit heat`, { fix: 'A gasket and a washer.' })),
  ruleOf(10, 'Pans must have a leaking lid'),
  ruleOf(11, 'Kettles must have a leaking washer'),
]

function privateRule(id: number, title: string): MemoryRecord {
  const component = { id, name: `Kitchen ${id}`, prefix: 'KITC', project: 'Tea' }
  const facts = { readers: ['anna'], kind: 'authored-rule', benchmark: null, component } as const
  return ruleOf(id, title, facts)
}

async function resultFor(search: SearchUnderTest, text: string, id: string): Promise<SearchResult | undefined> {
  const { results } = await ask(search, text, { isExplained: true, isFolded: false, perPage: 100 })
  return results.find((result) => result.id === id)
}

/** The associates by which a rule was found. */
async function associatesIn(search: SearchUnderTest, text: string, id = 'SV-700011'): Promise<readonly string[]> {
  const result = await resultFor(search, text, id)
  const variants = result?.explanation?.terms.flatMap((term) => term.said) ?? []
  return variants.filter(({ by }) => by === 'associate').map((variant) => variant.said)
}

describe('A rare word of a query', () => {
  it('raises records with the words that go with it, and explains that', async () => {
    const search = await openSearcher(RULES)
    const { results } = await ask(search, 'leaking gasket', { isFolded: false })
    const ids = results.map(({ id }) => id)
    expect(ids.indexOf('SV-700011')).toBeLessThan(ids.indexOf('SV-700010'))
    expect(await associatesIn(search, 'leaking gasket')).toEqual(['washer'])
    const { expanded } = (await ask(search, 'leaking gasket')).query
    expect(expanded.map(({ to }) => to)).not.toContain('washer')
  })

  it('has no associate that is in the query, and none where it is the only word', async () => {
    const search = await openSearcher(RULES)
    expect(await associatesIn(search, 'leaking gasket washer')).toEqual([])
    expect(await resultFor(search, 'gasket', 'SV-700011')).toBeUndefined()
  })

  it('has no associate that is in fewer than half of its records', async () => {
    const others = [4, 5, 6, 7].map((id) => ruleOf(id, `Pot ${id} must have a gasket`))
    const search = await openSearcher([...RULES, ...others])
    expect(await associatesIn(search, 'leaking gasket')).toEqual([])
  })

  it('has none where too many records have it', async () => {
    const many = Array.from({ length: 120 }, (_, index) => {
      return ruleOf(300 + index, `Tap ${index} must drip`, { fix: index < 70 ? 'Loosen the sieve.' : '' })
    })
    const search = await openSearcher([...RULES, ...many, ruleOf(12, 'Bowls must have a leaking sieve')])
    expect(await associatesIn(search, 'leaking tap', 'SV-700012')).toEqual([])
  })

  it('learns from what changes', async () => {
    const search = await openSearcher(RULES)
    expect(await associatesIn(search, 'leaking gasket')).toEqual(['washer'])
    for (const id of WITH_GASKET) search.feed.put(ruleOf(id, `Urn ${id} must limit heat`, { fix: 'A gasket.' }))
    expect(await associatesIn(search, 'leaking gasket')).toEqual([])
  })

  it('learns nothing from texts that are not public', async () => {
    const otherRules = RULES.filter(({ match }) => match.recordId > 3)
    const hidden = [1, 2, 3].map((id) => privateRule(id, `A gasket needs a washer ${id}`))
    const search = await openSearcher([...otherRules, ...hidden])
    for (const reader of ['anna', null]) {
      const { results } = await ask(search, 'leaking gasket', { isExplained: true, reader })
      const variants = results.flatMap(({ explanation }) => explanation?.terms.flatMap((term) => term.said) ?? [])
      expect(variants.map(({ by }) => by)).not.toContain('associate')
    }
  })
})
