import { expect, it } from 'vitest'
import { objectProperties } from '../../../../src/ontology/views/property/property.ts'
import { nodesOf } from '../../../support/answers.ts'
import { openFixture } from '../../../support/release.ts'

it('The object properties are those below d3f:associated-with, without it', async () => {
  expect(nodesOf(await objectProperties.answer(await openFixture('families')))).toStrictEqual([
    {
      '@id': 'd3f:has-participant',
      '@type': 'owl:ObjectProperty',
      'rdfs:label': ['has-participant'],
      'rdfs:subPropertyOf': [{ '@id': 'd3f:associated-with' }],
    },
    {
      '@id': 'd3f:opens',
      '@type': 'owl:ObjectProperty',
      'rdfs:label': ['opens'],
      'rdfs:subPropertyOf': [{ '@id': 'd3f:has-participant' }],
    },
  ])
})
