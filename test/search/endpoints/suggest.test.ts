// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { suggestionSchema } from '../../../src/contracts/search-answer.ts'
import { store } from '../../support/catalogue.ts'
import { guidanceService } from '../../support/guidance.ts'
import { STARTER } from '../../support/service.ts'

const under = guidanceService({}, undefined, STARTER)

beforeAll(async () => {
  const rules = [
    { id: 'SV-700001r10_rule', version: 'SAMO-09-000010', title: 'Samovars must lock accounts' },
    { id: 'SV-700002r1_rule', version: 'SAMO-09-000020', title: 'Spouts must be locked' },
    { id: 'SV-700003r1_rule', version: 'SAMO-09-000030', title: 'Samovar urns' },
  ]
  await store(under(), { id: 'Samovar_9_STIG', title: 'Samovar 9 STIG', rules })
  await store(under(), { id: 'Samovar_9_STIG', title: 'Samovar 9 STIG', release: '2', rules })
  await store(under(), { id: 'Urns_STIG', title: 'Samovar Urns STIG' })
})

async function suggested(q: string, limit = 10): Promise<readonly z.infer<typeof suggestionSchema>[]> {
  const query = new URLSearchParams({ q, limit: String(limit) }).toString()
  const { status, body } = await under().nobody.call('GET', `/api/search/suggest?${query}`)
  expect([status, body]).toEqual([200, body])
  return z.array(suggestionSchema).parse(body)
}

describe('GET /api/search/suggest', () => {
  it('lists names that begin with the text first', async () => {
    const [first] = await suggested('accou')
    expect(first?.text.toLowerCase().startsWith('accou')).toBe(true)
    expect((await suggested('account lock'))[0]).toMatchObject({
      text: 'Account Locking',
      kind: 'technique',
      id: 'D3-AL',
      path: '/api/technique/d3f:AccountLocking.json',
    })
  })

  it.for([
    ['D3-AL', 'D3-AL'],
    ['cci-00004', 'CCI-000044'],
    ['sv-7000', 'SV-700001'],
    ['SAMO-09-00002', 'SV-700002'],
    ['samovars mus', 'SV-700001'],
    ['lock acc', 'SV-700001'],
  ])('%s leads to %s', async ([q = '', id]) => {
    expect((await suggested(q, 25)).map((suggestion) => suggestion.id)).toContain(id)
  })

  it.for([
    ['D3-AL', 'Account Locking'],
    ['account locking', 'Account Locking'],
    ['sv-700002', 'Spouts must be locked'],
    ['SAMO-09-000020', 'Spouts must be locked'],
    ['spouts must be locked', 'Spouts must be locked'],
    ['Samovar Urns', 'Samovar urns'],
  ])('the record that %s names is first', async ([q = '', title]) => {
    expect((await suggested(q))[0]?.text).toBe(title)
  })

  it.for(['multi-f', 'multi f', 'multif'])('%s begins a name with a hyphen', async (q) => {
    expect((await suggested(q)).map(({ text }) => text)).toContain('Multi-factor Authentication')
  })

  it('names a benchmark once, by its newest release', async () => {
    const benchmarks = (await suggested('samovar 9')).filter(({ kind }) => kind === 'benchmark')
    expect(benchmarks).toEqual([
      { text: 'Samovar 9 STIG', kind: 'benchmark', id: 'Samovar_9_STIG', iri: null, path: '/stigs/2' },
    ])
  })

  it('has at most as many suggestions as requested and none for a blank text', async () => {
    expect(await suggested('a', 3)).toHaveLength(3)
    expect(await suggested('a', 1000)).toHaveLength(25)
    expect(await suggested('')).toEqual([])
    expect(await suggested('qwxzk')).toEqual([])
  })

  it('suggests only records that can be opened', async () => {
    for (const q of ['acc', 'cci-00004', 'T1', 'file', 'samovar']) {
      for (const { path, kind } of await suggested(q, 25)) {
        if (path === null) continue
        const { status } = await under().service.get(path)
        // The JSON of a benchmark is for those who are signed in.
        expect([kind, path, status]).toEqual([kind, path, path.startsWith('/api/') ? 200 : 401])
      }
    }
  })
})
