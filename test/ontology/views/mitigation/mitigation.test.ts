import { describe, expect, it } from 'vitest'
import { attackMitigations } from '../../../../src/ontology/views/mitigation/mitigation.ts'
import { nodesOf } from '../../../support/answers.ts'
import { openFixture } from '../../../support/release.ts'

describe('The mitigations of ATT&CK', () => {
  it('come whole, with their class and the names of the techniques that they are related to', async () => {
    expect(nodesOf(await attackMitigations.answer(await openFixture('families')))).toStrictEqual([
      {
        '@id': 'd3f:ATTACKEnterpriseMitigation',
        '@type': 'owl:Class',
        'd3f:definition': ['A mitigation.'],
        'rdfs:label': ['ATTACK Enterprise Mitigation'],
      },
      {
        '@id': 'd3f:Guarding',
        '@type': 'owl:Class',
        'd3f:d3fend-id': ['D3-G'],
        'd3f:definition': ['To watch a door.'],
        'rdfs:label': ['Guarding'],
      },
      {
        '@id': 'd3f:M1',
        '@type': 'd3f:ATTACKEnterpriseMitigation',
        'd3f:d3fend-comment': ['Broad.'],
        'd3f:related': [{ '@id': 'd3f:Guarding' }],
        'rdfs:label': ['Locks'],
      },
      { '@id': 'd3f:M2', '@type': 'd3f:ATTACKEnterpriseMitigation', 'rdfs:label': ['Walls'] },
    ])
  })

  it('are an empty graph where the ontology has none', async () => {
    expect(nodesOf(await attackMitigations.answer(await openFixture('weaknesses')))).toStrictEqual([])
  })
})
