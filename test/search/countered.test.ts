import { describe, expect, it } from 'vitest'
import type { SearchResult } from '../../src/contracts/search-answer.ts'
import { openSearcher, REQUEST } from './in-memory.ts'
import { CONTENT, ruleOf } from './small.ts'

const RULES = [
  ruleOf(1, 'The urn must stop after service', { fix: 'A stop is safe.' }),
  ruleOf(2, 'The samovar must lock accounts', { fix: 'This limits guessing, known as brute-forcing.' }),
]

const IRIS = new Map(CONTENT.documents.map(({ id, iri }) => [id, iri]))
const BRUTE_FORCE = IRIS.get('T1110') ?? ''

async function resultsFor(text: string, strengths: Readonly<Record<string, number>>): Promise<readonly SearchResult[]> {
  const { searcher } = await openSearcher(RULES)
  const strengthByIri = Object.entries(strengths).map(([id, strength]): [string, number] => [
    IRIS.get(id) ?? '',
    strength,
  ])
  const defenses = new Map([[BRUTE_FORCE, new Map(strengthByIri)]])
  const request = { ...REQUEST, text }
  const answer = await searcher.unified({ readable: [], waitUntil: Date.now() + 60_000, request, defenses })
  return 'results' in answer ? answer.results : []
}

describe('A question about what counters an attack', () => {
  it.each(['how do I stop brute force', 'prevent brute force attacks', 'how to stop T1110'])(
    'has the attack, then rules that name it, then techniques by their strongest way: %s',
    async (q) => {
      for (const [al, de] of [
        [1, 0.4],
        [0.4, 1],
      ] as const) {
        const ids = (await resultsFor(q, { 'D3-AL': al, 'D3-DE': de })).map(({ id }) => id)
        const techniques = al > de ? ['D3-AL', 'D3-DE'] : ['D3-DE', 'D3-AL']
        expect(ids.slice(0, 4)).toEqual(['T1110', 'SV-700002', ...techniques])
      }
    },
  )

  it('does not look for the words of its intent, nor for the kinds of the attack', async () => {
    const ids = (await resultsFor('how do I stop brute force', { 'D3-AL': 1 })).map(({ id }) => id)
    expect(ids).not.toContain('SV-700001')
    expect(ids).not.toContain('T1110.001')
  })

  it('has other results than the name of the attack alone', async () => {
    const ids = (await resultsFor('brute force', {})).map(({ id }) => id)
    expect(ids).toContain('T1110.001')
  })
})
