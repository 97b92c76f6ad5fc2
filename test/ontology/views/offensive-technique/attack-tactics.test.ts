import { describe, expect, it } from 'vitest'
import { attackTactics } from '../../../../src/ontology/views/offensive-technique/attack-tactics.ts'
import { nodesOf } from '../../../support/answers.ts'
import { openFixture } from '../../../support/release.ts'

describe('The tactics of attacks', () => {
  it('are those that an attack or a class above it enables, and that have a label', async () => {
    const answer = await attackTactics.answer(await openFixture('off-to-def'))
    const access = { '@id': 'd3f:Access' }
    expect(nodesOf(answer)).toStrictEqual([
      { '@id': 'd3f:Access', 'rdfs:label': 'Access' },
      { '@id': 'd3f:Dumping', 'd3f:attack-id': 'T9001', 'd3f:enables': access, 'rdfs:label': 'Dumping' },
      { '@id': 'd3f:HeapDumping', 'd3f:attack-id': 'T9001.001', 'd3f:enables': access, 'rdfs:label': 'Heap Dumping' },
      { '@id': 'd3f:Impact', 'rdfs:label': 'Impact' },
      { '@id': 'd3f:SlowDumping', 'd3f:attack-id': 'T9001.002', 'd3f:enables': access, 'rdfs:label': 'Slow Dumping' },
      {
        '@id': 'd3f:Waiting',
        'd3f:attack-id': 'T9002',
        'd3f:enables': { '@id': 'd3f:Impact' },
        'rdfs:label': 'Waiting',
      },
    ])
  })
})
