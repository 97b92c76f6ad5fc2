import { describe, expect, it } from 'vitest'
import { d3f } from '../../../../src/graph/vocabulary.ts'
import { flattenSubtechniques } from '../../../../src/ontology/views/technique/subtechniques.ts'
import { technique, techniques } from '../../../../src/ontology/views/technique/technique.ts'
import { idsOf, nodeOf, nodesOf, sectionOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

describe('The technique view', async () => {
  const release = await openFixture('subtechniques')
  const watching = await technique.answer(release, d3fIri('Watching'))

  it('answers for techniques with an identifier, under their prefixed names', () => {
    expect([...technique.members(release).keys()]).toStrictEqual([
      'd3f:DayWatching',
      'd3f:Dreaming',
      'd3f:Guarding',
      'd3f:NoonWatching',
      'd3f:PairGuarding',
      'd3f:Watching',
    ])
  })

  it('has its sections in their fixed order', () => {
    expect(Object.keys(watching ?? {})).toStrictEqual([
      'def_to_off',
      'description',
      'digital_artifacts',
      'subtechniques',
      'related_offensive_matrix',
      'references',
      'references_meta',
    ])
  })

  it('describes the technique with all statements about it, single values as scalars', () => {
    expect(nodesOf(sectionOf(watching, 'description'))).toStrictEqual([
      {
        '@id': 'd3f:Watching',
        '@type': 'owl:Class',
        'd3f:d3fend-id': 'D3-W',
        'd3f:definition': 'Looking.',
        'd3f:enables': { '@id': 'd3f:Detect' },
        'd3f:synonym': 'Looking',
        'rdfs:label': 'Watching',
        'rdfs:subClassOf': { '@id': 'd3f:DefensiveTechnique' },
      },
    ])
  })

  it('has an empty graph of references, and counts none, where there are none', () => {
    expect(nodesOf(sectionOf(watching, 'references'))).toStrictEqual([])
    expect(sectionOf(watching, 'references_meta')).toStrictEqual({})
  })
})

describe('The sub-techniques of a technique', async () => {
  const release = await openFixture('subtechniques')
  const sectionFor = async (name: string): Promise<unknown> =>
    sectionOf(await technique.answer(release, d3fIri(name)), 'subtechniques')

  it('are direct children without drafts, regardless of their real parents', async () => {
    expect(nodesOf(await sectionFor('Watching'))).toStrictEqual([
      {
        '@id': 'd3f:DayWatching',
        'd3f:d3fend-id': 'D3-DW',
        'rdfs:label': 'Day Watching',
        'rdfs:subClassOf': { '@id': 'd3f:Watching' },
      },
      {
        '@id': 'd3f:NoonWatching',
        'd3f:d3fend-id': 'D3-NW',
        'rdfs:label': 'Noon Watching',
        'rdfs:subClassOf': { '@id': 'd3f:Watching' },
      },
      {
        '@id': 'd3f:PairGuarding',
        'd3f:d3fend-id': 'D3-PG',
        'rdfs:label': 'Pair Guarding',
        'rdfs:subClassOf': { '@id': 'd3f:Watching' },
      },
      {
        '@id': 'd3f:Watching',
        'd3f:d3fend-id': 'D3-W',
        'd3f:definition': 'Looking.',
        'd3f:synonym': 'Looking',
        'd3f:top-level': 'true',
        'rdfs:hasSubClass': [
          { '@id': 'd3f:DayWatching' },
          { '@id': 'd3f:NoonWatching' },
          { '@id': 'd3f:PairGuarding' },
        ],
        'rdfs:label': 'Watching',
      },
    ])
  })

  it('are a scalar where there is one', async () => {
    const guarding = nodeOf(await sectionFor('Guarding'), 'd3f:Guarding')
    expect(guarding['rdfs:hasSubClass']).toStrictEqual({ '@id': 'd3f:PairGuarding' })
  })

  it.each(['NoonWatching', 'Dreaming'])(
    'are an empty graph for %s, which has none with an identifier',
    async (name) => {
      expect(nodesOf(await sectionFor(name))).toStrictEqual([])
    },
  )

  it('state nothing for the root of a tree without techniques', async () => {
    const empty = await openFixture('describe')
    expect(flattenSubtechniques(empty, d3f.DefensiveTechnique)).toStrictEqual([])
  })
})

describe('The list of techniques', async () => {
  const release = await openFixture('subtechniques')
  const list = await techniques.answer(release)

  it('has the techniques with an identifier', () => {
    expect(idsOf(list)).toStrictEqual([...technique.members(release).keys()])
  })

  it('gives each a constant type, identifier, synonyms and label', () => {
    expect(nodeOf(list, 'd3f:Watching')).toStrictEqual({
      '@id': 'd3f:Watching',
      '@type': 'owl:Class',
      'd3f:d3fend-id': 'D3-W',
      'd3f:synonym': 'Looking',
      'rdfs:label': 'Watching',
    })
    expect(nodeOf(list, 'd3f:NoonWatching')).toStrictEqual({
      '@id': 'd3f:NoonWatching',
      '@type': 'owl:Class',
      'd3f:d3fend-id': 'D3-NW',
      'rdfs:label': 'Noon Watching',
    })
  })
})
