import { describe, expect, it } from 'vitest'
import { compareRules } from '../../../../src/guidance/catalogue/benchmark-diff/compare.ts'
import { matchRules, withoutRevision } from '../../../../src/guidance/catalogue/benchmark-diff/match.ts'
import type { Rule } from '../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import { readBenchmarks } from '../../../../src/guidance/catalogue/xccdf/reader.ts'
import { xccdfDocument, type SampleRule } from '../../../support/xccdf-document.ts'

function rulesOf(rules: readonly SampleRule[]): readonly Rule[] {
  const bytes = new Uint8Array(Buffer.from(xccdfDocument({ rules })))
  return readBenchmarks(() => [bytes], {})[0]?.benchmark.rules ?? []
}

/** Pairs of rules, each as `before after reason`. */
async function pairs(before: readonly SampleRule[], after: readonly SampleRule[]): Promise<readonly string[]> {
  const found = await matchRules(rulesOf(before), rulesOf(after))
  return found.map((pair) => `${pair.before.ruleId} ${pair.after.ruleId} ${pair.by}`)
}

/** Rules that share nothing but what is given. */
const A: SampleRule = {
  id: 'SV-1r1_rule',
  group: 'V-1',
  version: 'ONE-1',
  requirement: 'SRG-1',
  title: 'alpha beta gamma',
  discussion: 'delta epsilon',
  checks: ['zeta eta theta'],
}
const B: SampleRule = {
  id: 'SV-2r1_rule',
  group: 'V-2',
  version: 'TWO-2',
  requirement: 'SRG-2',
  title: 'kettle cup saucer',
  discussion: 'spoon sugar',
  checks: ['milk lemon honey'],
}

describe('A rule of one release', () => {
  it.for<readonly [string, SampleRule, SampleRule, string | null]>([
    ['rule id without its revision', A, { ...B, id: 'SV-1r777_rule' }, 'rule_id'],
    ['rule id, however it is written', A, { ...B, id: 'xccdf_org.example_rule_SV-1r9_rule' }, 'rule_id'],
    ['legacy id that was its rule id', A, { ...B, legacy: ['SV-1'] }, 'legacy_id'],
    ['legacy id that was its group', A, { ...B, legacy: ['V-1', 'V-99'] }, 'legacy_id'],
    ['legacy id in common', { ...A, legacy: ['V-7'] }, { ...B, legacy: ['V-7'] }, 'legacy_id'],
    ['group', A, { ...B, group: 'V-1' }, 'legacy_id'],
    ['STIG id', A, { ...B, version: 'ONE-1', title: A.title ?? '' }, 'stig_id'],
    ['STIG id, which quite another rule has now', A, { ...B, version: 'ONE-1' }, null],
    [
      'requirement',
      A,
      { ...B, requirement: 'SRG-1', title: 'alpha beta', checks: ['milk lemon gamma'], discussion: A.discussion ?? '' },
      'srg_id',
    ],
    ['requirement, which another rule meets', A, { ...B, requirement: 'SRG-1' }, null],
    [
      'requirement, which is met in another way',
      A,
      { ...B, requirement: 'SRG-1', title: `${A.title ?? ''} kettle`, discussion: A.discussion ?? '' },
      null,
    ],
    ['words', A, { ...B, title: A.title ?? '', checks: A.checks ?? [] }, 'text'],
    ['nothing', A, B, null],
    ['few words', A, { ...B, title: A.title ?? '' }, null],
    ['no version on both sides', { ...A, version: null }, { ...B, version: null }, null],
    ['no requirement on both sides', { ...A, requirement: null }, { ...B, requirement: null }, null],
  ])('is matched in the next by its %s', async ([, before, after, by]) => {
    expect(await pairs([before], [after])).toEqual(by === null ? [] : [`${before.id} ${after.id} ${by}`])
  })

  it('is matched by the most reliable key, even if other keys contradict it', async () => {
    // Everything but the rule ids was exchanged.
    const after = [
      { ...B, id: 'SV-1r2_rule' },
      { ...A, id: 'SV-2r2_rule' },
    ]
    expect([...(await pairs([A, B], after))].sort()).toEqual([
      'SV-1r1_rule SV-1r2_rule rule_id',
      'SV-2r1_rule SV-2r2_rule rule_id',
    ])
  })

  it('is not matched by a key that several rules share', async () => {
    const twice = {
      ...B,
      id: 'SV-3r1_rule',
      group: 'V-3',
      version: 'ONE-1',
      requirement: 'SRG-9',
      title: 'one two three',
      discussion: 'four five six',
      checks: ['seven eight nine'],
    }
    expect(await pairs([A], [{ ...B, version: 'ONE-1' }, twice])).toEqual([])
    expect(await pairs([A, twice], [{ ...B, version: 'ONE-1' }])).toEqual([])
  })

  it('is matched once, with the most similar rule', async () => {
    const near = { ...B, id: 'SV-3r1_rule', title: A.title ?? '', checks: A.checks ?? [] }
    const same = { ...near, id: 'SV-4r1_rule', version: 'X-4', requirement: 'SRG-4' }
    const nearest = { ...same, discussion: A.discussion ?? '' }
    const found = await pairs([A], [{ ...near, version: 'X-3', requirement: 'SRG-3' }, nearest])
    expect(found).toEqual(['SV-1r1_rule SV-4r1_rule text'])
  })
})

