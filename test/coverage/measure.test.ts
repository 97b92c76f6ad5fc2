import { describe, expect, it } from 'vitest'
import { measure } from '../../src/coverage/measure.ts'
import { shapeReport } from '../../src/coverage/report.ts'
import { titleOf } from '../../src/coverage/sums.ts'
import { documentOf } from '../search/small.ts'
import { pathsTo, sourceOf } from './small.ts'

const [LOCKING = ''] = [...pathsTo().techniques.keys()]

describe('A measurement', () => {
  it('counts a rule once for a technique that several of its CCIs lead to', () => {
    const source = sourceOf('Samovar', {
      one: ['CCI-000044', 'CCI-000045', 'CCI-002238'],
      two: ['CCI-000044'],
      none: ['CCI-999999'],
    })
    const measured = measure(pathsTo('T1110'), [source])
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
    const measured = measure(pathsTo('T1110'), [source])
    expect(measured.rules[0]?.links).toHaveLength(1)
    expect([...measured.techniques.values()]).toEqual([[0]])
  })

  it('counts rules of several documents by their own places, in order', () => {
    const sources = [
      sourceOf('Samovar', { one: ['CCI-000044'], two: ['CCI-999999'] }),
      sourceOf('Kettle', { three: ['CCI-000045', 'CCI-000044'], four: ['CCI-002238'] }),
    ]
    const measured = measure(pathsTo('T1110', 'T1078'), sources)
    expect([...measured.techniques.values()]).toEqual([[0, 2, 3]])
    expect([...measured.attacks.values()]).toEqual([
      [0, 2, 3],
      [0, 2, 3],
    ])
  })

  it('has the rules of an attack in order, whichever technique leads to it', () => {
    const paths = pathsTo('T1110')
    const other = documentOf('Other', { kind: 'technique', id: 'D3-O', label: 'Other' })
    const links = (paths.links.get('CCI-000045') ?? []).map((link) => ({ ...link, technique: other.iri }))
    const measured = measure(
      {
        ...paths,
        links: new Map([...paths.links, ['CCI-000045', links]]),
        counterPaths: new Map([...paths.counterPaths, [other.iri, paths.counterPaths.get(LOCKING) ?? []]]),
      },
      [sourceOf('Samovar', { one: ['CCI-000044'], two: ['CCI-000045'], three: ['CCI-000044'] })],
    )
    expect(Object.fromEntries(measured.techniques)).toEqual({ [LOCKING]: [0, 2], [other.iri]: [1] })
    expect([...measured.attacks.values()]).toEqual([[0, 1, 2]])
  })

  it('is summed up by document and for all of them', () => {
    const kettle = { ...sourceOf('Kettle', { three: ['CCI-999999'] }), version: null }
    const sources = [sourceOf('Samovar', { one: ['CCI-000044'], two: ['CCI-999999'] }), kettle]
    const report = shapeReport(measure(pathsTo('T1110'), sources), { against: null, others: [] })
    const head = { kind: 'stig', id: 1, path: '/stigs/1' }
    expect(report.sources).toEqual([
      { ...head, name: 'Samovar', title: 'Samovar', version: 'V1R1', rule_count: 2, linked_rule_count: 1 },
      { ...head, name: 'Kettle', title: 'Kettle', version: null, rule_count: 1, linked_rule_count: 0 },
    ])
    expect(report.summary).toEqual({
      rules: { linked: 1, total: 3 },
      defensive_techniques: { covered: 1, total: 1 },
      offensive_techniques: { covered: 1, total: 1 },
    })
    expect(sources.map(titleOf)).toEqual(['Samovar V1R1', 'Kettle'])
  })
})
