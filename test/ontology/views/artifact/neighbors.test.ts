import { describe, expect, it } from 'vitest'
import { artifact } from '../../../../src/ontology/views/artifact/artifact.ts'
import { idsOf, nodeOf, nodesOf, sectionOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

async function section(fixture: string, name: string, part: string): Promise<unknown> {
  return sectionOf(await artifact.answer(await openFixture(fixture), d3fIri(name)), part)
}

describe('The neighbors of an artifact', async () => {
  const neighbors = await section('surroundings', 'Door', 'neighbors')

  it('are the artifacts that it has a relation to, and those that have a relation to it', () => {
    expect(idsOf(neighbors)).toStrictEqual(['d3f:DigitalArtifact', 'd3f:Door', 'd3f:Room'])
  })

  it('have relation, direction and labels, always as arrays', () => {
    expect(nodesOf(neighbors)).toStrictEqual([
      { '@id': 'd3f:DigitalArtifact', 'rdfs:label': ['Digital Artifact'] },
      {
        '@id': 'd3f:Door',
        'd3f:leads-to': [{ '@id': 'd3f:DigitalArtifact' }, { '@id': 'd3f:Room' }],
        'd3f:outbound': [{ '@id': 'd3f:leads-to' }],
        'rdfs:label': ['Door'],
      },
      {
        '@id': 'd3f:Room',
        'd3f:has': [{ '@id': 'd3f:Door' }],
        'd3f:outbound': [{ '@id': 'd3f:has' }],
        'rdfs:label': ['Room'],
      },
    ])
  })

  it('are none for an artifact without a label', async () => {
    expect(nodesOf(await section('surroundings', 'Nameless', 'neighbors'))).toStrictEqual([])
  })

  it('are found from a class outside the tree, too', async () => {
    const person = await section('surroundings', 'Person', 'neighbors')
    expect(idsOf(person)).toStrictEqual(['d3f:Door', 'd3f:Person'])
  })
})

describe('The sensors of an artifact', () => {
  it('are those below d3f:Sensor that monitor it, and what monitoring is called', async () => {
    expect(nodesOf(await section('surroundings', 'Door', 'sensors'))).toStrictEqual([
      { '@id': 'd3f:Door', 'rdfs:label': ['Door'] },
      {
        '@id': 'd3f:DoorBell',
        'd3f:monitors': [{ '@id': 'd3f:Door' }],
        'd3f:outbound': [{ '@id': 'd3f:monitors' }],
        'rdfs:label': ['Door Bell'],
      },
      { '@id': 'd3f:monitors', 'rdfs:label': ['monitors'] },
    ])
  })

  it('also are those of the artifacts above it', async () => {
    const sensors = await section('surroundings', 'BackDoor', 'sensors')
    expect(idsOf(sensors)).toStrictEqual(['d3f:BackDoor', 'd3f:CatBell', 'd3f:Door', 'd3f:DoorBell', 'd3f:monitors'])
  })

  it('count d3f:Sensor itself', async () => {
    expect(idsOf(await section('surroundings', 'Room', 'sensors'))).toContain('d3f:Sensor')
  })

  it('are an empty graph where there are none', async () => {
    expect(nodesOf(await section('class-graph', 'Cat', 'sensors'))).toStrictEqual([])
  })
})

describe('The weaknesses of an artifact', () => {
  it('are those of it and of all below it, with identifier, direction and labels', async () => {
    const weaknesses = await section('artifact-mappings', 'Store', 'da_to_weak')
    expect(nodesOf(weaknesses)).toStrictEqual([
      {
        '@id': 'd3f:Haste',
        'd3f:cwe-id': ['CWE-9002'],
        'd3f:outbound': [{ '@id': 'd3f:weakness-of' }],
        'd3f:weakness-of': [{ '@id': 'd3f:Memory' }],
        'rdfs:label': ['Haste'],
      },
      { '@id': 'd3f:Memory', 'rdfs:label': ['Memory'] },
    ])
  })

  it('include the root of the artifacts if it is requested', async () => {
    const weaknesses = await section('artifact-mappings', 'DigitalArtifact', 'da_to_weak')
    expect(nodeOf(weaknesses, 'd3f:Sloth')['d3f:weakness-of']).toStrictEqual([{ '@id': 'd3f:DigitalArtifact' }])
  })

  it('are none above it', async () => {
    const weaknesses = await section('artifact-mappings', 'Door', 'da_to_weak')
    expect(nodesOf(weaknesses)).toStrictEqual([])
  })
})