/** Text that every rule of a publisher repeats. */
const BOILERPLATE =
  'Failure to keep the kitchen in order allows guests to be harmed. Ask the host for the policy of ' +
  'the house and for its written approval. If there is none, this is a finding.'

/** A rule about one thing, with ids of its own. */
function about(number: number, thing: string): SampleRule {
  return {
    id: `SV-${number}r1_rule`,
    group: `V-${number}`,
    version: `TEA-${number}`,
    requirement: 'SRG-TEA-1',
    title: `The ${thing} of the kitchen must be in order.`,
    discussion: BOILERPLATE,
    checks: [`Look at the ${thing}. ${BOILERPLATE}`],
    fix: `Put the ${thing} in order. ${BOILERPLATE}`,
  }
}

const THINGS = 'kettle spoon saucer whisk ladle grater sieve funnel peeler tongs'.split(' ')
const SHELF = THINGS.map((thing, index) => about(index + 1, thing))

describe('Removed and added rules', () => {
  it('are not matched by text that all rules share', async () => {
    const found = await pairs([...SHELF, about(50, 'oven')], [...SHELF, about(60, 'toaster')])
    expect(found.filter((pair) => !pair.endsWith('rule_id'))).toEqual([])
  })

  it('are not matched if their subjects differ', async () => {
    const client = { ...about(50, 'oven'), title: 'The client of the oven must not whistle.' }
    const server = { ...about(60, 'oven'), title: 'The server of the oven must not whistle.' }
    const others = [
      { ...about(70, 'client'), checks: ['client'] },
      { ...about(71, 'server'), checks: ['server'] },
    ]
    expect(await pairs([...others, client], [...others, server])).toHaveLength(2)
  })

  it('are not matched if one is most similar to a rule that remains', async () => {
    const stays = { ...about(50, 'oven'), title: 'The oven must be clean inside and outside.' }
    const gone = { ...about(51, 'oven'), title: 'The oven must be clean inside.' }
    const fresh = { ...about(61, 'oven'), title: 'The oven must be clean outside and inside.' }
    const found = await pairs([...SHELF, stays, gone], [...SHELF, stays, fresh])
    expect(found.filter((pair) => !pair.endsWith('rule_id'))).toEqual([])
  })

  it('are matched if all ids have changed', async () => {
    const renamed = THINGS.toReversed().map((thing, index) => ({
      ...about(index + 100, thing),
      checks: [`Look at the ${thing} in the morning. ${BOILERPLATE}`],
    }))
    const found = await pairs(SHELF, renamed)
    expect(found.toSorted()).toEqual(
      THINGS.map((_thing, index) => `SV-${index + 1}r1_rule SV-${109 - index}r1_rule text`).sort(),
    )
  })
})

describe('The stable part of a rule id', () => {
  it.each([
    ['SV-257777r991589_rule', 'SV-257777'],
    ['SV-257777_rule', 'SV-257777'],
    ['xccdf_mil.disa.stig_rule_SV-257777r1_rule', 'SV-257777'],
    ['SV-1r2_dep', 'SV-1'],
    ['SV-1', 'SV-1'],
    ['rule', 'rule'],
    ['', ''],
  ])('of %s is %s', (ruleId, stays) => {
    expect(withoutRevision(ruleId)).toBe(stays)
  })
})

