import { describe, expect, it } from 'vitest'
import { attackLayer, defenseLayer } from '../../src/coverage/layers.ts'
import { measure } from '../../src/coverage/measure.ts'
import type { OntologyPaths } from '../../src/coverage/ontology-paths.ts'
import { pathsTo, pathsWithDomains, sourceOf } from './small.ts'

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
  ] as const)('of %s has the attacks of this domain, regardless of their ids', (domain, ids) => {
    const paths = pathsWithDomains({
      T1110: 'enterprise-attack',
      SCALD: 'enterprise-attack',
      T1404: 'mobile-attack',
      T0812: 'ics-attack',
      'AML.T0051': 'atlas',
      T1900: 'atlas',
      'DE-0001': 'sparta',
    })
    const layer = attackLayer(measure(paths, SOURCES), domain)
    expect(layer.domain).toBe(domain)
    expect(layer.techniques.map(({ techniqueID }) => techniqueID)).toEqual(ids)
  })

  it('scores the rules linked to an attack, each once, by document', () => {
    const unlinked = sourceOf('Mug', { five: [] })
    const layer = attackLayer(measure(pathsTo('T1110'), [...SOURCES, unlinked]), 'enterprise-attack')
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
    const layer = defenseLayer(measure(pathsTo('T1110'), SOURCES))
    expect(layer.domain).toBe('d3fend')
    expect(layer.techniques).toMatchObject([{ techniqueID: 'D3-AL', score: 3 }])
  })

  it('names its documents and its release', () => {
    const layer = attackLayer(measure(pathsTo('T1110'), SOURCES), 'enterprise-attack')
    expect(layer.name).toBe('Techniques and attacks linked to Samovar V1R1, Kettle V1R1')
    expect(layer.description).toMatch(/^Samovar V1R1, Kettle V1R1\. D3FEND 1\.0\. Which techniques the ontology links/)
    expect(layer.metadata).toEqual([
      { name: 'Ontology', value: '1.0' },
      { name: 'Ontology digest', value: 'a'.repeat(64) },
      { name: 'stig', value: 'Samovar V1R1' },
      { name: 'stig', value: 'Kettle V1R1' },
    ])
  })

  it('has a name of at most 200 characters', () => {
    const sources = Array.from({ length: 30 }, (_, index) => sourceOf(`Samovar${index}`, {}))
    expect(attackLayer(measure(pathsTo(), sources), 'atlas').name).toHaveLength(200)
  })

  it('shows every technique with its id and name, highest score first', () => {
    expect(attackLayer(measure(pathsTo('T1110'), SOURCES), 'enterprise-attack')).toMatchObject({
      sorting: 3,
      layout: { layout: 'side', showID: true, showName: true, expandedSubtechniques: 'annotated' },
      hideDisabled: false,
      techniques: [{ enabled: true, showSubtechniques: true }],
    })
  })

  it('names 100 rules of a technique and counts the rest', () => {
    const rules = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`r${index + 1}`, ['CCI-000044']]))
    const commentOf = (count: number) =>
      defenseLayer(measure(pathsTo(), [sourceOf('Samovar', rules(count))])).techniques[0]?.comment ?? ''
    expect(commentOf(100)).toMatch(/^r1, .*, r100$/)
    expect(commentOf(103)).toMatch(/^r1, .*, r100 and 3 more$/)
  })

  it('leaves out techniques that no rule is linked to, and those without an id', () => {
    const layerOf = (paths: OntologyPaths, sources = SOURCES) => defenseLayer(measure(paths, sources))
    const unlinked = layerOf(pathsTo(), [sourceOf('Kettle', { four: [] })])
    expect(unlinked).toMatchObject({ techniques: [], gradient: { minValue: 0, maxValue: 1 } })
    const paths = pathsTo()
    const techniques = new Map(Array.from(paths.techniques, ([iri, document]) => [iri, { ...document, id: null }]))
    expect(layerOf({ ...paths, techniques }).techniques).toEqual([])
  })
})
