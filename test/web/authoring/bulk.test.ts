import { describe, expect, it } from 'vitest'
import { bindingsWith, chordOf, commandFor } from '../../../src/web/application/editor/keys/commands.ts'
import { filterRows, nestSatisfied, sortRows, type Row } from '../../../src/web/application/editor/list/rows.ts'
import {
  changeableRows,
  planEdit,
  editSteps,
  undoSteps,
  type BulkEdit,
} from '../../../src/web/application/editor/tools/bulk.ts'
import { srgIdsIn } from '../../../src/web/application/editor/tools/srg-ids.ts'

const ROW: Row = {
  id: 1,
  rule_id: '000001',
  displayed_name: 'TEAP-00-000001',
  title: 'Lid',
  version: null,
  status: 'Not Yet Determined',
  rule_severity: 'medium',
  locked: false,
  justified: false,
  locked_fields: {},
  review_requestor_id: null,
  changes_requested: false,
  comment_summary: { open: 0, total: 0 },
}
const ROWS: readonly Row[] = [
  ROW,
  { ...ROW, id: 2, rule_id: '000002', locked: true },
  { ...ROW, id: 3, rule_id: '000003', rule_severity: 'low', locked_fields: { Severity: true } },
  { ...ROW, id: 4, rule_id: '000004', rule_severity: 'high', title: 'Spout' },
]
const NOTHING: BulkEdit = {
  status: null,
  severity: null,
  justification: null,
  needsJustification: false,
  locked: null,
  sections: [],
  isSectionLock: true,
}
const FILTER = { q: '', status: '', severity: '', lock: '', review: '', comments: '', advice: '' }

function ids(rows: readonly Row[]): readonly number[] {
  return rows.map(({ id }) => id)
}

describe('A change of many rules', () => {
  it('leaves out locked rules and rules with the same value, with the reason', () => {
    const plan = planEdit(ROWS, { ...NOTHING, severity: 'high' })
    expect(plan.map(({ obstacle }) => obstacle)).toEqual([null, 'is locked', 'its Severity is locked', 'is so already'])
    expect(plan[0]?.changes).toEqual(['medium → high'])
    expect(ids(changeableRows(plan))).toEqual([1])
  })

  it('is undone step by step, unlocked before and locked after', () => {
    const edit = { ...NOTHING, locked: true, severity: 'high', sections: ['Fix', 'Severity'] }
    const steps = undoSteps([ROWS[0] ?? ROW, ROWS[2] ?? ROW], edit)
    expect(steps.map((step) => [step.ids, step.edit])).toEqual([
      [[1, 3], { ...NOTHING, isSectionLock: false, locked: false }],
      [[1, 3], { ...NOTHING, sections: ['Fix'], isSectionLock: false }],
      [[1], { ...NOTHING, sections: ['Severity'], isSectionLock: false }],
      [[1], { ...NOTHING, isSectionLock: false, severity: 'medium' }],
      [[3], { ...NOTHING, isSectionLock: false, severity: 'low' }],
    ])
    const unlocked = undoSteps([ROWS[1] ?? ROW], { ...NOTHING, locked: false, status: 'Applicable' })
    expect(unlocked.at(-1)?.edit.locked).toBe(true)
  })
})

describe('Satisfied rules', () => {
  it('follow the first listed rule that satisfies them', () => {
    const [first = ROW, second = ROW, third = ROW, fourth = ROW] = ROWS
    const rows = [
      { ...first, satisfied_by: [{ id: 9 }, { id: 3 }] },
      second,
      third,
      { ...fourth, satisfied_by: [{ id: 9 }] },
    ]
    expect(ids(nestSatisfied(rows))).toEqual([2, 3, 1, 4])
  })

  it('are named by the SRG ids of any text', () => {
    const text = 'srg-os-000004-GPOS-00004;SRG-APP-000014 (see SRG-OS-000004-GPOS-00004), SRG-, MYSRG-OS-1'
    expect(srgIdsIn(text)).toEqual(['SRG-OS-000004-GPOS-00004', 'SRG-APP-000014'])
  })
})

describe('A justification for many rules', () => {
  const [lid = ROW] = ROWS
  const spout = { ...ROW, id: 5, justified: true }
  const edit = { ...NOTHING, status: 'Not Applicable', needsJustification: true }

  it('is needed if the status needs it, and written to rules without one', () => {
    const [without, having] = planEdit([lid, spout], edit)
    expect(without?.obstacle).toContain('no status justification')
    expect(having?.obstacle).toBeNull()
    const written = { ...edit, justification: 'No spout.' }
    const plan = planEdit([lid, spout], written)
    expect(plan.map(({ changes }) => changes.includes('with this justification'))).toEqual([true, false])
    expect(
      editSteps(changeableRows(plan), written).map(({ ids: ruleIds, edit: stepEdit }) => [ruleIds, stepEdit]),
    ).toEqual([
      [[1], written],
      [[5], edit],
    ])
  })

  it('is undone together with the status', () => {
    const steps = undoSteps([lid, spout], { ...edit, justification: 'No spout.' })
    expect(steps.map((step) => [step.ids, step.edit.status, step.edit.justification])).toEqual([
      [[1], 'Not Yet Determined', ''],
      [[5], 'Not Yet Determined', null],
    ])
  })

  it('is written to rules that have the status already', () => {
    const row = { ...lid, status: 'Not Applicable' }
    const plan = planEdit([row], { ...edit, justification: 'No spout.' })
    expect(plan[0]).toMatchObject({ changes: ['with this justification'], obstacle: null })
  })
})

describe('The list of rules', () => {
  it('is filtered by words and states, and sorted', () => {
    expect(ids(filterRows(ROWS, { ...FILTER, q: 'teap SPOUT' }))).toEqual([4])
    expect(ids(filterRows(ROWS, { ...FILTER, lock: 'locked', status: 'NYD' }))).toEqual([2])
    expect(ids(filterRows(ROWS, { ...FILTER, lock: 'sections' }))).toEqual([3])
    const advised = ROWS.map((row) => ({ ...row, advice: row.id === 3 ? { fix_word: 2 } : {} }))
    expect(ids(filterRows(advised, { ...FILTER, advice: 'any' }))).toEqual([3])
    expect(ids(filterRows(advised, { ...FILTER, advice: 'fix_word' }))).toEqual([3])
    expect(ids(filterRows(advised, { ...FILTER, advice: 'title_must' }))).toEqual([])
    expect(filterRows(ROWS, { ...FILTER, advice: 'any' })).toHaveLength(4)
    expect(ids(sortRows(ROWS, 'severity'))).toEqual([4, 1, 2, 3])
    expect(sortRows(ROWS, 'nonsense')).toBe(ROWS)
  })
})

describe('Keys', () => {
  const held = { ctrlKey: false, metaKey: false, altKey: false }

  it('are letters in a field, unless modifiers are held down', () => {
    const bindings = bindingsWith({})
    expect(commandFor(bindings, chordOf({ ...held, key: 'j' }), false)).toBe('next')
    expect(commandFor(bindings, chordOf({ ...held, key: 'j' }), true)).toBe(null)
    expect(commandFor(bindings, chordOf({ ...held, key: 'S', metaKey: true }), true)).toBe('save')
    expect(commandFor(bindings, chordOf({ ...held, key: 'Escape' }), true)).toBe('leave')
  })

  it('belong to the command for which they were chosen last, or to none', () => {
    const bindings = bindingsWith({ next: 's', previous: '' })
    expect([bindings.next, bindings.previous, bindings.status]).toEqual([['s'], [], []])
  })
})
