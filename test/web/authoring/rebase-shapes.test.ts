import { describe, expect, it } from 'vitest'
import {
  choiceOf,
  countChoices,
  decideAll,
  madeItems,
  itemsOf,
  matchingItems,
  rebaseOf,
  type Choice,
  type Preview,
} from '../../../src/web/application/release/rebase/decisions.ts'
import { groupSrgs } from '../../../src/web/application/release/rebase/srgs.ts'

const NONE = { requirement_changes: [], text_changes: [], other_changes: [] }
const CHANGE = { field: 'title', before: 'old', after: '<b>new</b>' }

function rule(id: number, how: Partial<Preview['rules'][number]>): Preview['rules'][number] {
  return {
    id,
    rule_id: `PNGN-01-00000${id}`,
    title: `Title ${id}`,
    requirement: `SRG-${id}`,
    status: 'Not Yet Determined',
    choices: ['take', 'keep'],
    ...NONE,
    ...how,
  }
}

const ITEMS = itemsOf({
  rules: [
    rule(1, { requirement_changes: [CHANGE], text_changes: [CHANGE] }),
    rule(2, { choices: ['remove', 'keep'] }),
    rule(3, { text_changes: [CHANGE] }),
  ],
  added: [{ id: 9, requirement: 'SRG-9', title: 'Added', texts: [] }],
})

describe('Decisions on a new SRG', () => {
  it('concern changed, removed, added or rewritten requirements, and are found by words', () => {
    expect(ITEMS.map(({ kind }) => kind)).toEqual(['changed', 'new', 'gone', 'written'])
    const found = (kind: string, text: string): readonly number[] =>
      matchingItems(ITEMS, { kind, text }).map(({ id }) => id)
    expect(found('', '')).toEqual([1, 9, 2, 3])
    expect(found('new', '')).toEqual([9])
    expect(found('', '<B>NEW')).toEqual([1, 3])
    expect(found('gone', 'new')).toEqual([])
  })

  it('have defaults until one or many are decided', () => {
    const some = new Map<string, Choice>([['rule 1', 'keep']])
    expect(ITEMS.map((item) => choiceOf(item, some))).toEqual(['keep', 'add', 'remove', 'take'])
    const ours = new Map(decideAll(ITEMS, 'ours'))
    expect(ITEMS.map((item) => choiceOf(item, ours))).toEqual(['keep', 'leave out', 'keep', 'keep'])
    expect(countChoices(ITEMS, ours)).toEqual({ keep: 3, take: 0, remove: 0, add: 0, 'leave out': 1 })
    expect(rebaseOf(ITEMS, ours)).toEqual({ rules: { 1: 'keep', 2: 'keep', 3: 'keep' }, leave_out: [9] })
    expect(rebaseOf(ITEMS, new Map(decideAll(ITEMS, 'theirs')))).toEqual({
      rules: { 1: 'take', 2: 'remove', 3: 'take' },
      leave_out: [],
    })
  })

  it('that no longer fit do not count', () => {
    const [first] = ITEMS
    const odd = new Map<string, Choice>([['rule 1', 'leave out']])
    expect(first === undefined ? null : choiceOf(first, odd)).toBe('take')
  })

  it('lead to the rules of the copy with any prefix', () => {
    const copiedRules = [1, 3, 4].map((number) => ({
      id: 100 + number,
      displayed_name: `PNGN-02-00000${number}`,
      rule_id: `00000${number}`,
      version: number === 4 ? 'SRG-9' : `SRG-${number}`,
    }))
    expect(madeItems(ITEMS, new Map(), copiedRules).map(({ choice, rule: name }) => [choice, name])).toEqual([
      ['take', 'PNGN-02-000001'],
      ['add', 'PNGN-02-000004'],
      ['remove', null],
      ['take', 'PNGN-02-000003'],
    ])
  })
})

describe('The SRGs that a component can be based on', () => {
  it('are first the newer releases of its SRG, then others of its kind', () => {
    const srg = (id: number, srg_id: string, core = false) => ({ id, srg_id, title: srg_id, version: `V${id}`, core })
    const srgs = [srg(4, 'DB'), srg(1, 'OS'), srg(2, 'OS'), srg(3, 'OS'), srg(5, 'Core', true)]
    const { newer, all } = groupSrgs(srgs, 1)
    expect(newer.map(({ id }) => id)).toEqual([3, 2])
    expect(all.map(({ name, members }) => [name, members.map(({ id }) => id)])).toEqual([
      ['Newer releases', [3, 2]],
      ['Other SRGs', [4]],
    ])
    expect(groupSrgs(srgs, 99).all).toEqual([])
  })
})
