import { describe, expect, it } from 'vitest'
import { attackLayer, defenseLayer } from '../../src/coverage/layers.ts'
import { measure } from '../../src/coverage/measure.ts'
import { landscapeOf, sourceOf } from './small.ts'

const SOURCES = [
  sourceOf('Samovar', { one: ['CCI-000044', 'CCI-000045'], two: ['CCI-000044'] }),
  sourceOf('Kettle', { three: ['CCI-002238', 'CCI-000044'], four: [] }),
]

describe('A layer of ATT&CK Navigator', () => {
  it('for enterprises leaves out techniques of ICS, which are in a domain of their own', () => {
    const landscape = landscapeOf('T1110', 'T1110.001', 'T0812', 'T0859', 'T1078')
    const { domain, techniques } = attackLayer(measure(landscape, SOURCES))
    expect(domain).toBe('enterprise-attack')
    expect(techniques.map(({ techniqueID }) => techniqueID)).toEqual(['T1110', 'T1110.001', 'T1078'])
  })

  it('scores the rules that bear on an attack, each once, by document', () => {
    const layer = attackLayer(measure(landscapeOf('T1110'), SOURCES))
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
