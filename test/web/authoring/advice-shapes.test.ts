import { describe, expect, it } from 'vitest'
import {
  findAgain,
  groupByCode,
  withSuggestion,
  shapeServiceFindings,
  shapeOwnFindings,
  type AdviceItem,
} from '../../../src/web/application/editor/advice/advice-items.ts'
import {
  formField,
  shapeWrittenRule,
  type AdvisedRule,
} from '../../../src/web/application/editor/advice/advised-rule.ts'
import { markedTexts, shiftRanges, splitText } from '../../../src/web/application/editor/advice/marked-text.ts'
import { adviseOn } from '../../../src/wording/advise.ts'

const RULE: AdvisedRule = {
  checks_attributes: [{ id: 7 }, { id: 9 }],
  satisfied_by: [],
  srg_rule_attributes: { rule_severity: 'medium', vuln_discussion: 'Tea\r\nis hot.' },
}

const VALUES = {
  status: 'Applicable - Configurable',
  rule_severity: 'medium',
  title: 'The pot should pour.',
  vuln_discussion: 'Attackers pour tea.\r\nIt’s hot.',
  content: 'Verify tea.\r\nIf it is cold, this is a finding.',
  'content#9': 'Verify the pot.\r\nThen you should pour the tea.',
  fixtext: 'Set tea in the pot.',
}

const TOLD: AdviceItem = {
  code: 'other_rule',
  rule: 'Each.',
  field: 'fixtext',
  start: 4,
  end: 7,
  quote: 'tea',
  message: 'Also there.',
  suggestion: null,
}

describe('A rule that is being written', () => {
  it('is read as its form has it, with the lines of a text area', () => {
    const written = shapeWrittenRule(VALUES, RULE, 'stig')
    expect(written.checks).toEqual([
      { id: 7, content: 'Verify tea.\nIf it is cold, this is a finding.' },
      { id: 9, content: 'Verify the pot.\nThen you should pour the tea.' },
    ])
    expect(written.texts.vuln_discussion).toBe('Attackers pour tea.\nIt’s hot.')
    expect(written.requirement).toEqual({ severity: 'medium', discussion: 'Tea\nis hot.' })
    expect(written.isSatisfied).toBe(false)
    expect(shapeWrittenRule(VALUES, { ...RULE, satisfied_by: [{}] }, 'srg').isSatisfied).toBe(true)
  })

  it('has a check before it is saved first', () => {
    const { checks } = shapeWrittenRule({ content: 'Look.' }, { ...RULE, checks_attributes: [] }, 'stig')
    expect(checks).toEqual([{ id: null, content: 'Look.' }])
  })

  it('gets advice in the fields of the form, with the words concerned', () => {
    const items = shapeOwnFindings(adviseOn(shapeWrittenRule(VALUES, RULE, 'stig')), VALUES, RULE)
    const ranges = items.map(({ code, field, quote }) => `${code} ${field} ${quote}`)
    expect(ranges).toContain('title_should title should')
    expect(ranges).toContain('plain_quotes vuln_discussion ’')
    expect(ranges).toContain('check_word content#9 should')
    expect(groupByCode(items).flatMap((group) => group.items)).toHaveLength(items.length)
  })

  it('has checks by their numbers, and the first for a finding without', () => {
    const fieldOf = (checkId: number | null): string => formField({ field: 'check_content', checkId }, RULE)
    expect([7, 9, null].map(fieldOf)).toEqual(['content', 'content#9', 'content'])
  })
})

describe('Advice that only the service gives', () => {
  it('is kept from its answer, with the words concerned', () => {
    const heard = { ...TOLD, check_id: 9, field: 'check_content', start: 16, end: 23 }
    const items = shapeServiceFindings([heard, { ...heard, code: 'title_must' }], VALUES, RULE)
    expect(items.map(({ code, field, quote }) => [code, field, quote])).toEqual([
      ['other_rule', 'content#9', '\nThen y'],
    ])
  })

  it.each([
    ['stays', 'Set tea.', [4]],
    ['follows its words', 'Now set the tea.', [12]],
    ['takes the nearest of several', 'tea tea tea', [4]],
    ['ends with its words', 'Set coffee.', []],
  ])('%s', (_, fixtext, starts) => {
    expect(findAgain([TOLD], { fixtext }).map(({ start }) => start)).toEqual(starts)
  })

  it.each([
    ['The marshall shall pour.', 4, 'The marshall must pour.'],
    ['shall', 0, 'must'],
    ['The marshall pours.', 4, null],
  ])('puts %j right without a cut in a word', (text, start, replaced) => {
    const item: AdviceItem = { ...TOLD, start, quote: 'shall', suggestion: 'must' }
    expect(withSuggestion(text, item)).toBe(replaced)
  })
})

describe('Places that are underlined', () => {
  const itemAt = (start: number, end: number): AdviceItem => ({ ...TOLD, start, end })

  it('are in order, joined where they touch, and in fields that have some', () => {
    const items = [itemAt(8, 9), itemAt(0, 3), itemAt(2, 5), itemAt(5, 6), itemAt(7, 7)]
    const marked = markedTexts(items, { fixtext: 'abcdefghij', title: 'x' })
    expect([...marked.keys()]).toEqual(['fixtext'])
    const pieces = marked.get('fixtext')
    expect(pieces && splitText(pieces).map(({ text }) => text)).toEqual(['', 'abcdef', 'gh', 'i', 'j'])
  })

  it.each([
    ['stay before what is written', 'one two thrXee', ['one', 'two']],
    ['move behind it', 'X one two three', ['one', 'two']],
    ['end where it is', 'one tXwo three', ['one']],
    ['move back when something is taken away', 'two three', ['two']],
    ['stay when the same letter comes again', 'one two threee', ['one', 'two']],
    ['end with the text', '', []],
  ])('%s', (_, now, words) => {
    const ranges = [
      { start: 0, end: 3 },
      { start: 4, end: 7 },
    ]
    const found = shiftRanges({ text: 'one two three', ranges }, now)
    expect(found.map(({ start, end }) => now.slice(start, end))).toEqual(words)
  })
})
