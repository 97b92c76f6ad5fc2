import { describe, expect, it } from 'vitest'
import { D3F, RDFS } from '../../../../src/graph/vocabulary.ts'
import { technique } from '../../../../src/ontology/views/technique/technique.ts'
import { idsOf, nodeOf, sectionOf } from '../../../support/answers.ts'
import { d3fIri, openFixture } from '../../../support/release.ts'

describe('The references of a technique', async () => {
  const answer = await technique.answer(await openFixture('references'), d3fIri('Reading'))
  const references = sectionOf(answer, 'references')

  it('are those with a typed class; itself and untyped ones are none', () => {
    expect(idsOf(references)).toStrictEqual(['d3f:Almanac', 'd3f:Bible', 'd3f:Chronicle'])
  })

  it('have the smaller context, so that owl: and datatypes stay full IRIs', () => {
    expect(sectionOf(references, '@context')).toStrictEqual({ rdfs: RDFS, d3f: D3F })
    expect(nodeOf(references, 'd3f:Almanac')['@type']).toStrictEqual([
      'd3f:BookReference',
      'http://www.w3.org/2002/07/owl#NamedIndividual',
    ])
  })

  it('have all statements about them without blank nodes, and the label of their type', () => {
    expect(nodeOf(references, 'd3f:Almanac')).toStrictEqual({
      '@id': 'd3f:Almanac',
      '@type': ['d3f:BookReference', 'http://www.w3.org/2002/07/owl#NamedIndividual'],
      'd3f:has-link': { '@type': 'http://www.w3.org/2001/XMLSchema#anyURI', '@value': 'http://example.org/' },
      'd3f:kb-reference-of': { '@id': 'd3f:Idling' },
      'd3f:kb-title': 'An Almanac',
      'd3f:reference-type-label': 'Book',
    })
  })

  it('have the labels of all their types', () => {
    expect(nodeOf(references, 'd3f:Chronicle')['d3f:reference-type-label']).toStrictEqual(['Book', 'Paper'])
  })

  it('are counted by type, as numbers', () => {
    expect(sectionOf(answer, 'references_meta')).toStrictEqual({ Book: 3, Paper: 1 })
  })
})
