import { describe, expect, it } from 'vitest'
import { measure } from '../../src/coverage/measure.ts'
import { shapeReport } from '../../src/coverage/report.ts'
import { landscapeOf, sourceOf } from './small.ts'

const [LOCKING = ''] = [...landscapeOf().techniques.keys()]

describe('A measurement', () => {
  it('counts a rule once for a technique that several of its CCIs lead to', () => {
    const source = sourceOf('Samovar', {
      one: ['CCI-000044', 'CCI-000045', 'CCI-002238'],
      two: ['CCI-000044'],
      none: ['CCI-999999'],
    })
    const measured = measure(landscapeOf('T1110'), [source])
    expect([...measured.techniques]).toEqual([[LOCKING, [0, 1]]])
    expect([...measured.attacks.values()]).toEqual([[0, 1]])
    const { defensive_techniques, offensive_techniques, summary, rules } = shapeReport(measured, {
      against: null,
      others: [],
    })
    expect(defensive_techniques).toMatchObject([{ rules: [0, 1], relations: { narrower: 3, related: 1 }, counters: 1 }])
    expect(offensive_techniques.map((attack) => attack.rules)).toEqual([[0, 1]])
    expect(summary.rules).toEqual({ linked: 2, total: 3 })
    expect(rules[0]?.links.map(({ cci }) => cci)).toEqual(['CCI-000044', 'CCI-000045', 'CCI-002238'])
  })

  it('follows a CCI once that a rule cites twice', () => {
    const source = sourceOf('Samovar', { one: ['CCI-000044', 'CCI-000044'] })
    const measured = measure(landscapeOf('T1110'), [source])
    expect(measured.rules[0]?.links).toHaveLength(1)
    expect([...measured.techniques.values()]).toEqual([[0]])
  })

  it('counts rules of several documents by their own places, in order', () => {
    const sources = [
      sourceOf('Samovar', { one: ['CCI-000044'], two: ['CCI-999999'] }),
      sourceOf('Kettle', { three: ['CCI-000045', 'CCI-000044'], four: ['CCI-002238'] }),
    ]
    const measured = measure(landscapeOf('T1110', 'T1078'), sources)
    expect([...measured.techniques.values()]).toEqual([[0, 2, 3]])
    expect([...measured.attacks.values()]).toEqual([
      [0, 2, 3],
      [0, 2, 3],
    ])
  })
})
