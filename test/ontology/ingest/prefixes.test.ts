import { describe, expect, it } from 'vitest'
import { declaredPrefixes } from '../../../src/ontology/ingest/parse.ts'

describe('declaredPrefixes', () => {
  it('finds both spellings of Turtle', () => {
    const turtle = '@prefix a: <http://a/> .\n  PREFIX b-2: <http://b#>\nprefix c.d:<http://c/>'
    expect([...declaredPrefixes(turtle)]).toStrictEqual([
      ['a', 'http://a/'],
      ['b-2', 'http://b#'],
      ['c.d', 'http://c/'],
    ])
  })

  it('finds XML namespaces', () => {
    const xml = '<rdf:RDF xmlns:rdf="http://rdf#"\n  xmlns:x="http://x/" xmlns="http://default/">'
    expect([...declaredPrefixes(xml)]).toStrictEqual([
      ['rdf', 'http://rdf#'],
      ['x', 'http://x/'],
    ])
  })

  it('finds entries of a JSON-LD context that can be a namespace', () => {
    const json = '{"@context": {"x": "http://x/", "y": "urn:y:", "label": "http://x/label"}}'
    expect([...declaredPrefixes(json)]).toStrictEqual([
      ['x', 'http://x/'],
      ['y', 'urn:y:'],
    ])
  })

  it('keeps the first of several declarations, and leaves out the empty prefix', () => {
    const turtle = '@prefix : <http://d/> .\n@prefix a: <http://1/> .\n@prefix a: <http://2/> .'
    expect([...declaredPrefixes(turtle)]).toStrictEqual([['a', 'http://1/']])
  })

  it('finds none in N-Triples', () => {
    expect(declaredPrefixes('<http://a/> <http://b/> "c: <d>" .\n').size).toBe(0)
  })
})
