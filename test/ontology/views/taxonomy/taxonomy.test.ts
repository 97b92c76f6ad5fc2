import { describe, expect, it } from 'vitest'
import { taxonomy } from '../../../../src/ontology/views/taxonomy/taxonomy.ts'
import { idsOf, nodeOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

describe('The taxonomy view', async () => {
  const release = await openFixture('families')

  it('answers for every class that has subclasses, and for no other', () => {
    const names = [...taxonomy.members(release).keys()]
    expect(names).toEqual(expect.arrayContaining(['d3f:Door', 'd3f:DigitalArtifact', 'd3f:Event', 'd3f:Counting']))
    expect(names).not.toContain('d3f:Keyhole')
  })

  it('has the class and all classes below it, with all statements about them and their direct subclasses', async () => {
    const tree = await taxonomy.answer(release, d3fIri('Opening'))
    expect(idsOf(tree)).toStrictEqual(['d3f:Burglary', 'd3f:ForcedOpening', 'd3f:Opening'])
    expect(nodeOf(tree, 'd3f:ForcedOpening')).toStrictEqual({
      '@id': 'd3f:ForcedOpening',
      '@type': 'owl:Class',
      'rdfs:hasSubClass': [{ '@id': 'd3f:Burglary' }],
      'rdfs:label': ['Forced Opening'],
      'rdfs:subClassOf': [{ '@id': 'd3f:Opening' }],
    })
    // Two restrictions and the class above.
    expect(nodeOf(tree, 'd3f:Opening')['rdfs:subClassOf']).toHaveLength(3)
  })
})
