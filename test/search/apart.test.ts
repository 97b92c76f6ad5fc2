import { describe, expect, it } from 'vitest'
import type { RuleBenchmark } from '../../src/contracts/guidance-records.ts'
import { ask, openSearcher } from './in-memory.ts'
import { ruleOf } from './small.ts'

const URN: RuleBenchmark = { id: 2, kind: 'stig', benchmarkId: 'Urn_9_STIG', title: 'Acme Urn 9 STIG', version: 'V1R2' }
const RULES = [ruleOf(1, 'Samovar must limit heat'), ruleOf(2, 'Telnet must be off')]

describe('Rules of one benchmark', () => {
  it('stay separate if their titles differ in more than the product', async () => {
    const rules = [
      ruleOf(1, 'Samovar /etc/heat file must be owned by root'),
      ruleOf(2, 'Samovar "/etc/heat-" file must be owned by root.'),
      ruleOf(3, 'The Acme Urn 9 "/etc/heat" file must be owned by root.', { benchmark: URN }),
      ruleOf(4, 'The Acme Urn 9 /etc/heat- file must be owned by root.', { benchmark: URN }),
    ]
    const { results } = await ask(await openSearcher(rules), 'owner of /etc/heat', { kinds: ['rule'] })
    expect(results.map(({ folded }) => folded.count)).toEqual([0, 0, 0, 0])
    const titled = rules.map(({ match, texts }) => {
      const title = match.title.replace('The Acme', 'Acme')
      return { match: { ...match, title }, texts: texts.map((recordText) => ({ ...recordText, text: title })) }
    })
    const sameTitles = await ask(await openSearcher(titled), 'owner of /etc/heat', { kinds: ['rule'] })
    expect(sameTitles.results.map(({ folded }) => folded.count)).toEqual([1, 1])
  })
})

describe('An identifier without separators', () => {
  const rule = ruleOf(1, 'Samovar must limit heat', { names: ['SAM-09-000320', 'SV-700001r1_rule'] })
  it.for(['sam09000320', 'SAM-09000320', 'sam 09000320', 'SAM09000320 heat'])('is found as %s', async (text) => {
    const { results } = await ask(await openSearcher([rule, ruleOf(2, 'Telnet must be off')]), text)
    expect(results[0]?.id).toBe('SAM-09-000320')
  })

  it('without a record is unknown', async () => {
    expect((await ask(await openSearcher([rule]), 'sam09000321')).query.unknown).toBe('sam09000321')
  })
})

describe('An unknown identifier', () => {
  it('has neighbours in the newest release, not the same ones in older releases', async () => {
    const older = { ...URN, id: 9, version: 'V0R9' }
    const names = ['URN-09-000320']
    const rules = [ruleOf(1, 'Heat', { names, benchmark: older }), ruleOf(2, 'Heat', { names })]
    const { query, results } = await ask(await openSearcher(rules), 'URN-09-000999')
    expect(query.unknown).toBe('URN-09-000999')
    expect(results.map(({ benchmark }) => benchmark?.version)).toEqual(['V1R1'])
  })

  it.for(['D3-ZZZ', 'd3-zzz'])('may be one of a technique: %s', async (text) => {
    const { query, results } = await ask(await openSearcher([]), text)
    expect(query.unknown).toBe(text)
    expect(results.map(({ id }) => id)).toContain('D3-AL')
  })
})

describe('A product', () => {
  it('is found by the initials before its number', async () => {
    const named = { ...URN, title: 'Acme Water Urn 9 STIG' }
    const rules = [ruleOf(1, 'Heat is kept'), ruleOf(2, 'Heat is kept', { benchmark: named })]
    for (const text of ['wu9 heat', 'awu9 heat', 'heat']) {
      const { results } = await ask(await openSearcher(rules), text, { isFolded: false })
      expect(results[0]?.id).toBe(text === 'heat' ? 'SV-700001' : 'SV-700002')
    }
  })
})

describe('A short unknown word', () => {
  it('gets only a suggestion while the other words find something', async () => {
    const { query, suggestions } = await ask(await openSearcher(RULES), 'limit neat')
    expect([query.corrected, suggestions]).toEqual([null, ['limit heat']])
    expect((await ask(await openSearcher(RULES), 'neat')).query.corrected).toBe('heat')
  })
})

describe('An unknown word', () => {
  it('is not replaced if a known word begins with it', async () => {
    const library = await openSearcher([
      ruleOf(1, 'Ransomware must be kept out'),
      ruleOf(2, 'Random numbers must be good'),
    ])
    const { query, results } = await ask(library, 'ransom attacks')
    expect([query.corrected, results.map(({ label }) => label)]).toEqual([null, ['Ransomware must be kept out']])
  })

  it('may lack two letters; two other mistakes need a long word with the same beginning', async () => {
    const correctedTo = async (title: string, text: string): Promise<string | null> =>
      (await ask(await openSearcher([ruleOf(1, title)]), text)).query.corrected
    expect(await correctedTo('Firewalls must be on', 'firwals')).toBe('firewalls')
    expect(await correctedTo('Escalation must be off', 'eskalazion')).toBe('escalation')
    expect(await correctedTo('Pots must receive heat', 'recipe')).toBeNull()
    expect(await correctedTo('Google must be off', 'zorgle')).toBeNull()
    expect(await correctedTo('Escalation must be off', 'askalation')).toBeNull()
  })

  it('is corrected to the equally near word that occurs next to its neighbours', async () => {
    const titles = ['Account lockout', 'Logout', 'Logout of kettles', 'Logout of pots']
    const rules = titles.map((title, index) => ruleOf(index + 1, title))
    const { query } = await ask(await openSearcher(rules), 'acount lokout')
    expect(query.corrected).toBe('account lockout')
    expect((await ask(await openSearcher(rules), 'lokout')).query.corrected).toBe('logout')
  })
})
