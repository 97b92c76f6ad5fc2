// @module-tag node

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EmbeddedGraph, iriToken, literalToken, parseQuads } from '../../src/graph/store.ts'
import { xsd } from '../../src/graph/vocabulary.ts'

const HOSTILE = 'http://example.org/> } ; DROP ALL # '
const INSERT = 'INSERT { <a:s> <a:p> ?value } WHERE { VALUES ?value { "sample" } }'
const ALL = { text: 'SELECT * WHERE { ?s ?p ?o } ORDER BY ?o', columns: ['s', 'p', 'o'], optional: [] } as const

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function graphOf(turtle: string): EmbeddedGraph {
  const graph = new EmbeddedGraph()
  graph.load(bytes(turtle), 'text/turtle')
  return graph
}

describe('Literals', () => {
  const XSD = 'http://www.w3.org/2001/XMLSchema#'
  const WRITTEN = [
    `"007"^^<${XSD}integer>`,
    `"7"^^<${XSD}integer>`,
    `"+5"^^<${XSD}integer>`,
    `"1"^^<${XSD}boolean>`,
    `"1.0"^^<${XSD}decimal>`,
    `"1e0"^^<${XSD}double>`,
    `"1"^^<${XSD}nonNegativeInteger>`,
    `"2020-01-01T24:00:00"^^<${XSD}dateTime>`,
    `"2020-01-01T00:00:00.000Z"^^<${XSD}dateTime>`,
    `"2020-01-01+00:00"^^<${XSD}date>`,
    `"PT60S"^^<${XSD}duration>`,
    `"no number"^^<${XSD}integer>`,
    '"colour \\"grey\\""@en',
    '"back\\\\"@en',
    `"odd\\\\"^^<${XSD}integer>`,
    '"plain \\"^^<urn:parapet:written:@x>"',
    '"tagged"@en',
    `"https://example.org/A"^^<${XSD}anyURI>`,
  ]
  const LINES = WRITTEN.map((literal) => `<a:s> <a:p> ${literal} .`)

  it('come out of every query form as they were written', async () => {
    const graph = new EmbeddedGraph()
    graph.loadAsWritten(bytes(LINES.join('\n')), 'text/turtle')
    expect(graph.dump().trim().split('\n').sort()).toStrictEqual([...LINES].sort())
    const canonical = new EmbeddedGraph()
    canonical.loadCanonical([...LINES, '_:b <a:p> "01"^^<http://www.w3.org/2001/XMLSchema#byte> .'].join('\n'))
    const blank = `_:b <a:p> "01"^^<${XSD}byte> .`
    expect(canonical.dump().trim().split('\n').sort()).toStrictEqual([...LINES, blank].sort())
    const query = { text: 'SELECT ?o { <a:s> <a:p> ?o }', columns: ['o'], optional: [] } as const
    const rows = (await graph.select(query)).map(({ o }) => o)
    expect(rows).toHaveLength(WRITTEN.length)
    expect(rows).toContainEqual({ type: 'literal', value: '007', datatype: `${XSD}integer` })
    expect(rows).toContainEqual({ type: 'literal', value: 'back\\', 'xml:lang': 'en' })
  })

  it('of two documents stay separate, like their blank nodes', () => {
    const graph = new EmbeddedGraph()
    for (const value of ['01', '1']) {
      graph.loadAsWritten(bytes(`_:b <a:p> "${value}"^^<${XSD}integer> .`), 'text/turtle')
    }
    const subjects = parseQuads(graph.dump()).map((quad) => quad.subject.value)
    expect(new Set(subjects).size).toBe(2)
  })
})

