import { describe, expect, it } from 'vitest'
import { attackLayer, defenseLayer } from '../../src/coverage/layers.ts'
import { measure } from '../../src/coverage/measure.ts'
import { landscapeOf, landscapeWith, sourceOf } from './small.ts'

const SOURCES = [
  sourceOf('Samovar', { one: ['CCI-000044', 'CCI-000045'], two: ['CCI-000044'] }),
  sourceOf('Kettle', { three: ['CCI-002238', 'CCI-000044'], four: [] }),
]

describe('A layer of ATT&CK Navigator', () => {
  it.each([
    ['enterprise-attack', ['T1110', 'SCALD']],
    ['mobile-attack', ['T1404']],
    ['ics-attack', ['T0812']],
    ['atlas', ['AML.T0051', 'T1900']],
    ['sparta', ['DE-0001']],
  ] as const)('of %s has the attacks that are stated to be of it, whatever their ids', (domain, ids) => {
    const landscape = landscapeWith({
      T1110: 'enterprise-attack',
      SCALD: 'enterprise-attack',
      T1404: 'mobile-attack',
      T0812: 'ics-attack',
      'AML.T0051': 'atlas',
      T1900: 'atlas',
      'DE-0001': 'sparta',
    })
    const layer = attackLayer(measure(landscape, SOURCES), domain)
    expect(layer.domain).toBe(domain)
    expect(layer.techniques.map(({ techniqueID }) => techniqueID)).toEqual(ids)
  })

  it('scores the rules that bear on an attack, each once, by document', () => {
    const layer = attackLayer(measure(landscapeOf('T1110'), SOURCES), 'enterprise-attack')
    expect(layer.techniques).toMatchObject([
      {
        score: 3,
        comment: 'one, two, three',
        metadata: [
          { name: 'Samovar V1R1', value: '2' },
          { name: 'Kettle V1R1', value: '1' },
        ],
      },
    ])
    expect(layer.gradient).toMatchObject({ minValue: 0, maxValue: 3 })
  })

  it('of defensive techniques has the same scores', () => {
    const layer = defenseLayer(measure(landscapeOf('T1110'), SOURCES))
    expect(layer.techniques).toMatchObject([{ techniqueID: 'D3-AL', score: 3 }])
  })
})
