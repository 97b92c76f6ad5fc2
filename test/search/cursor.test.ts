import { expect, it } from 'vitest'
import type { SearchRequest } from '../../src/contracts/search.ts'
import { ask, openSearcher } from './in-memory.ts'
import { ruleOf } from './small.ts'

it('A cursor is refused for another search, and accepted for another size of page', async () => {
  const kettles = Array.from({ length: 9 }, (_, index) => ruleOf(index + 1, `Kettle pot ${index}`))
  const library = await openSearcher(kettles)
  const { pagination } = await ask(library, 'kettle', { isFolded: false, perPage: 2 })
  const cursor = pagination.next
  const same = await ask(library, 'kettle', { isFolded: false, perPage: 4, cursor })
  expect(same.results).toHaveLength(4)
  const others: readonly (readonly [string, Partial<SearchRequest>])[] = [
    ['pot', {}],
    ['kettle', { severities: ['high'] }],
    ['kettle', { kinds: ['rule'] }],
    ['kettle', { tactics: ['Harden'] }],
    ['kettle', { domains: ['atlas'] }],
    ['kettle', { benchmarks: [1] }],
    ['kettle', { releases: [1] }],
    ['kettle', { isFolded: true }],
  ]
  for (const [text, filters] of others)
    await expect(ask(library, text, { isFolded: false, ...filters, cursor })).rejects.toMatchObject({
      code: 'parameter_invalid',
      members: { parameter: 'cursor' },
    })
})

it('A cursor goes on between results with equal scores', async () => {
  const library = await openSearcher(Array.from({ length: 5 }, (_, index) => ruleOf(index + 1, 'Kettle pot')))
  const ids: (string | null)[] = []
  let cursor: string | null = null
  do {
    const { results, pagination } = await ask(library, 'kettle', { isFolded: false, perPage: 2, cursor })
    ids.push(...results.map(({ id }) => id))
    cursor = pagination.next
  } while (cursor !== null && ids.length < 10)
  const whole = await ask(library, 'kettle', { isFolded: false, perPage: 5 })
  expect(ids).toEqual(whole.results.map(({ id }) => id))
  expect(new Set(ids).size).toBe(5)
})