describe('EmbeddedGraph loading', () => {
  it('counts its statements', () => {
    expect(graphOf('<a:s> <a:p> <a:o> , "o" , "o" .').size).toBe(2)
  })

  it('throws the message of the parser with line and column, and keeps nothing', () => {
    const graph = new EmbeddedGraph()
    const load = (): void => {
      graph.load(bytes('<a:s> <a:p> <a:o> .\n<a:s> <a:p> .'), 'text/turtle')
    }
    expect(load).toThrow(/line 2 .*column/)
    expect(graph.size).toBe(0)
  })

  it('resolves relative IRIs against the base', () => {
    const graph = new EmbeddedGraph()
    graph.load(bytes('<#s> <#p> <x> .'), 'text/turtle', 'http://example.org/onto')
    expect(graph.dump()).toContain('<http://example.org/onto#s>')
    expect(graph.dump()).toContain('<http://example.org/x>')
  })

  it('gives blank nodes of two documents different labels', () => {
    const graph = new EmbeddedGraph()
    graph.load(bytes('_:b <a:p> "one" .'), 'text/turtle')
    graph.load(bytes('_:b <a:q> "two" .'), 'text/turtle')
    const subjects = parseQuads(graph.dump()).map((quad) => quad.subject.value)
    expect(new Set(subjects).size).toBe(2)
  })

  it('keeps the labels of blank nodes in canonical N-Quads', () => {
    const lines = [
      '<a:s> <a:p> "a literal with _:c14n9 in it" .',
      '<a:s> <a:p> <a:o> .',
      '<a:s> <a:p> _:c14n0 .',
      '_:c14n0 <a:p> _:c14n1 .',
      '_:c14n1 <a:p> "say \\"no\\"\\n" .',
    ]
    const graph = new EmbeddedGraph()
    graph.loadCanonical(`${lines.join('\n')}\n`)
    expect(graph.dump().trim().split('\n').sort()).toStrictEqual([...lines].sort())
  })
})

describe('EmbeddedGraph.select', () => {
  const graph = graphOf('<a:s> <a:p> <a:o> , "o"@en , "o" . <a:t> <a:p> <a:o> .')

  it('answers with the promised columns only', async () => {
    const rows = await graph.select({ ...ALL, columns: ['s'] })
    expect(rows).toHaveLength(4)
    expect(Object.keys(rows[0] ?? {})).toStrictEqual(['s'])
  })

  it('keeps languages and datatypes of literals', async () => {
    const typed = graphOf(`<a:s> <a:p> "x"@en , "y" , "01"^^<a:odd> .`)
    const terms = (await typed.select({ ...ALL, columns: ['o'] })).map(({ o }) => o)
    expect(terms).toHaveLength(3)
    expect(terms).toContainEqual({ type: 'literal', value: 'x', 'xml:lang': 'en' })
    expect(terms).toContainEqual({ type: 'literal', value: 'y' })
    expect(terms).toContainEqual({ type: 'literal', value: '01', datatype: 'a:odd' })
  })

  it('distinguishes equal texts in different languages or of different datatypes', async () => {
    const objects = ['"x"', '"x"@en', '"x"@de', '"x"^^<a:odd>', '"x"^^<a:other>', '<a:x>', '"a:x"']
    const alike = graphOf(`<a:s> <a:p> ${objects.join(' , ')} .`)
    const terms = (await alike.select({ ...ALL, columns: ['o'] })).map(({ o }) => o)
    expect(new Set(terms.map((term) => JSON.stringify(term))).size).toBe(objects.length)
  })

  it('shares one object between equal terms', async () => {
    const rows = await graph.select(ALL)
    const iris = rows.map(({ o }) => o).filter((term) => term.type === 'uri')
    expect(iris).toHaveLength(2)
    expect(iris[0]).toBe(iris[1])
  })

  it('leaves unbound optional columns out of a row', async () => {
    const text = 'SELECT ?s ?none WHERE { ?s <a:p> "o" OPTIONAL { ?s <a:none> ?none } }'
    expect(await graph.select({ text, columns: ['s'], optional: ['none'] })).toStrictEqual([
      { s: { type: 'uri', value: 'a:s' } },
    ])
  })

  it('throws when a row lacks a promised column', async () => {
    const text = 'SELECT ?s ?none WHERE { ?s <a:p> "o" OPTIONAL { ?s <a:none> ?none } }'
    const selected = graph.select({ text, columns: ['s', 'none'], optional: [] })
    await expect(selected).rejects.toThrow('lacks one of s, none')
  })

  it('throws when the query is not a SELECT', async () => {
    const ask = async (): Promise<unknown> => graph.select({ text: 'ASK { ?s ?p ?o }', columns: [], optional: [] })
    await expect(ask()).rejects.toThrow('not a SELECT')
  })

  it('binds IRIs in the place of the sample', async () => {
    const query = { text: 'SELECT ?s WHERE { VALUES ?s { <a:sample> } ?s <a:p> <a:o> }', columns: ['s'], optional: [] }
    expect(await graph.select(query)).toHaveLength(0)
    expect(await graph.select(query, { s: ['a:s', 'a:t', 'a:u'] })).toHaveLength(2)
  })

  it('refuses to bind a text that is not an IRI', async () => {
    const text = 'SELECT ?s WHERE { VALUES ?s { <a:sample> } ?s <a:p> <a:o> }'
    const select = async (): Promise<unknown> => graph.select({ text, columns: ['s'], optional: [] }, { s: [HOSTILE] })
    await expect(select()).rejects.toThrow('Invalid IRI')
  })
})

