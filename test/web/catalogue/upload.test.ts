import { describe, expect, it } from 'vitest'
import { membersOf, progressOf, type ImportJob } from '../../../src/web/application/catalogue/upload/members.ts'

const warning = { code: 'characters_replaced', where: 'line 3', message: 'A character was replaced.' }

const stored: ImportJob['imported'][number] = {
  kind: 'stig',
  benchmark_id: 'TEA',
  severity_counts: { high: 0, medium: 1, low: 0 },
  member: 'a/tea.xml',
  id: 7,
  version: 'V1R1',
  title: 'Tea STIG',
  rule_count: 1,
  replaced: false,
  warnings: [],
}

const JOB: ImportJob = {
  id: 3,
  file_name: 'all.zip',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  state: 'running',
  done: 2,
  total: 5,
  problem: null,
  imported: [stored, { ...stored, id: 8, kind: 'srg', replaced: true, warnings: [warning, warning] }],
  already_imported: [{ ...stored, member: null, rule_count: 1200 }],
  refused: [
    { member: 'b.xml', title: 'A field is missing', code: 'missing_field', detail: 'line 3: it has no title.' },
  ],
  skipped: [{ member: 'c.ckl', title: 'Not a benchmark', code: 'not_a_benchmark', detail: 'It is a checklist.' }],
  reference_data: [],
}

describe('An import', () => {
  it('lists the result of each file, refused ones first with the reason', () => {
    expect(membersOf(JOB).map(({ name, state, path, text }) => [name, state, path, text])).toEqual([
      ['b.xml', 'refused', null, 'line 3: it has no title.'],
      ['a/tea.xml', 'imported', '/stigs/7', 'Tea STIG V1R1, 1 rule'],
      ['a/tea.xml', 'replaced', '/srgs/8', 'Tea STIG V1R1, 1 rule; 2 warnings'],
      ['all.zip', 'there already', '/stigs/7', 'Tea STIG V1R1, 1,200 rules'],
      ['c.ckl', 'skipped', null, 'It is a checklist.'],
    ])
  })

  it('names the reference data that the file is', () => {
    const empty = { imported: [], already_imported: [], refused: [], skipped: [] }
    const reference_data = [
      {
        kind: 'cci_list',
        name: 'CCI list 2016-06-27',
        version: '2016-06-27',
        digest: '',
        item_count: 2813,
        outcome: 'imported',
      } as const,
    ]
    expect(membersOf({ ...JOB, ...empty, reference_data })).toEqual([
      { name: 'all.zip', state: 'imported', path: null, text: 'CCI list 2016-06-27, 2,813 items', code: null },
    ])
  })

  it('shows its progress', () => {
    expect(progressOf(JOB)).toBe('Is being read: 2 of 5 files, 1 refused.')
    expect(progressOf({ ...JOB, state: 'waiting' })).toBe('Waits for its turn.')
    expect(progressOf({ ...JOB, state: 'finished', refused: [], done: 5 })).toBe('Done: 5 of 5 files.')
  })
})
