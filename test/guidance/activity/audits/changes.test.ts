import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../../src/guidance/activity/audits/writer.ts'

describe('The changes between two states', () => {
  it('are the fields that differ, in their order, with both values', () => {
    expect(changesBetween({ name: 'a', kept: 1, flag: false }, { name: 'b', kept: 1, flag: true })).toEqual([
      { field: 'name', prev_value: 'a', new_value: 'b' },
      { field: 'flag', prev_value: false, new_value: true },
    ])
  })

  it('are all fields of a new or removed record that are not null', () => {
    expect(changesBetween({}, { name: 'a', note: null })).toEqual([{ field: 'name', prev_value: null, new_value: 'a' }])
    expect(changesBetween({ name: 'a', note: null }, {})).toEqual([{ field: 'name', prev_value: 'a', new_value: null }])
  })

  it.each([
    [{ a: null }, {}],
    [{ a: [] }, { a: [] }],
    [{ a: ['x', 'y'] }, { a: ['x', 'y'] }],
    [{ a: { b: 'c' } }, { a: { b: 'c' } }],
    [{ a: '' }, { a: '' }],
    [{}, {}],
  ])('are empty for %j and %j', (before, after) => {
    expect(changesBetween(before, after)).toEqual([])
  })

  it.each([
    ['', null],
    [0, false],
    [0, null],
    [false, null],
    ['1', 1],
    [[], null],
    [
      ['x', 'y'],
      ['y', 'x'],
    ],
    [{ a: '1' }, { a: '2' }],
    [{}, null],
  ])('distinguish %j from %j', (before, after) => {
    const differing = changesBetween({ field: before }, { field: after })
    expect(differing).toEqual([{ field: 'field', prev_value: before, new_value: after }])
  })
})