describe('The differences between two releases', () => {
  const changesOf = async (before: SampleRule, after: SampleRule) =>
    (await compareRules(rulesOf([before]), rulesOf([after])))[0]

  it.each<readonly [string, Partial<SampleRule>]>([
    ['blanks', { title: '  alpha  beta\n gamma ', discussion: 'delta\t\n epsilon  ' }],
    ['the revision of a rule', { id: 'SV-1r2_rule', fix: 'Shut it.' }],
    ['the order of ids', { cci: ['CCI-2', 'CCI-1'], legacy: ['V-8', 'V-7'] }],
    ['line ends', { checks: ['zeta eta\r\n\r\ntheta'] }],
  ])('are empty apart from %s', async (_what, change) => {
    const ids = { cci: ['CCI-1', 'CCI-2'], legacy: ['V-7', 'V-8'], fix: 'Shut it.' }
    expect(await changesOf({ ...A, ...ids }, { ...A, ...ids, ...change })).toMatchObject({
      status: 'unchanged',
      matchedBy: 'rule_id',
      changes: [],
    })
  })

  it.for<readonly [string, Partial<SampleRule>, string | null, string | null]>([
    ['rule_id', { id: 'SV-5r2_rule' }, 'SV-1', 'SV-5'],
    ['vuln_id', { group: 'V-3' }, 'V-1', 'V-3'],
    ['srg_id', { requirement: null }, 'SRG-1', null],
    ['version', { version: 'ONE-2' }, 'ONE-1', 'ONE-2'],
    ['title', { title: 'alpha BETA' }, 'alpha beta gamma', 'alpha BETA'],
    ['rule_severity', { severity: 'high' }, 'medium', 'high'],
    ['rule_weight', { weight: '1.0' }, '10.0', '1.0'],
    ['ident', { cci: ['CCI-2', 'CCI-1'] }, 'CCI-000366', 'CCI-1, CCI-2'],
    ['legacy_ids', { legacy: ['V-9'] }, null, 'V-9'],
    ['vuln_discussion', { discussion: 'new' }, 'delta epsilon', 'new'],
    ['documentable', { documentable: 'true' }, 'false', 'true'],
    ['check_content', { checks: ['a', 'b'] }, 'zeta eta theta', 'a\n\nb'],
    ['fixtext', { fix: null }, 'Shut it.', null],
  ])('include a change of %s', async ([field, change, before, after]) => {
    const [old, young] = [
      { ...A, fix: 'Shut it.' },
      { ...A, fix: 'Shut it.', ...change },
    ]
    const found = await changesOf(old, young)
    expect(found?.status).toBe('changed')
    expect(found?.changes.filter((entry) => entry.field === field)).toEqual([{ field, before, after }])
    expect(found?.changes).toHaveLength(1)
  })

  it('list existing rules in their order, then removed rules', async () => {
    const C = { ...B, id: 'SV-3r1_rule', group: 'V-3', version: 'C', requirement: 'SRG-3', title: 'x' }
    const gone = { ...C, id: 'SV-4r1_rule', group: 'V-4', version: 'D', requirement: 'SRG-4' }
    const fresh = { ...A, discussion: 'one two three four', checks: ['five six'], title: 'seven' }
    const found = await compareRules(
      rulesOf([{ ...gone, discussion: 'quite other words', checks: ['here'] }, A, B]),
      rulesOf([B, { ...fresh, id: 'SV-9r1_rule', group: 'V-9', version: 'E', requirement: 'SRG-9' }, A]),
    )
    expect(found.map(({ status, before, after }) => [status, before?.ruleId, after?.ruleId])).toEqual([
      ['unchanged', 'SV-2r1_rule', 'SV-2r1_rule'],
      ['added', undefined, 'SV-9r1_rule'],
      ['unchanged', 'SV-1r1_rule', 'SV-1r1_rule'],
      ['removed', 'SV-4r1_rule', undefined],
    ])
  })
})
