import { describe, expect, it } from 'vitest'
import { EmbeddedGraph } from '../../../src/graph/store.ts'
import { parseDocument } from '../../../src/ontology/ingest/parse.ts'
import type { Refusal } from '../../../src/platform/errors.ts'
import { refusalOf } from '../../support/refusal.ts'

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

function parse(name: string, content: string | Uint8Array, format?: string): EmbeddedGraph {
  const graph = new EmbeddedGraph()
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  parseDocument(graph, { name, content: bytes, sha256: '', bytes: bytes.length }, format)
  return graph
}

function rejected(name: string, content: string | Uint8Array, format?: string): Promise<Refusal> {
  return refusalOf(() => parse(name, content, format))
}

function rdfXml(body: string): string {
  return `<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="${RDF}" xmlns:x="http://x/">\n${body}\n</rdf:RDF>`
}

describe('parseDocument', () => {
  it('adds the statements and returns the prefixes', () => {
    const graph = new EmbeddedGraph()
    const content = new TextEncoder().encode('@prefix x: <http://x/> .\nx:a x:b x:c .')
    const document = { name: 'a.ttl', content, sha256: '', bytes: content.length }
    expect([...parseDocument(graph, document, undefined)]).toStrictEqual([['x', 'http://x/']])
    expect(graph.dump()).toBe('<http://x/a> <http://x/b> <http://x/c> .\n')
  })

  it('reads past a byte order mark', () => {
    const marked = '\uFEFF@prefix x: <http://x/> .\nx:a x:b x:c .'
    expect(parse('a.ttl', marked).size).toBe(1)
  })

  it('resolves relative IRIs against the URL, and against the ontology for a file', () => {
    const turtle = '<#a> <#b> <c> .'
    expect(parse('http://example.org/dir/onto.ttl', turtle).dump()).toContain('<http://example.org/dir/onto.ttl#a>')
    expect(parse('onto.ttl', turtle).dump()).toContain('<http://d3fend.mitre.org/ontologies/d3fend.owl#a>')
  })

  it('reads in the format that the caller names', () => {
    expect(parse('onto.txt', '<a:b> <a:c> "d" .', 'nt').size).toBe(1)
  })
})

describe('parseDocument refuses', () => {
  it('Turtle that breaks off, naming line and column', async () => {
    const refusal = await rejected('onto.ttl', '<a:a> <a:b> <a:c> .\n<a:a> <a:b')
    expect(refusal.code).toBe('source_syntax')
    expect(refusal.members).toStrictEqual({ source: 'onto.ttl', line: 2, column: 7 })
    expect(refusal.message).toMatch(/^onto\.ttl, line 2, column 7: \S.*[^.]\.$/)
  })

  it('Turtle with an undeclared prefix, naming it', async () => {
    const refusal = await rejected('onto.ttl', '\n\nx:a x:b x:c .')
    expect(refusal.members).toStrictEqual({ source: 'onto.ttl', line: 3, column: 1 })
    expect(refusal.message).toContain('x:')
  })

  it('N-Triples with a relative IRI', async () => {
    const refusal = await rejected('onto.nt', '<a:a> <a:b> <a:c> .\n<a> <a:b> <a:c> .\n')
    expect(refusal.members).toMatchObject({ line: 2, column: 1 })
  })

  it('JSON that breaks off, with its place', async () => {
    const refusal = await rejected('onto.jsonld', '{\n  "@id": }')
    expect(refusal.members).toMatchObject({ source: 'onto.jsonld', line: 2 })
  })

  it('invalid JSON-LD, without a place', async () => {
    const refusal = await rejected('onto.jsonld', '{"@id": 5}')
    expect(refusal.members).toStrictEqual({ source: 'onto.jsonld' })
  })

  it.each(['"https://example.org/context.jsonld"', '["https://example.org/context.jsonld"]'])(
    'a remote JSON-LD context (%s), which it does not fetch',
    async (context) => {
      const refusal = await rejected('onto.jsonld', `{"@context": ${context}, "@id": "a:b"}`)
      expect(refusal.code).toBe('source_syntax')
      expect(refusal.message).toContain('not fetched')
    },
  )

  it('a whole document without keeping its beginning', () => {
    const graph = new EmbeddedGraph()
    const content = new TextEncoder().encode('<a:a> <a:b> <a:c> .\n<a:a> <a:b> .')
    const document = { name: 'onto.ttl', content, sha256: '', bytes: 0 }
    expect(() => parseDocument(graph, document, undefined)).toThrow('line 2')
    expect(graph.size).toBe(0)
  })
})

describe('parseDocument refuses RDF/XML', () => {
  it('that breaks off', async () => {
    const whole = rdfXml('<rdf:Description rdf:about="a:b"><x:p>v</x:p></rdf:Description>')
    const refusal = await rejected('onto.rdf', whole.replace('</rdf:RDF>', ''))
    expect(refusal.code).toBe('source_syntax')
    expect(refusal.message).toContain('unclosed tag: rdf:RDF')
    expect(refusal.members).toMatchObject({ line: 4 })
  })

  it('naming a column that counts from 1', async () => {
    const refusal = await rejected('onto.rdf', rdfXml('').replace('</rdf:RDF>', ''))
    expect(refusal.members['column']).toBeGreaterThan(0)
  })

  it('whose tags do not match', async () => {
    const refusal = await rejected('onto.rdf', rdfXml('<x:a></x:b>'))
    expect(refusal.members).toMatchObject({ line: 3 })
    expect(refusal.message).toContain('close tag')
  })

  it.each([
    ['with entities', '<!DOCTYPE rdf:RDF [<!ENTITY a "b">]>'],
    ['with an external subset', '<!DOCTYPE rdf:RDF SYSTEM "http://127.0.0.1:9/x.dtd">'],
  ])('with a DTD %s', async (_, doctype) => {
    const refusal = await rejected('onto.rdf', rdfXml('').replace('\n', `\n${doctype}\n`))
    expect(refusal.code).toBe('source_syntax')
    expect(refusal.message).toContain('DTD')
    expect(refusal.members).toMatchObject({ source: 'onto.rdf', line: 2 })
  })

  it('with an entity that nobody declared', async () => {
    const refusal = await rejected('onto.rdf', rdfXml('&secret;'))
    expect(refusal.message).toContain('entity')
  })

  it.each(['', 'no XML at all', '<html xmlns="http://www.w3.org/1999/xhtml"></html><b/>'])(
    'that is not XML: %j',
    async (content) => {
      expect((await rejected('onto.rdf', content)).code).toBe('source_syntax')
    },
  )
})

describe('parseDocument refuses other encodings', () => {
  it('naming the first line that is not UTF-8', async () => {
    const latin1 = Buffer.from('<a:a> <a:b> "é" .\n', 'latin1')
    const content = Buffer.concat([Buffer.from('<a:a> <a:b> "é" .\n\n'), latin1, latin1])
    const refusal = await rejected('onto.ttl', content)
    expect(refusal.code).toBe('source_syntax')
    expect(refusal.message).toContain('not UTF-8')
    expect(refusal.members).toMatchObject({ source: 'onto.ttl', line: 3 })
  })

  it('also in the last line without a line break', async () => {
    const refusal = await rejected('onto.ttl', Buffer.from('# é', 'latin1'))
    expect(refusal.members).toMatchObject({ line: 1 })
  })

  it('such as UTF-16', async () => {
    const refusal = await rejected('onto.ttl', Buffer.from('\ufeff<a:a> <a:b> "c" .', 'utf16le'))
    expect(refusal.message).toContain('not UTF-8')
  })
})
