// @module-tag node

import { describe, expect, it } from 'vitest'
import { expandedJsonLd, instant, jsonLdDocument, REFERENCES_CONTEXT } from '../../src/graph/json-ld.ts'
import { iri, text, type BlankNode, type Literal, type Statement } from '../../src/graph/term.ts'
import { D3F, OWL, rdf, RDFS, SKOS, xsd } from '../../src/graph/vocabulary.ts'

const SEE = `${RDFS}seeAlso`

function say(subject: string, predicate: string, object: string | Statement['object']): Statement {
  return { subject: iri(subject), predicate: iri(predicate), object: typeof object === 'string' ? iri(object) : object }
}

function typed(value: string, datatype: string): Literal {
  return { type: 'literal', value, datatype }
}

function blank(value: string): BlankNode {
  return { type: 'bnode', value }
}

describe('a JSON-LD document', () => {
  const single = [say(`${D3F}A`, `${D3F}name`, text('first'))]
  const double = [...single, say(`${D3F}A`, `${D3F}name`, text('second'))]

  it('writes a single value as a scalar in compact mode', () => {
    expect(jsonLdDocument(single, { values: 'compact' })['@graph']).toStrictEqual([
      { '@id': 'd3f:A', 'd3f:name': 'first' },
    ])
  })

  it('writes several values as an array in compact mode', () => {
    expect(jsonLdDocument(double, { values: 'compact' })['@graph']).toStrictEqual([
      { '@id': 'd3f:A', 'd3f:name': ['first', 'second'] },
    ])
  })

  it('always writes an array in arrays mode', () => {
    expect(jsonLdDocument(single, { values: 'arrays' })['@graph']).toStrictEqual([
      { '@id': 'd3f:A', 'd3f:name': ['first'] },
    ])
  })

  it.each(['compact', 'arrays'] as const)('writes a single @type as a string (%s)', (values) => {
    const statements = [say(`${D3F}A`, rdf.type, `${OWL}Class`)]
    expect(jsonLdDocument(statements, { values })['@graph']).toStrictEqual([{ '@id': 'd3f:A', '@type': 'owl:Class' }])
  })

  it.each(['compact', 'arrays'] as const)('writes several @type as an array (%s)', (values) => {
    const statements = [say(`${D3F}A`, rdf.type, `${OWL}NamedIndividual`), say(`${D3F}A`, rdf.type, `${OWL}Class`)]
    expect(jsonLdDocument(statements, { values })['@graph']).toStrictEqual([
      { '@id': 'd3f:A', '@type': ['owl:Class', 'owl:NamedIndividual'] },
    ])
  })

  it('opens with the four namespaces in their fixed order', () => {
    const document = jsonLdDocument([], { values: 'compact' })
    expect(JSON.stringify(document)).toBe(
      JSON.stringify({ '@context': { rdfs: RDFS, owl: OWL, d3f: D3F, skos: SKOS }, '@graph': [] }),
    )
  })

  it('keeps owl: IRIs whole in the context of references', () => {
    const statements = [say(`${D3F}A`, rdf.type, `${OWL}Class`)]
    const document = jsonLdDocument(statements, { values: 'compact', context: REFERENCES_CONTEXT })
    expect(document).toStrictEqual({
      '@context': { rdfs: RDFS, d3f: D3F },
      '@graph': [{ '@id': 'd3f:A', '@type': `${OWL}Class` }],
    })
  })

  it('shortens subjects, keys and objects, and leaves IRIs of other namespaces whole', () => {
    const statements = [
      say(`${D3F}A`, SEE, `${SKOS}Concept`),
      say(`${D3F}A`, 'http://example.org/p', 'http://example.org/o'),
    ]
    expect(jsonLdDocument(statements, { values: 'compact' })['@graph']).toStrictEqual([
      {
        '@id': 'd3f:A',
        'http://example.org/p': { '@id': 'http://example.org/o' },
        'rdfs:seeAlso': { '@id': 'skos:Concept' },
      },
    ])
  })

  it('writes typed literals with the full datatype and the lexical form', () => {
    const statements = [
      say(`${D3F}A`, `${D3F}a`, typed('-1', xsd.integer)),
      say(`${D3F}A`, `${D3F}b`, typed('true', xsd.boolean)),
    ]
    expect(jsonLdDocument(statements, { values: 'compact' })['@graph']).toStrictEqual([
      {
        '@id': 'd3f:A',
        'd3f:a': { '@type': xsd.integer, '@value': '-1' },
        'd3f:b': { '@type': xsd.boolean, '@value': 'true' },
      },
    ])
  })

  it('rewrites xsd:dateTime as an instant, and no other literal', () => {
    const date = xsd.dateTime.replace('dateTime', 'date')
    const statements = [
      say(`${D3F}A`, `${D3F}a`, typed('2020-08-05T00:00:00', xsd.dateTime)),
      say(`${D3F}A`, `${D3F}b`, typed('2020-08-05', date)),
      say(`${D3F}A`, `${D3F}c`, text('2020-08-05T00:00:00')),
    ]
    expect(jsonLdDocument(statements, { values: 'compact' })['@graph']).toStrictEqual([
      {
        '@id': 'd3f:A',
        'd3f:a': { '@type': xsd.dateTime, '@value': '2020-08-05T00:00:00.000Z' },
        'd3f:b': { '@type': date, '@value': '2020-08-05' },
        'd3f:c': '2020-08-05T00:00:00',
      },
    ])
  })

  it('keeps the language of a literal', () => {
    const label: Literal = { type: 'literal', value: 'Datei', 'xml:lang': 'de' }
    const statements = [say(`${D3F}A`, `${RDFS}label`, label)]
    expect(jsonLdDocument(statements, { values: 'compact' })['@graph']).toStrictEqual([
      { '@id': 'd3f:A', 'rdfs:label': { '@language': 'de', '@value': 'Datei' } },
    ])
  })

  it('writes blank nodes with their labels, as subjects and as objects', () => {
    const statements: Statement[] = [
      say(`${D3F}A`, `${RDFS}subClassOf`, blank('b0')),
      { subject: blank('b0'), predicate: iri(rdf.type), object: iri(`${OWL}Restriction`) },
    ]
    expect(jsonLdDocument(statements, { values: 'arrays' })['@graph']).toStrictEqual([
      { '@id': '_:b0', '@type': 'owl:Restriction' },
      { '@id': 'd3f:A', 'rdfs:subClassOf': [{ '@id': '_:b0' }] },
    ])
  })

  it('orders nodes and keys by their full IRIs, not by their short names', () => {
    const statements = [
      say(`${OWL}Thing`, `${OWL}versionInfo`, text('v')),
      say(`${OWL}Thing`, `${RDFS}label`, text('l')),
      say(`${OWL}Thing`, `${D3F}z`, text('z')),
      say(`${OWL}Thing`, 'http://a.example/p', text('p')),
      say(`${OWL}Thing`, rdf.type, `${OWL}Class`),
      say(`${D3F}a`, `${D3F}x`, text('x')),
      say(`${D3F}Z`, `${D3F}x`, text('x')),
    ]
    const graph = jsonLdDocument(statements, { values: 'compact' })['@graph']
    expect(graph.map((node) => node['@id'])).toStrictEqual(['d3f:Z', 'd3f:a', 'owl:Thing'])
    expect(Object.keys(graph[2] ?? {})).toStrictEqual([
      '@id',
      '@type',
      'http://a.example/p',
      'd3f:z',
      'rdfs:label',
      'owl:versionInfo',
    ])
  })

  it('counts a repeated statement once, and keeps literals that differ in type or language', () => {
    const label: Literal = { type: 'literal', value: '1', 'xml:lang': 'en' }
    const statements = [text('1'), text('1'), typed('1', xsd.integer), label].map((object) =>
      say(`${D3F}A`, `${D3F}n`, object),
    )
    const [node] = jsonLdDocument(statements, { values: 'compact' })['@graph']
    expect(node?.['d3f:n']).toHaveLength(3)
  })

  it('lists subjects without statements, and merges them with the others', () => {
    const document = jsonLdDocument(single, { values: 'compact', alsoNodes: [`${D3F}B`, `${D3F}A`, `${D3F}B`] })
    expect(document['@graph']).toStrictEqual([{ '@id': 'd3f:A', 'd3f:name': 'first' }, { '@id': 'd3f:B' }])
  })
})

