import { describe, expect, it } from 'vitest'
import { adviseOnControls, type CitedControls } from '../../src/wording/controls.ts'
import type { WrittenRule } from '../../src/wording/rule.ts'
import { SentenceIndex } from '../../src/wording/sentence-index.ts'

const SAME = 'Pouring tea without any limit lets somebody flood the whole kitchen with it.'
const MORE = 'Whoever then slips on the wet floor will not be able to reach the stove.'

function rule(discussion: string, given: string | null = null): WrittenRule {
  return {
    documentType: 'stig',
    status: 'Applicable - Configurable',
    isSatisfied: false,
    severity: 'medium',
    title: 'Tea.',
    checks: [],
    texts: { vuln_discussion: discussion },
    requirement: given === null ? null : { severity: 'medium', discussion: given },
  }
}

function foundIn(...rules: readonly WrittenRule[]): readonly (readonly string[])[] {
  const sentences = new SentenceIndex()
  rules.forEach((written, id) => {
    sentences.set({ id, name: `T-${id}` }, written)
  })
  return rules.map((written, id) =>
    sentences.findingsIn(id).map(({ start, end, message }) => {
      const text = written.texts.vuln_discussion ?? ''
      return `${text.slice(start, end)} | ${message}`
    }),
  )
}

describe('Sentences of several rules', () => {
  it('are reported in each text, neighbours together', () => {
    expect(foundIn(rule(`Hm. ${SAME} ${MORE}`), rule(`${SAME} ${MORE} Hm.`))).toEqual([
      [`${SAME} ${MORE} | The same words are in T-1.`],
      [`${SAME} ${MORE} | The same words are in T-0.`],
    ])
  })

  it('are apart where something else is between, or other rules have them', () => {
    expect(foundIn(rule(`${SAME} Hm. ${MORE}`), rule(SAME), rule(MORE))[0]).toEqual([
      `${SAME} | The same words are in T-1.`,
      `${MORE} | The same words are in T-2.`,
    ])
  })

  it.each([
    ['in many rules', [rule(SAME), rule(SAME), rule(SAME), rule(SAME)]],
    ['of the SRG', [rule(SAME, SAME), rule(SAME, `Hm. ${SAME}`)]],
    ['too short', [rule('Tea is hot and wet.'), rule('Tea is hot and wet.')]],
    ['twice in one rule', [rule(`${SAME} ${SAME}`)]],
    ['not the author’s', [{ ...rule(SAME), status: 'Not Applicable' }, rule(SAME)]],
  ])('are left alone: %s', (_, rules) => {
    expect(foundIn(...rules).flat()).toEqual([])
  })
})

it('forget sentences that a rule no longer has', () => {
  const sentences = new SentenceIndex()
  sentences.set({ id: 1, name: 'T-1' }, rule(SAME))
  sentences.set({ id: 2, name: 'T-2' }, rule(SAME))
  expect(sentences.findingsIn(1)).toHaveLength(1)
  sentences.set({ id: 2, name: 'T-2' }, rule(MORE))
  expect(sentences.findingsIn(1)).toEqual([])
  sentences.set({ id: 2, name: 'T-2' }, rule(SAME))
  sentences.delete(2)
  expect(sentences.findingsIn(1)).toEqual([])
})

const CONTROLS = new Map([
  ['CCI-000015', 'AC-2 (1)'],
  ['CCI-000366', 'CM-6 b'],
  ['CCI-000044', 'AC-7 a'],
  ['CCI-001891', 'AU-8 (1) (a)'],
  ['CCI-004923', 'SC-45 (1) (a)'],
])

describe('CCIs', () => {
  const cited = (part: Partial<CitedControls>): readonly (readonly [string, number])[] =>
    adviseOnControls({ ident: '', required: [], iaControls: '', ...part, controlOf: (cci) => CONTROLS.get(cci) }).map(
      ({ code, start }) => [code, start],
    )

  it.each<[string, Partial<CitedControls>, readonly (readonly [string, number])[]]>([
    ['of the control', { ident: 'CCI-000015', required: ['CCI-000015'] }, []],
    [
      'of another control',
      { ident: 'CCI-001891, CCI-000044', required: ['CCI-000015'] },
      [
        ['cci_control', 0],
        ['cci_control', 12],
      ],
    ],
    ['that nobody knows', { ident: 'CCI-000015, CCI-999999' }, [['cci_unknown', 12]]],
    ['of a setting', { ident: 'CCI-000366', required: ['CCI-000015'] }, []],
    ['where the requirement is any setting', { ident: 'CCI-000015', required: ['CCI-000366'] }, []],
    ['of a control that has moved', { ident: 'CCI-001891', required: ['CCI-004923'] }, []],
    [
      'beside one that fits, because the rule does more',
      { ident: 'CCI-000015, CCI-000044', required: ['CCI-000015'] },
      [],
    ],
    [
      'that do not fit what the author says',
      { ident: 'CCI-000015', required: ['CCI-000015'], iaControls: 'AC-7' },
      [['cci_control', 0]],
    ],
  ])('%s', (_, part, expected) => {
    expect(cited(part)).toEqual(expected)
  })
})
