import { describe, expect, it } from 'vitest'
import type { OntologyDocument } from '../../src/contracts/sources.ts'
import { ask, openSearcher, labels, withLongWait } from './in-memory.ts'
import { CONTENT, documentOf } from './small.ts'

function attack(id: string, label: string, facts: Partial<OntologyDocument> = {}): OntologyDocument {
  return documentOf(id, { kind: 'offensive-technique', id, label, domain: 'enterprise-attack', ...facts })
}

const SPOUT = attack('T1500', 'Spout opening')
const DOCUMENTS = [
  attack('T1400', 'Spout', {
    deprecated: true,
    successors: [{ iri: SPOUT.iri, name: SPOUT.name, id: SPOUT.id, label: SPOUT.label }],
  }),
  SPOUT,
  attack('T1404', 'Spout of a pocket kettle', { domain: 'mobile-attack' }),
  attack('DE-0001', 'Spout in orbit', { domain: 'sparta' }),
  documentOf('Spout', { kind: 'artifact', label: 'Long spout of a kettle' }),
]

describe('A search for attacks of several domains', () => {
  it('counts the results of each domain, and filters by domain', async () => {
    const searcher = await openSearcher([], { ...CONTENT, documents: DOCUMENTS })
    const { results, facets } = await ask(searcher, 'spout', { domains: ['mobile-attack', 'sparta'] })
    expect(results.map(({ id, domain }) => [id, domain])).toEqual([
      ['DE-0001', 'sparta'],
      ['T1404', 'mobile-attack'],
    ])
    expect(facets.domain.map(({ value, count }) => [value, count])).toEqual([
      ['enterprise-attack', 2],
      ['mobile-attack', 1],
      ['sparta', 1],
    ])
    expect(facets.kind).toEqual([{ value: 'offensive-technique', label: 'offensive-technique', count: 2 }])
  })
})

describe('A deprecated record', () => {
  it('comes after all others, however well it fits, with its successors', async () => {
    const searcher = await openSearcher([], { ...CONTENT, documents: DOCUMENTS })
    const { results } = await ask(searcher, 'spout')
    expect(results).toHaveLength(5)
    expect(results.at(-1)).toMatchObject({
      id: 'T1400',
      deprecated: true,
      successors: [{ id: 'T1500', label: 'Spout opening', path: '/api/offensive-technique/attack/T1500.json' }],
    })
  })

  it('is found by its id, behind its successor', async () => {
    const searcher = await openSearcher([], { ...CONTENT, documents: DOCUMENTS })
    expect(await labels(searcher, 'T1400')).toEqual(['Spout opening', 'Spout'])
  })

  it('is suggested after all others', async () => {
    const { searcher } = await openSearcher([], { ...CONTENT, documents: DOCUMENTS })
    const { named, others } = await searcher.suggest({ ...withLongWait([]), text: 'spout', limit: 10 })
    expect([...named, ...others].map(({ text }) => text).at(-1)).toBe('Spout')
  })
})
