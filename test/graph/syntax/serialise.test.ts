import { describe, expect, it } from 'vitest'
import { nTriplesPieces, readNTriples } from '../../../src/graph/syntax/n3.ts'
import { serialise } from '../../../src/graph/syntax/serialise.ts'
import type { SyntaxName } from '../../../src/graph/syntax/syntaxes.ts'
import { iri, termKey, text, type Statement } from '../../../src/graph/term.ts'
import { rdf } from '../../../src/graph/vocabulary.ts'
import { canonicalOf, readByAll, readByOxigraph } from '../../support/rdf-tools.ts'
import { refusalOf } from '../../support/refusal.ts'

const EX = 'http://example.org/ns#'
const XSD = 'http://www.w3.org/2001/XMLSchema#'
const PREFIXES = {
  ex: EX,
  xsd: XSD,
  again: EX,
  doi: 'http://example.org/doi/',
  odd: '#relative',
  cut: 'http://example.org/n',
  '': 'http://example.org/empty/',
}

const STATEMENTS = [
  `<${EX}s> <${rdf.type}> <${EX}Class>`,
  `<${EX}s> <${rdf.type}> "a text"`,
  `<${EX}s> <${EX}p> "line\\nreturn\\r\\ttab \\"quoted\\" \\\\ <&'> ]]> end "`,
  `<${EX}s> <${EX}p> "\u{1F600} \u2028 \u00e9"`,
  `<${EX}s> <${EX}p> "hello"@en-gb`,
  `<${EX}s> <${EX}p> "007"^^<${XSD}nonNegativeInteger>`,
  `<${EX}s> <${EX}p> "1"^^<${XSD}integer>`,
  `<${EX}s> <${EX}p> "-1.50"^^<${XSD}decimal>`,
  `<${EX}s> <${EX}p> "1"^^<${XSD}boolean>`,
  `<${EX}s> <${EX}p> "true"^^<${XSD}boolean>`,
  `<${EX}s> <${EX}p> "2026-01-31T00:00:00+02:00"^^<${XSD}dateTime>`,
  `<${EX}s> <${EX}p> ""`,
  `<${EX}s> <http://example.org/1-2> <http://example.org/>`,
  `<${EX}s> <http://other.example/a.b> <${EX}>`,
  `<http://example.org/a/b#c> <${EX}p.q> <${EX}9>`,
  `<${EX}%41;x> <${EX}p-> <${EX}a.>`,
  `<doi:10.1000/1> <${EX}p> <urn:x:y>`,
  `<${EX}s> <http://example.org/gr\u00f6\u00dfe> _:1a`,
  `_:1a <${EX}p> _:x.y`,
  `_:x.y <${EX}p> "of a blank node"`,
]
  .map((statement) => `${statement} .\n`)
  .join('')

/** Keys of the objects, sorted; labels of blank nodes differ, so they have one key. */
function keysOf(statements: readonly Statement[]): readonly string[] {
  return statements.map(({ object }) => (object.type === 'bnode' ? 'bnode' : termKey(object))).sort()
}

const SYNTAX_NAMES: readonly SyntaxName[] = ['turtle', 'nTriples', 'nQuads', 'rdfXml', 'jsonLd']

function write(syntax: SyntaxName, form?: 'expanded' | 'compacted'): string {
  const statements = readNTriples(writable(syntax))
  return [...serialise(statements, { syntax, prefixes: PREFIXES, form })].join('')
}

/** RDF/XML has no name for a property that ends with a digit. */
function writable(syntax: SyntaxName): string {
  return syntax === 'rdfXml' ? STATEMENTS.replaceAll('1-2>', '1-b>').replaceAll('p->', 'p>') : STATEMENTS
}

describe('A graph that is written', () => {
  it('is read as the same graph by every tool', async () => {
    const documents = SYNTAX_NAMES.map((syntax) => ({ syntax, text: write(syntax) }))
    const expanded = { syntax: 'jsonLd', text: write('jsonLd', 'expanded') } as const
    for (const { document, tool, graph } of await readByAll([...documents, expanded])) {
      const expected = await canonicalOf(writable(document.syntax))
      expect([document.syntax, tool, graph]).toEqual([document.syntax, tool, expected])
    }
  })

  it.each(SYNTAX_NAMES)('keeps numbers as they were written: %s', (syntax) => {
    const numbers = ['"007"^^<X#integer>', '"1."^^<X#decimal>', '"1E6"^^<X#double>', '"1"^^<X#boolean>']
    const lines = numbers.map((number) => `<a:s> <a:p> ${number} .\n`.replace('X#', XSD))
    const text = [...serialise(readNTriples(lines.join('')), { syntax, prefixes: {} })].join('')
    expect(readByOxigraph({ syntax, text }).split('\n').sort().join('\n').trim()).toBe(lines.sort().join('').trim())
  })

  it.each(SYNTAX_NAMES)('keeps one text in several languages and datatypes: %s', (syntax) => {
    const objects = ['"chat"@en', '"chat"@fr', '"chat"', '"chat"^^<a:type>', '"chat"^^<a:other>']
    const alike = ['<a:chat>', '"a:chat"', '_:chat', '"_:chat"']
    const lines = [...objects, ...alike].map((object) => `<a:s> <a:p> ${object} .\n`).sort()
    const written = [...serialise(readNTriples(lines.join('')), { syntax, prefixes: {} })].join('')
    const read = readNTriples(readByOxigraph({ syntax, text: written }))
    expect(keysOf(read)).toEqual(keysOf(readNTriples(lines.join(''))))
  })

  it.each(SYNTAX_NAMES)('is the same text for any order of statements: %s', (syntax) => {
    const statements = readNTriples(writable(syntax))
    const writing = { syntax, prefixes: PREFIXES }
    const twice = [...[...statements].reverse(), ...statements]
    expect([...serialise(twice, writing)].join('')).toBe(write(syntax))
  })

  it('has prefixes with which every name can be read back', () => {
    expect(write('turtle').split('\n\n')[0]).toBe(`@prefix ex: <${EX}>.\n@prefix xsd: <${XSD}>.`)
  })

  it('keeps the labels of blank nodes', () => {
    expect([...nTriplesPieces(readNTriples('_:c14n0 <a:p> _:c14n1 .\n'))].join('')).toBe('_:c14n0 <a:p> _:c14n1 .\n')
  })

  it('is written in pieces', () => {
    const many = Array.from({ length: 5000 }, (_, index) => ({
      subject: iri(`${EX}s${index}`),
      predicate: iri(`${EX}p`),
      object: text('o'),
    }))
    for (const syntax of SYNTAX_NAMES) {
      const pieces = [...serialise(many, { syntax, prefixes: PREFIXES })]
      expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(60_000)
    }
  })
})

describe('RDF/XML', () => {
  it.each([
    ['<a:s> <http://example.org/1> "o" .', 'the property <http://example.org/1>'],
    ['<a:s> <http://example.org/> "o" .', 'the property <http://example.org/>'],
    [
      '<a:s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#li> "o" .',
      'the property <http://www.w3.org/1999/02/22-rdf-syntax-ns#li>',
    ],
    ['<a:s> <a:p> "\\u0001" .', 'U+0001'],
  ])('reports a statement that it cannot express: %s', async (nTriples, cause) => {
    const statements = readNTriples(nTriples)
    const written = (): Promise<string[]> =>
      Promise.resolve().then(() => [...serialise(statements, { syntax: 'rdfXml', prefixes: {} })])
    const refusal = await refusalOf(written)
    expect(refusal.code).toBe('not_acceptable')
    expect(refusal.message).toContain(cause)
  })
})
