import { describe, expect, it } from 'vitest'
import { ask, openSearcher } from './in-memory.ts'
import { ruleOf } from './small.ts'

const RULES = [
  ruleOf(1, 'The samovar must lock accounts', { names: ['SV-700001r1_rule', 'V-700001'], ccis: ['CCI-000044'] }),
  ruleOf(2, 'The urn must lock accounts after brute force', { names: ['SV-700002r1_rule'], ccis: ['CCI-000044'] }),
  ruleOf(3, 'Account locking is set', { names: ['SV-700003r1_rule', 'SRG-1'] }),
  ruleOf(4, 'Account locking is shown', { names: ['SV-700004r1_rule', 'SRG-1'] }),
]

async function answerOf(text: string, options: Parameters<typeof ask>[2] = {}): Promise<string | null> {
  const { answer, results } = await ask(await openSearcher(RULES), text, options)
  if (answer !== null) expect(answer).toEqual(results[0])
  return answer?.id ?? null
}

describe('The answer of a search', () => {
  it.each([
    ['V-700001', 'SV-700001'],
    ['sv 700002', 'SV-700002'],
    ['T1110', 'T1110'],
    ['brute force', 'T1110'],
    ['How do I stop brute force attacks?', 'T1110'],
    ['honeypot', 'D3-DE'],
    ['D3-AL', 'D3-AL'],
    ['Account Locking', 'D3-AL'],
    ['cci 44', 'CCI-000044'],
    [' account locking IS set', 'SV-700003'],
  ])('to %s is %s', async (text, id) => {
    expect(await answerOf(text)).toBe(id)
  })

  it.each([
    ['several records', 'SRG-1'],
    ['words of texts', 'lock accounts'],
    ['an identifier beside other words', 'V-700001 urn'],
    ['an identifier that nothing has', 'V-799999'],
    ['nothing', ''],
  ])('does not exist for %s: %s', async (_, text) => {
    expect(await answerOf(text)).toBeNull()
  })

  it('stands on the first page alone', async () => {
    expect(await answerOf('Account Locking', { perPage: 1, page: 2 })).toBeNull()
    const { pagination } = await ask(await openSearcher(RULES), 'Account Locking', { perPage: 1 })
    expect(await answerOf('Account Locking', { perPage: 1, cursor: pagination.next })).toBeNull()
  })
})
