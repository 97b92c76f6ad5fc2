import { describe, expect, it } from 'vitest'
import { matchRules, type NamedRule } from '../../../../../src/guidance/interchange/merges/planning/match-rules.ts'
import type { FileRule } from '../../../../../src/guidance/interchange/merges/reading/merge-file.ts'

function ruleOf(number: number, other: Partial<NamedRule> = {}): NamedRule {
  return {
    id: number,
    prefix: 'TEAP-00',
    number,
    version: `SRG-TEA-${number}`,
    title: `Title ${number}`,
    document_type: 'stig',
    vuln_id: null,
    source_rule_id: null,
    legacy_ids: null,
    ...other,
  }
}

function rowOf(other: Partial<FileRule>): FileRule {
  return { place: 'Row 2', srgId: '', stigId: '', values: {}, ...other }
}

/** The numbers of the matched rules in the order of the file, the reasons of the others, and the missing rules. */
function matchOf(rules: readonly NamedRule[], rows: readonly Partial<FileRule>[]) {
  const { matched, unmatched, missing } = matchRules(rules, rows.map(rowOf))
  return {
    matched: matched.map(({ rule }) => rule.number),
    renumbered: matched.filter(({ isRenumbered }) => isRenumbered).map(({ rule }) => rule.number),
    unmatched: unmatched.map(({ reason }) => reason),
    missing: missing.map(({ number }) => number),
  }
}

const SAME_REQUIREMENT = { version: 'SRG-TEA-9' }
const TWINS = [ruleOf(1, SAME_REQUIREMENT), ruleOf(2, SAME_REQUIREMENT)]

