import { describe, expect, it } from 'vitest'
import { pairRules } from '../../../../src/guidance/authoring/component-comparison/differences.ts'

function rule(number: number, version: string | null, prefix = 'TEAP-00') {
  return { number, version, prefix }
}

describe('Rules of two components', () => {
  it('are paired by number and requirement, then by requirement in order, then by name', () => {
    const before = [rule(1, 'A'), rule(2, 'B'), rule(3, 'B'), rule(4, 'C'), rule(5, null)]
    const after = [rule(1, 'A'), rule(3, 'B'), rule(7, 'B'), rule(4, 'D'), rule(8, null)]
    const found = [...pairRules(before, after).values()].map((pair) => [pair.before.number, pair.after.number, pair.by])
    expect(found).toEqual([
      [1, 1, 'rule_id'],
      [3, 3, 'rule_id'],
      [2, 7, 'srg_id'],
      [4, 4, 'rule_id'],
    ])
  })

  it('are not paired by number alone if the components have different names', () => {
    expect(pairRules([rule(1, 'A')], [rule(1, 'B', 'KETL-00')]).size).toBe(0)
    expect(pairRules([rule(1, 'A')], [rule(2, 'A', 'KETL-00')]).size).toBe(1)
  })
})
