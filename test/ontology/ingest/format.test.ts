import { describe, expect, it } from 'vitest'
import { ACCEPT, detectMediaType, FORMATS } from '../../../src/ontology/ingest/format.ts'
import { refusalOf } from '../../support/refusal.ts'

const NOTHING = new Uint8Array()

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

describe('detectMediaType by name', () => {
  it.each([
    ['onto.ttl', 'text/turtle'],
    ['onto.nt', 'application/n-triples'],
    ['onto.nq', 'application/n-quads'],
    ['onto.trig', 'application/trig'],
    ['onto.rdf', 'application/rdf+xml'],
    ['onto.owl', 'application/rdf+xml'],
    ['onto.xml', 'application/rdf+xml'],
    ['onto.jsonld', 'application/ld+json'],
    ['onto.json', 'application/ld+json'],
    ['ONTO.TTL', 'text/turtle'],
    ['onto.1.0.ttl', 'text/turtle'],
    ['onto.ttl.gz', 'text/turtle'],
    ['http://example.org/onto.ttl?version=1.0.json#here', 'text/turtle'],
  ])('recognises %s as %s', (name, expected) => {
    expect(detectMediaType(NOTHING, { name })).toBe(expected)
  })
})

describe('detectMediaType by caller and server', () => {
  it('believes the caller first', () => {
    const hints = { name: 'onto.ttl', format: 'RDF', contentType: 'application/ld+json' }
    expect(detectMediaType(bytes('@prefix a: <b:> .'), hints)).toBe('application/rdf+xml')
  })

  it('believes the server before the name', () => {
    for (const contentType of ['Text/Turtle; charset=utf-8', 'text/turtle ; charset=utf-8', ' text/turtle'])
      expect(detectMediaType(NOTHING, { name: 'http://example.org/onto.owl', contentType })).toBe('text/turtle')
  })

  it.each(['text/plain', 'text/xml', 'application/octet-stream', ''])(
    'believes the name where the server says only "%s"',
    (contentType) => {
      expect(detectMediaType(NOTHING, { name: 'http://example.org/onto.ttl', contentType })).toBe('text/turtle')
    },
  )

  it('refuses a format that it does not know, naming those it knows', async () => {
    const refusal = await refusalOf(() => detectMediaType(NOTHING, { name: 'x', format: 'docx' }))
    expect(refusal.code).toBe('source_format_unknown')
    expect(refusal.message).toContain('--format docx')
    expect(refusal.message).toContain(`Known: ${FORMATS.join(', ')}.`)
  })
})

describe('detectMediaType by content', () => {
  it.each([
    ['an XML declaration', '<?xml version="1.0"?><rdf:RDF/>', 'application/rdf+xml'],
    ['an RDF element', '\n <rdf:RDF xmlns:rdf="x">', 'application/rdf+xml'],
    ['an object', '{ "@context": {} }', 'application/ld+json'],
    ['an array of objects', '[\n  {"@id": "a:b"}]', 'application/ld+json'],
    ['@prefix', '# a remark\n\n@prefix d3f: <a:b> .', 'application/trig'],
    ['PREFIX', 'prefix d3f: <a:b>', 'application/trig'],
    ['@base', '@base <http://example.org/> .', 'application/trig'],
    ['a quad', '<http://a/> <http://b/> <http://c/> <http://d/> .', 'application/n-quads'],
    ['a triple of a blank node', '_:b0 <http://b/> "c" .', 'application/n-quads'],
    ['a line with blanks and a remark', '<http://a/>  <http://b/>\t"c" . # three', 'application/n-quads'],
    ['a remark close to the end', '<http://a/> <http://b/> "c" .# three', 'application/n-quads'],
    ['a last line that is cut off', '<http://a/> <http://b/> "c" .\n<http://a/> <ht', 'application/n-quads'],
    [
      'remarks, empty lines and indented statements',
      '# one\n# two\n\n  _:a <http://b/> "c" .\n\n# three\n  _:a <http://b/> "d" .\n',
      'application/n-quads',
    ],
    ['remarks before Turtle', '# one\n\n  # two\n@prefix d3f: <a:b> .', 'application/trig'],
    ['a statement over two lines', '<http://a/> <http://b/>\n  "c" .', 'application/trig'],
    ['a short name among whole lines', '_:a <http://b/> "c" .\n_:a a <http://c/> .\n_:d', 'application/trig'],
    ['two statements that share a line', '_:a <http://b/> "c" . _:a a _:c', 'application/trig'],
    ['an indented short name', '_:a <http://b/> "c" .\nex:a <http://b/> "c" .\n_:d', 'application/trig'],
  ])('recognises %s', (_, text, expected) => {
    expect(detectMediaType(bytes(text), { name: 'standard input' })).toBe(expected)
  })

  it('does not take Turtle for N-Quads because it opens with absolute IRIs', () => {
    const turtle = '<http://a/> <http://b/> "c" ;\n  <http://d/> "e" .'
    const detected = detectMediaType(bytes(turtle), { name: 'standard input' })
    expect(['text/turtle', 'application/trig']).toContain(detected)
  })

  it.each([
    'see <?xml version="1.0"?>',
    'var x = {"a": 1}',
    'use @prefix',
    'mail <a@example.org> now',
    'one # two\n@prefix',
  ])('refuses %j, which has signs of a format only further on', async (text) => {
    const refusal = await refusalOf(() => detectMediaType(bytes(text), { name: 'page' }))
    expect(refusal.code).toBe('source_format_unknown')
  })

  it.each(['', 'hello', '<html><body>', '<!DOCTYPE html>', '"a string"', '{}', 'PK\u0003\u0004'])(
    'refuses %j, whose format is uncertain',
    async (text) => {
      const refusal = await refusalOf(() => detectMediaType(bytes(text), { name: 'page' }))
      expect(refusal.code).toBe('source_format_unknown')
      expect(refusal.message).toBe(
        'page: its format cannot be recognised from name or content. ' +
          'Give it with --format (ttl, nt, nq, trig, rdf, owl, xml, jsonld, json).',
      )
    },
  )

  it('names the media type of the server', async () => {
    const hints = { name: 'http://example.org/onto', contentType: 'text/html; charset=utf-8' }
    const refusal = await refusalOf(() => detectMediaType(bytes('<html>'), hints))
    expect(refusal.message).toContain('the server calls it text/html')
  })
})

it('A request accepts every format, and anything else as a last resort', () => {
  expect(ACCEPT).toBe(
    'text/turtle, application/n-triples, application/n-quads, application/trig, ' +
      'application/rdf+xml, application/ld+json, */*;q=0.1',
  )
})