describe('expanded JSON-LD', () => {
  it('keeps full IRIs, wraps every value and puts blank nodes first', () => {
    const statements: Statement[] = [
      say(`${D3F}A`, rdf.type, `${OWL}Class`),
      say(`${D3F}A`, `${RDFS}subClassOf`, blank('b0')),
      say(`${D3F}A`, `${D3F}n`, typed('1', xsd.integer)),
      say(`${D3F}A`, `${D3F}t`, text('plain')),
      { subject: blank('b0'), predicate: iri(`${OWL}onProperty`), object: iri(`${D3F}p`) },
    ]
    expect(expandedJsonLd(statements)).toStrictEqual([
      { '@id': '_:b0', [`${OWL}onProperty`]: [{ '@id': `${D3F}p` }] },
      {
        '@id': `${D3F}A`,
        '@type': [`${OWL}Class`],
        [`${D3F}n`]: [{ '@type': xsd.integer, '@value': '1' }],
        [`${D3F}t`]: [{ '@value': 'plain' }],
        [`${RDFS}subClassOf`]: [{ '@id': '_:b0' }],
      },
    ])
  })

  it('writes a time with a zone as an instant, and leaves one without a zone unchanged', () => {
    const times = ['2024-10-11T00:00:00-05:30', '2024-10-11T00:00:00Z', '2024-10-11T00:00:00']
    const statements = times.map((time) => say(`${D3F}A`, `${D3F}t`, typed(time, xsd.dateTime)))
    const instants = ['2024-10-11T00:00:00', '2024-10-11T05:30:00.000Z', '2024-10-11T00:00:00.000Z']
    const values = instants.map((value) => ({ '@type': xsd.dateTime, '@value': value }))
    expect(expandedJsonLd(statements)).toStrictEqual([{ '@id': `${D3F}A`, [`${D3F}t`]: values }])
  })
})

describe('an instant', () => {
  it.each([
    ['2020-08-05T00:00:00', '2020-08-05T00:00:00.000Z'],
    ['2024-10-11T00:00:00+00:00', '2024-10-11T00:00:00.000Z'],
    ['2024-10-11T00:00:00-05:30', '2024-10-11T05:30:00.000Z'],
    ['2024-10-11T12:00:00.5Z', '2024-10-11T12:00:00.500Z'],
  ])('of %s is %s', (lexical, expected) => {
    expect(instant(lexical)).toBe(expected)
  })

  it.each(['', 'soon', '2020-13-45T00:00:00', 'about 2019', '2021-02-30T00:00:00'])(
    'leaves "%s" alone, which is not a date',
    (lexical) => {
      expect(instant(lexical)).toBe(lexical)
    },
  )
})
