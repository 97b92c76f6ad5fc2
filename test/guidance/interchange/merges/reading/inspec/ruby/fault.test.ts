import { expect, it } from 'vitest'
import { LineCounter } from '../../../../../../../src/guidance/interchange/merges/reading/inspec/ruby/fault.ts'

it('Lines are counted from 1, and end with their line break', () => {
  const lines = new LineCounter('a\n\nb\nc')
  expect([0, 1, 2, 2, 3, 4, 5, 6, 9].map((position) => lines.lineAt(position))).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 4])
})
