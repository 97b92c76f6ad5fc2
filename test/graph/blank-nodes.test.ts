// @module-tag node

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { NamedGraphs } from '../../src/graph/store.ts'
import { OWL, RDF, RDFS } from '../../src/graph/vocabulary.ts'
import { asRead, ReadFile } from '../support/described.ts'

const CLASSES = 200
/** Characters of a literal, so that few classes make a large graph. */
const LABEL_LENGTH = 2000
/** How many bytes a graph may have that is loaded in one piece. */
const ONE_PIECE = 128 * 1024
const PREFIXES = `PREFIX rdf: <${RDF}> PREFIX rdfs: <${RDFS}> PREFIX owl: <${OWL}> `
const count = z.object({ results: z.object({ bindings: z.tuple([z.object({ n: z.object({ value: z.string() }) })]) }) })

/**
 * Classes with restrictions and lists of three members, as sorted lines. The labels are so numbered that lines of the
 * same blank node are far apart. Literals name labels, too.
 */
function sampleLines(classes: number): readonly string[] {
  const total = classes * 4
  const label = (index: number): string => `_:c14n${(index * 997) % total}`
  const lines = Array.from({ length: classes }, (_unused, index) => {
    const [restriction, ...cells] = [0, 1, 2, 3].map((part) => label(index * 4 + part))
    const name = `<a:class-${index}>`
    return [
      `${name} <${RDFS}label> "Größe ${index} is not _:c14n${index}${'.'.repeat(LABEL_LENGTH)}" .`,
      `${name} <${RDFS}subClassOf> ${restriction} .`,
      `${restriction} <${OWL}someValuesFrom> <a:class-${(index + 1) % classes}> .`,
      `${name} <${OWL}unionOf> ${cells[0]} .`,
      ...cells.flatMap((cell, cellIndex) => [
        `${cell} <${RDF}first> <a:member-${cellIndex}> .`,
        `${cell} <${RDF}rest> ${cells[cellIndex + 1] ?? `<${RDF}nil>`} .`,
      ]),
    ]
  })
  return lines.flat().sort()
}

function documentOf(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

function answer(graphs: NamedGraphs, query: string, mediaType: string): string {
  const dataset = { defaults: ['a:graph'], named: ['a:graph', 'a:other'] }
  return graphs.answer(PREFIXES + query, { dataset, mediaType, baseIri: 'a:base' })
}

function countOf(graphs: NamedGraphs, pattern: string): number {
  const text = answer(graphs, `SELECT (COUNT(*) AS ?n) { ${pattern} }`, 'application/json')
  return Number(count.parse(JSON.parse(text)).results.bindings[0].n.value)
}

describe('The blank nodes of a graph that is larger than a piece', () => {
  const lines = sampleLines(CLASSES)
  const document = documentOf(lines)
  const graphs = new NamedGraphs()
  graphs.load('a:graph', document)
  graphs.load('a:other', document)

  it('connect the statements about them', () => {
    expect(document.length).toBeGreaterThan(3 * ONE_PIECE)
    expect(countOf(graphs, '?s ?p ?o')).toBe(lines.length)
    expect(countOf(graphs, '?x rdfs:subClassOf ?r . ?r owl:someValuesFrom ?y')).toBe(CLASSES)
  })

  it('keep all members of lists', () => {
    const members = '?x owl:unionOf/rdf:rest*/rdf:first ?member'
    expect(countOf(graphs, members)).toBe(3 * CLASSES)
    expect(countOf(graphs, '?x owl:unionOf/rdf:rest/rdf:rest/rdf:rest rdf:nil')).toBe(CLASSES)
  })

  it('differ from those of another graph with the same labels', () => {
    expect(countOf(graphs, 'GRAPH <a:other> { ?s ?p ?o }')).toBe(lines.length)
    const inBoth = '?s ?p ?o FILTER(isBlank(?s)) GRAPH <a:other> { ?s ?p ?o }'
    expect(countOf(graphs, inBoth)).toBe(0)
  })

  it('are described for every subject as in the file', async () => {
    const file = new ReadFile(document.toString())
    const subjects = file.subjects()
    expect(subjects).toHaveLength(CLASSES)
    for (const iri of subjects) {
      const described = answer(graphs, `DESCRIBE <${iri}>`, 'application/n-triples')
      expect(await asRead(described)).toBe(await asRead(file.described(iri)))
    }
  })
})

describe('Connected blank nodes', () => {
  it('stay connected beyond the size of a piece', () => {
    const cells = 3000
    const lines = Array.from({ length: cells }, (_unused, index) => [
      `_:cell${index} <${RDF}first> "member ${index}" .`,
      `_:cell${index} <${RDF}rest> ${index + 1 < cells ? `_:cell${index + 1}` : `<${RDF}nil>`} .`,
    ])
    const graphs = new NamedGraphs()
    const document = documentOf([`<a:list> <a:is> _:cell0 .`, ...lines.flat().reverse()])
    expect(document.length).toBeGreaterThan(2 * ONE_PIECE)
    graphs.load('a:graph', document)
    expect(countOf(graphs, '<a:list> <a:is>/rdf:rest* ?cell')).toBe(cells + 1)
  })

  it.each([
    ['without blanks before a dot or behind an IRI', '_:b<a:p>_:c.\n_:c<a:p>_:b.'],
    ['with a comment after the dot', '_:b <a:p> _:c.#_:d\n_:c <a:p> _:b .'],
    ['with line ends of Windows', '_:b <a:p> _:c .\r\n_:c <a:p> _:b .\r'],
    ['with dots in labels', '_:b <a:p> _:c.d.\n_:c.d <a:p> _:b .'],
    ['with labels of other scripts', '_:b <a:p> _:é一·9 .\n_:é一·9 <a:p> _:b .'],
  ])('stay connected %s', (_title, text) => {
    const [first = '', second = ''] = text.split('\n')
    const filler = Array.from({ length: 5000 }, (_unused, index) => `_:x${index} <a:q> "${'x'.repeat(60)}" .`)
    const graphs = new NamedGraphs()
    graphs.load('a:graph', documentOf([first, ...filler, second]))
    expect(countOf(graphs, '?b <a:p> ?c . ?c <a:p> ?b')).toBe(2)
  })
})
