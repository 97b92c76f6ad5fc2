import { describe, expect, it } from 'vitest'
import { artifact } from '../../../../src/ontology/views/artifact/artifact.ts'
import { idsOf, nodeOf, nodesOf, sectionOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

describe('da_graph', async () => {
  const release = await openFixture('class-graph')
  const graphFor = async (name: string): Promise<unknown> =>
    sectionOf(await artifact.answer(release, d3fIri(name)), 'da_graph')

  it('has all edges below the artifact, single values as scalars', async () => {
    const store = nodeOf(await graphFor('Store'), 'd3f:Store')
    expect(store['rdfs:hasSubClass']).toStrictEqual([{ '@id': 'd3f:Cache' }, { '@id': 'd3f:Tape' }])
    expect(store['rdfs:label']).toBe('Store')
    expect(nodeOf(await graphFor('Store'), 'd3f:Tape')).toStrictEqual({
      '@id': 'd3f:Tape',
      'rdfs:hasSubClass': { '@id': 'd3f:Reel' },
      'rdfs:label': 'Tape',
    })
  })

  it('leaves out edges to an end without a label', async () => {
    expect(idsOf(await graphFor('Store'))).not.toContain('d3f:Nameless')
  })

  it('includes the superclasses of the artifact up to the root', async () => {
    const ids = idsOf(await graphFor('Reel'))
    expect(ids).toStrictEqual(['d3f:Cold', 'd3f:DigitalArtifact', 'd3f:Reel', 'd3f:Store', 'd3f:Tape'])
  })

  it('includes superclasses of a subclass only if an attack touches it', async () => {
    const ids = idsOf(await graphFor('Store'))
    expect(ids).toContain('d3f:Fast')
    expect(ids).not.toContain('d3f:Cold')
  })

  it('draws the other parent of a touched artifact up to the root', async () => {
    const document = await graphFor('Store')
    expect(nodeOf(document, 'd3f:Fast')).toStrictEqual({
      '@id': 'd3f:Fast',
      'rdfs:hasSubClass': { '@id': 'd3f:Cache' },
      'rdfs:label': 'Fast',
    })
    expect(nodeOf(document, 'd3f:DigitalArtifact')['rdfs:hasSubClass']).toStrictEqual([
      { '@id': 'd3f:Fast' },
      { '@id': 'd3f:Store' },
    ])
  })

  it('has the root with its label also outside the tree, whenever there is an edge', async () => {
    expect(nodesOf(await graphFor('Animal'))).toStrictEqual([
      { '@id': 'd3f:Animal', 'rdfs:hasSubClass': { '@id': 'd3f:Cat' }, 'rdfs:label': 'Animal' },
      { '@id': 'd3f:Cat', 'rdfs:label': 'Cat' },
      { '@id': 'd3f:DigitalArtifact', 'rdfs:label': 'Digital Artifact' },
    ])
  })

  it.each(['Cat', 'Nameless'])('is empty for %s, which has no edge to draw', async (name) => {
    const ids = idsOf(await graphFor(name))
    expect(ids).not.toContain(`d3f:${name}`)
  })

  it('is empty without any edge', async () => {
    expect(nodesOf(await graphFor('Cat'))).toStrictEqual([])
  })
})
