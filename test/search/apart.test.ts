import { describe, expect, it } from 'vitest'
import type { RuleBenchmark } from '../../src/contracts/sources.ts'
import { ask, given } from './in-memory.ts'
import { ruleOf } from './small.ts'

const URN: RuleBenchmark = { id: 2, kind: 'stig', benchmarkId: 'Urn_9_STIG', title: 'Acme Urn 9 STIG', version: 'V1R2' }
const RULES = [ruleOf(1, 'Samovar must limit heat'), ruleOf(2, 'Telnet must be off')]

describe('Rules of one benchmark', () => {
  it('are two where their titles differ in more than what the product is called', async () => {
    const rules = [
      ruleOf(1, 'Samovar /etc/heat file must be owned by root'),
      ruleOf(2, 'Samovar "/etc/heat-" file must be owned by root.'),
      ruleOf(3, 'The Acme Urn 9 "/etc/heat" file must be owned by root.', { benchmark: URN }),
      ruleOf(4, 'The Acme Urn 9 /etc/heat- file must be owned by root.', { benchmark: URN }),
    ]
    const { results } = await ask(await given(rules), 'owner of /etc/heat', { kinds: ['rule'] })
    expect(results.map(({ folded }) => folded.count)).toEqual([0, 0, 0, 0])
    const titled = rules.map(({ match, texts }) => {
      const title = match.title.replace('The Acme', 'Acme')
      return { match: { ...match, title }, texts: texts.map((one) => ({ ...one, text: title })) }
    })
    const found = await ask(await given(titled), 'owner of /etc/heat', { kinds: ['rule'] })
    expect(found.results.map(({ folded }) => folded.count)).toEqual([1, 1])
  })
})

describe('An identifier without what separates its parts', () => {
  const rule = ruleOf(1, 'Samovar must limit heat', { names: ['SAM-09-000320', 'SV-700001r1_rule'] })
  it.for(['sam09000320', 'SAM-09000320', 'sam 09000320', 'SAM09000320 heat'])('is found as %s', async (text) => {
    const { results } = await ask(await given([rule, ruleOf(2, 'Telnet must be off')]), text)
    expect(results[0]?.id).toBe('SAM-09-000320')
  })

  it('that nothing has is unknown', async () => {
    expect((await ask(await given([rule]), 'sam09000321')).query.unknown).toBe('sam09000321')
  })
})

describe('An identifier that nothing has', () => {
  it('has neighbours in the newest release where older ones have the same', async () => {
    const older = { ...URN, id: 9, version: 'V0R9' }
    const names = ['URN-09-000320']
    const rules = [ruleOf(1, 'Heat', { names, benchmark: older }), ruleOf(2, 'Heat', { names })]
    const { query, results } = await ask(await given(rules), 'URN-09-000999')
    expect(query.unknown).toBe('URN-09-000999')
    expect(results.map(({ benchmark }) => benchmark?.version)).toEqual(['V1R1'])
  })

  it.for(['D3-ZZZ', 'd3-zzz'])('may be one of a technique: %s', async (text) => {
    const { query, results } = await ask(await given([]), text)
    expect(query.unknown).toBe(text)
    expect(results.map(({ id }) => id)).toContain('D3-AL')
  })
})

describe('A product', () => {
  it('is also called by the initials before its number', async () => {
    const named = { ...URN, title: 'Acme Water Urn 9 STIG' }
    const rules = [ruleOf(1, 'Heat is kept'), ruleOf(2, 'Heat is kept', { benchmark: named })]
    for (const text of ['wu9 heat', 'awu9 heat', 'heat']) {
      const { results } = await ask(await given(rules), text, { isFolded: false })
      expect(results[0]?.id).toBe(text === 'heat' ? 'SV-700001' : 'SV-700002')
    }
  })
})

describe('A word that hardly any record has', () => {
  const urns = Array.from({ length: 10 }, (_, at) => ruleOf(at + 1, `Kettle ${at} must whistle`))

  it('may be mistyped there as well: what it was likely meant to be is looked for beside it, and offered', async () => {
    const mistyped = ruleOf(11, 'Samovars are kept', { fix: 'Fill the ketle.' })
    const { query, results, suggestions } = await ask(await given([...urns, mistyped]), 'ketle', { isFolded: false })
    expect([query.corrected, suggestions]).toEqual([null, ['kettle']])
    expect(results).toHaveLength(11)
  })

  it('is meant as it is where the other is as rare, begins otherwise, or more letters differ', async () => {
    const offered = async (word: string, rules = urns): Promise<readonly string[]> =>
      (await ask(await given([...rules, ruleOf(11, 'Samovars', { fix: word })]), word)).suggestions
    expect(await offered('ketle', urns.slice(1))).toEqual([])
    expect(await offered('settle')).toEqual([])
    expect(await offered('kttl')).toEqual([])
    expect(await offered('ketttlle')).toEqual([])
  })
})

describe('A short word that begins like no other', () => {
  it('is only offered another one while the others find something', async () => {
    const { query, suggestions } = await ask(await given(RULES), 'limit neat')
    expect([query.corrected, suggestions]).toEqual([null, ['limit heat']])
    expect((await ask(await given(RULES), 'neat')).query.corrected).toBe('heat')
  })
})

describe('A word that no record has', () => {
  it('is not replaced where it begins a known word', async () => {
    const library = await given([ruleOf(1, 'Ransomware must be kept out'), ruleOf(2, 'Random numbers must be good')])
    const { query, results } = await ask(library, 'ransom attacks')
    expect([query.corrected, results.map(({ label }) => label)]).toEqual([null, ['Ransomware must be kept out']])
  })

  it('may lack two letters of what it was meant to be; other two mistakes need a long word with the same beginning', async () => {
    const correctedTo = async (title: string, text: string): Promise<string | null> =>
      (await ask(await given([ruleOf(1, title)]), text)).query.corrected
    expect(await correctedTo('Firewalls must be on', 'firwals')).toBe('firewalls')
    expect(await correctedTo('Escalation must be off', 'eskalazion')).toBe('escalation')
    expect(await correctedTo('Pots must receive heat', 'recipe')).toBeNull()
    expect(await correctedTo('Google must be off', 'zorgle')).toBeNull()
    expect(await correctedTo('Escalation must be off', 'askalation')).toBeNull()
  })

  it('is, of words that are as near, the one that is said beside its neighbours', async () => {
    const titles = ['Account lockout', 'Logout', 'Logout of kettles', 'Logout of pots']
    const rules = titles.map((title, at) => ruleOf(at + 1, title))
    const { query } = await ask(await given(rules), 'acount lokout')
    expect(query.corrected).toBe('account lockout')
    expect((await ask(await given(rules), 'lokout')).query.corrected).toBe('logout')
  })
})