describe('A rule of a merged file', () => {
  it.each<[string, readonly NamedRule[], Partial<FileRule>, number]>([
    ['its STIG id', TWINS, { stigId: 'TEAP-00-000002' }, 2],
    ['its STIG id in lower case and without leading zeros', TWINS, { stigId: ' teap-00-2 ' }, 2],
    ['its STIG id and SRG id', TWINS, { stigId: 'TEAP-00-000002', srgId: 'SRG-TEA-9' }, 2],
    ['its SRG id if one rule has it', [ruleOf(1), ruleOf(2)], { srgId: 'SRG-TEA-2' }, 2],
    ['its SRG id and title', TWINS, { srgId: 'SRG-TEA-9', stigId: 'X-1', values: { title: 'Title  2 ' } }, 2],
    ['its SRG id and the title of a control', TWINS, { srgId: 'SRG-TEA-9', stigId: 'X-1', title: 'Title 2' }, 2],
    ['the number of a group', [ruleOf(1, { vuln_id: 'V-1' }), ruleOf(2)], { numbers: ['V-1'] }, 1],
    [
      'the number of a published rule',
      [ruleOf(1), ruleOf(2, { source_rule_id: 'SV-25r7_rule' })],
      { numbers: ['SV-25'] },
      2,
    ],
    ['another revision', [ruleOf(1), ruleOf(2, { source_rule_id: 'SV-2' })], { numbers: [' sv-2R81_RULE '] }, 2],
    ['a revision without suffix', [ruleOf(1), ruleOf(2, { source_rule_id: 'SV-2' })], { numbers: ['SV-2r8'] }, 2],
    ['an earlier number', [ruleOf(1, { legacy_ids: 'V-7, V-8' }), ruleOf(2)], { numbers: ['V-0', 'V-8'] }, 1],
    ['the number that exports write for its group', TWINS, { numbers: ['V-TEAP-00-000002'] }, 2],
    ['the number that exports write for it', TWINS, { numbers: ['SV-TEAP-00-000001r1_rule', 'SV-TEAP-00-000001'] }, 1],
  ])('is found by %s', (_way, rules, row, number) => {
    expect(matchOf(rules, [row])).toMatchObject({ matched: [number], unmatched: [] })
  })

  it.each<[string, readonly NamedRule[], Partial<FileRule>, string]>([
    ['with ids that no rule has', [ruleOf(1)], { stigId: 'TEAP-00-000009', srgId: 'SRG-TEA-8' }, 'unknown'],
    ['without ids', [ruleOf(1, { version: null })], {}, 'unknown'],
    [
      'whose number two rules have',
      TWINS.map((twin) => ({ ...twin, vuln_id: 'V-1' })),
      { numbers: ['V-1'] },
      'unknown',
    ],
    ['with an empty number', [ruleOf(1)], { numbers: [''] }, 'unknown'],
    ['whose revision is no number', [ruleOf(1, { vuln_id: 'SV-2' })], { numbers: ['SV-2rX'] }, 'unknown'],
    ['whose number has more before it', [ruleOf(1, { vuln_id: 'X-SV-2' })], { numbers: ['X-SV-2r1'] }, 'unknown'],
    ['whose number goes on', [ruleOf(1, { vuln_id: 'SV-2_X' })], { numbers: ['SV-2r1_rule_x'] }, 'unknown'],
    ['with an SRG id of two rules', TWINS, { srgId: 'SRG-TEA-9' }, 'ambiguous'],
    [
      'with an SRG id of two rules that have its title',
      TWINS.map((twin) => ({ ...twin, title: 'Title' })),
      { srgId: 'SRG-TEA-9', title: 'Title' },
      'ambiguous',
    ],
    ['with the SRG id of another rule', [ruleOf(1)], { stigId: 'TEAP-00-000001', srgId: 'SRG-TEA-8' }, 'contradiction'],
  ])('is not matched %s', (_row, rules, row, reason) => {
    expect(matchOf(rules, [row])).toMatchObject({
      matched: [],
      unmatched: [reason],
      missing: rules.map(({ number }) => number),
    })
  })

  it('gets the last rule of its SRG id that is left, without a STIG id', () => {
    const rows = [{ srgId: 'SRG-TEA-9' }, { stigId: 'TEAP-00-000001' }]
    expect(matchOf(TWINS, rows)).toMatchObject({ matched: [2, 1], missing: [] })
  })

  it('with an unknown STIG id does not get the last rule of its SRG id', () => {
    const rows = [{ srgId: 'SRG-TEA-9', stigId: 'X-1' }, { stigId: 'TEAP-00-000001' }]
    expect(matchOf(TWINS, rows)).toMatchObject({ matched: [1], unmatched: ['ambiguous'], missing: [2] })
  })

  it('is repeated if an earlier one has its rule', () => {
    const rows = [{ stigId: 'TEAP-00-000001' }, { stigId: 'TEAP-00-1' }, { numbers: ['V-1'] }]
    const rules = [ruleOf(1, { vuln_id: 'V-1' }), ruleOf(2)]
    expect(matchOf(rules, rows)).toMatchObject({ matched: [1], unmatched: ['repeated', 'repeated'], missing: [2] })
  })

  it('is unknown if an earlier one has the only rule of its SRG id', () => {
    const rows = [{ srgId: 'SRG-TEA-1' }, { srgId: 'SRG-TEA-1', stigId: 'X-1' }]
    expect(matchOf([ruleOf(1)], rows)).toMatchObject({ matched: [1], unmatched: ['unknown'] })
  })

  it('is not matched by SRG id if its STIG id names a rule', () => {
    const rows = [
      { stigId: 'TEAP-00-000001' },
      { stigId: 'TEAP-00-000001', srgId: 'SRG-TEA-1', numbers: ['V-TEAP-00-000002'] },
    ]
    expect(matchOf([ruleOf(1), ruleOf(2)], rows)).toMatchObject({ matched: [1], unmatched: ['repeated'], missing: [2] })
  })

  it('is found by a number rather than by an SRG id', () => {
    const rows = [{ srgId: 'SRG-TEA-1' }, { srgId: 'SRG-TEA-2', numbers: ['V-TEAP-00-000001'] }]
    expect(matchOf([ruleOf(1), ruleOf(2)], rows)).toMatchObject({
      matched: [1],
      unmatched: ['unknown'],
      missing: [2],
    })
  })

  it.each<[string, Partial<NamedRule>, string, readonly number[]]>([
    ['another one', {}, 'X-1', [1]],
    ['the same one, written otherwise', {}, 'teap-00-1', []],
    ['none', {}, '', []],
    ['another one in an SRG', { document_type: 'srg' }, 'X-1', []],
  ])('is renumbered by its STIG id: %s', (_name, rule, stigId, renumbered) => {
    expect(matchOf([ruleOf(1, rule)], [{ srgId: 'SRG-TEA-1', stigId }])).toMatchObject({ matched: [1], renumbered })
  })
})
