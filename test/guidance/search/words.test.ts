import { afterEach, describe, expect, it } from 'vitest'
import type { GuidanceMatch, GuidanceSearchRequest } from '../../../src/contracts/guidance-records.ts'
import { nameOf, wordsOf } from '../../../src/platform/words.ts'
import { emptyCatalogue, store } from '../../support/catalogue.ts'
import { guidanceService } from '../../support/guidance.ts'

const service = guidanceService()

const RULES = [
  { id: 'SV-1r1_rule', title: 'Idle shells end', fix: 'Set TMOUT.', discussion: 'Strangers type.' },
  { id: 'SV-2r1_rule', title: 'Audits are kept', checks: ['Look at the logs.', 'Ask twice.'] },
]

afterEach(() => emptyCatalogue(service()))

async function find(question: Partial<GuidanceSearchRequest>): Promise<readonly GuidanceMatch[]> {
  return service().service.guidance.search.findMatches(null, {
    required: [],
    searchedField: 'anywhere',
    kinds: ['rule', 'requirement'],
    severity: null,
    benchmarks: null,
    limit: 1000,
    ...question,
  })
}

async function rulesWith(text: string): Promise<readonly (string | undefined)[]> {
  const required = wordsOf(text).map((word) => ({ alternatives: [{ words: [word], prefix: false }] }))
  return (await find({ required })).map(({ names }) => names[0])
}

describe('The words of catalogue rules', () => {
  it.each([
    ['shell', ['SV-1r1_rule']],
    ['TMOUT', ['SV-1r1_rule']],
    ['stranger', ['SV-1r1_rule']],
    ['audit', ['SV-2r1_rule']],
    ['log', ['SV-2r1_rule']],
    ['twice', ['SV-2r1_rule']],
    ['kettle', []],
  ])('are those of their title, fix, discussion and checks: %s', async (word, ids) => {
    await store(service(), { rules: RULES })
    expect(await rulesWith(word)).toEqual(ids)
  })

  it('has names', async () => {
    const id = await store(service(), { rules: RULES })
    const required = [{ alternatives: [{ words: [nameOf('sv-1')], prefix: false }] }]
    expect(await find({ required, searchedField: 'names' })).toHaveLength(1)
    expect(await find({ required, searchedField: 'names', benchmarks: [id] })).toHaveLength(1)
    expect(await find({ required, searchedField: 'names', benchmarks: [id + 1] })).toHaveLength(0)
    expect(await find({ required, searchedField: 'title' })).toHaveLength(0)
  })
})
