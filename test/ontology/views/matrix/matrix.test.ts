import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { matrix, matrixGraph } from '../../../../src/ontology/views/matrix/matrix.ts'
import { idsOf, nodeOf } from '../../../support/answers.ts'
import { openFixture, openTurtle } from '../../../support/release.ts'

const INTEGER = 'http://www.w3.org/2001/XMLSchema#integer'
const member = z.record(z.string(), z.unknown())
const members = z.array(member)

describe('The matrix', async () => {
  const tactics = members.parse(await matrix.answer(await openFixture('matrix')))

  it('has the tactics by display order as a number, those without one last', () => {
    expect(tactics.map((tactic) => tactic['@id'])).toStrictEqual(['d3f:Gamma', 'd3f:Beta', 'd3f:Alpha', 'd3f:Delta'])
  })

  it('gives a tactic its facts, scalars where there is one value', () => {
    const { children, ...facts } = tactics[2] ?? {}
    expect(facts).toStrictEqual({
      '@id': 'd3f:Alpha',
      'd3f:display-order': { '@type': INTEGER, '@value': '10' },
      'd3f:display-priority': { '@type': INTEGER, '@value': '0' },
      'd3f:type': 'toplevel',
      'rdfs:label': 'Alpha',
    })
    expect(members.parse(children)).toHaveLength(1)
  })

  it('has a technique that enables two tactics under both', () => {
    const [, beta, alpha] = tactics
    expect(alpha?.['children']).toStrictEqual(beta?.['children'])
  })

  it('has no children under a tactic that only a lower technique enables', () => {
    expect(tactics[0]?.['children']).toStrictEqual([])
    expect(tactics[3]?.['children']).toStrictEqual([])
  })

  it('nests techniques and counts references of any kind', () => {
    expect(tactics[1]?.['children']).toStrictEqual([
      {
        '@id': 'd3f:Watching',
        children: [
          {
            '@id': 'd3f:DayWatching',
            children: [{ '@id': 'd3f:NoonWatching', 'd3f:d3fend-id': 'D3-NW', 'rdfs:label': 'Noon Watching' }],
            'rdfs:label': 'Day Watching',
          },
        ],
        'd3f:d3fend-id': 'D3-W',
        'd3f:definition': ['Looking on.', 'Looking.'],
        'd3f:ref-count': { '@type': INTEGER, '@value': '2' },
        'rdfs:label': 'Watching',
      },
    ])
  })

  it('is empty without tactics', async () => {
    expect(await matrix.answer(await openFixture('describe'))).toStrictEqual([])
  })

  it('ends at cycles of techniques', async () => {
    const cycle = await openTurtle(`
      :enables rdfs:label "enables" .
      :Detect rdfs:subClassOf :DefensiveTactic ; rdfs:label "Detect" .
      :One rdfs:subClassOf :DefensiveTechnique , :Three ; :enables :Detect .
      :Two rdfs:subClassOf :One . :Three rdfs:subClassOf :Two .
    `)
    const [detect] = members.parse(await matrix.answer(cycle))
    expect(detect?.['children']).toStrictEqual([
      { '@id': 'd3f:One', children: [{ '@id': 'd3f:Two', children: [{ '@id': 'd3f:Three' }] }] },
    ])
  })
})

describe('The matrix graph', async () => {
  const document = await matrixGraph.answer(await openFixture('matrix'))

  it('has the tactics under a separate root, and every defensive technique', () => {
    expect(idsOf(document)).toStrictEqual([
      'd3f:Alpha',
      'd3f:Beta',
      'd3f:DayWatching',
      'd3f:DefensiveTechnique',
      'd3f:Delta',
      'd3f:Gamma',
      'd3f:Idling',
      'd3f:NoonWatching',
      'd3f:RootNode',
      'd3f:Watching',
    ])
    expect(nodeOf(document, 'd3f:RootNode')).toStrictEqual({
      '@id': 'd3f:RootNode',
      'd3f:children': ['Alpha', 'Beta', 'Delta', 'Gamma'].map((name) => ({ '@id': `d3f:${name}` })),
    })
  })

  it('has every technique that enables a tactic under it, also a lower one', () => {
    expect(nodeOf(document, 'd3f:Gamma')['d3f:children']).toStrictEqual([{ '@id': 'd3f:DayWatching' }])
    expect(nodeOf(document, 'd3f:Alpha')['d3f:children']).toStrictEqual([{ '@id': 'd3f:Watching' }])
    expect(nodeOf(document, 'd3f:Delta')).not.toHaveProperty('d3f:children')
  })

  it('has direct sub-techniques as children, also of the root of techniques', () => {
    expect(nodeOf(document, 'd3f:Watching')['d3f:children']).toStrictEqual([{ '@id': 'd3f:DayWatching' }])
    expect(nodeOf(document, 'd3f:DefensiveTechnique')['d3f:children']).toStrictEqual([
      { '@id': 'd3f:Idling' },
      { '@id': 'd3f:Watching' },
    ])
    expect(nodeOf(document, 'd3f:NoonWatching')).not.toHaveProperty('d3f:children')
  })

  it('keeps the blank nodes of restrictions as objects, not as nodes', () => {
    const parents = z.array(z.object({ '@id': z.string() })).parse(nodeOf(document, 'd3f:Watching')['rdfs:subClassOf'])
    expect(parents).toHaveLength(2)
    expect(parents.filter((parent) => parent['@id'].startsWith('_:'))).toHaveLength(1)
    expect(idsOf(document).filter((id) => String(id).startsWith('_:'))).toStrictEqual([])
  })

  it('writes values always as arrays, a single type as a string', () => {
    const root = nodeOf(document, 'd3f:DefensiveTechnique')
    expect(root['@type']).toBe('owl:Class')
    expect(root['rdfs:label']).toStrictEqual(['Defensive Technique'])
  })
})