describe('EmbeddedGraph.update', () => {
  it.each([
    'plain',
    'she said "no"',
    "'''",
    'two\nlines\r\nand\ttabs',
    'a } b { c',
    '$& $1 $$ $`',
    'back\\slash \\u0041 \\',
    'VALUES ?value { "x" }',
    '',
  ])('writes the literal %j unchanged', async (value) => {
    const graph = new EmbeddedGraph()
    graph.update(INSERT, { value: [literalToken(value)] })
    expect(await graph.select({ ...ALL, columns: ['o'] })).toStrictEqual([{ o: { type: 'literal', value } }])
  })

  it('writes any literal unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (value) => {
        const graph = new EmbeddedGraph()
        graph.update(INSERT, { value: [literalToken(value)] })
        const rows = await graph.select({ ...ALL, columns: ['o'] })
        expect(rows.map(({ o }) => o.value)).toStrictEqual([value])
      }),
    )
  })

  it('writes a typed literal', async () => {
    const graph = new EmbeddedGraph()
    graph.update(INSERT, { value: [literalToken('2026-01-31T00:00:00Z', xsd.dateTime)] })
    expect(await graph.select({ ...ALL, columns: ['o'] })).toStrictEqual([
      { o: { type: 'literal', value: '2026-01-31T00:00:00Z', datatype: xsd.dateTime } },
    ])
  })

  it('applies a request completely or not at all', () => {
    const graph = graphOf('<a:s> <a:p> <a:o> .')
    expect(() => {
      graph.update('INSERT DATA { <a:s> <a:p> "new" } ; LOAD <file:///nowhere>')
    }).toThrow()
    expect(graph.size).toBe(1)
  })
})

describe('parseQuads', () => {
  it('reads plain objects and keeps blank node labels', () => {
    const [quad] = parseQuads('_:x <a:p> "hallo"@de <a:g> .')
    expect(quad).toStrictEqual({
      subject: { termType: 'BlankNode', value: 'x' },
      predicate: { termType: 'NamedNode', value: 'a:p' },
      object: {
        termType: 'Literal',
        value: 'hallo',
        language: 'de',
        datatype: { termType: 'NamedNode', value: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString' },
      },
      graph: { termType: 'NamedNode', value: 'a:g' },
    })
  })
})

describe('iriToken', () => {
  it('writes an IRI in angle brackets', () => {
    expect(iriToken('http://example.org/a?b=c#d')).toBe('<http://example.org/a?b=c#d>')
  })

  it.each([HOSTILE, 'relative', 'a:b c', 'a:"b"', 'a:b\n', 'a:{b}', '', '_:b0'])('refuses %j', (value) => {
    expect(() => iriToken(value)).toThrow()
  })

  it('refuses characters that could end a block', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (rest) => {
        const value = `http://example.org/${rest}`
        let token: string
        try {
          token = iriToken(value)
        } catch {
          return
        }
        expect(token).toBe(`<${value}>`)
        expect(rest).not.toMatch(/[\s<>"{}|\\^`]/)
      }),
    )
  })
})
