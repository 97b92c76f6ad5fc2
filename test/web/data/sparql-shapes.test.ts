import { readFileSync } from 'node:fs'
import { globSync } from 'tinyglobby'
import { describe, expect, it } from 'vitest'
import { rangeAt, suggestAt, type Vocabulary } from '../../../src/web/application/data/sparql/editor/completion.ts'
import { adaptExamples, readExample } from '../../../src/web/application/data/sparql/examples/examples.ts'
import {
  nextSorting,
  readAnswer,
  sortRows,
  type Term,
} from '../../../src/web/application/data/sparql/result/results.ts'
import { viewTerm } from '../../../src/web/application/data/sparql/result/term-view.ts'
import { shapeDescription } from '../../../src/web/application/data/sparql/vocabulary/graphs.ts'

const D3F = 'http://d3fend.mitre.org/ontologies/d3fend.owl#'
const XSD = 'http://www.w3.org/2001/XMLSchema#'
const BASE = 'https://parapet.example'
const FILES = globSync(['src/web/application/data/sparql/examples/*.rq'])
const EXAMPLES = FILES.map((file) => readExample(readFileSync(file, 'utf8')))

describe('The examples of the SPARQL page', () => {
  it('are those of docs/sparql.md', () => {
    const documented = Array.from(
      readFileSync('docs/sparql.md', 'utf8').matchAll(/\*\*([^*]+)\*\*[^`]*```sparql\n([\s\S]*?)```/g),
      ([, title = '', query = '']) => ({ title, query: query.trim() }),
    )
    expect(EXAMPLES.toSorted((a, b) => (a.title < b.title ? -1 : 1))).toEqual(
      documented.toSorted((a, b) => (a.title < b.title ? -1 : 1)),
    )
    expect(EXAMPLES.length).toBe(10)
  })

  it('use the address and the benchmarks of this service', () => {
    const graphs = [`${BASE}/benchmarks/RHEL_9_STIG/V2R6`, `${BASE}/benchmarks/Samovar_STIG/V1R1`]
    const adapted = adaptExamples(EXAMPLES, { base: BASE, graphs })
    expect(adapted.length).toBe(10)
    const text = adapted.map(({ query }) => query).join('\n')
    expect(text).not.toContain('localhost')
    const named = new Set(Array.from(text.matchAll(/\/benchmarks\/[^>]+/g), ([path]) => BASE + path))
    expect([...named].toSorted()).toEqual(graphs)
  })

  it('leave out examples that need more benchmarks than exist', () => {
    const left = (graphs: readonly string[]): number => adaptExamples(EXAMPLES, { base: BASE, graphs }).length
    expect(left([])).toBe(8)
    expect(left([`${BASE}/benchmarks/Samovar_STIG/V1R1`])).toBe(9)
  })
})

const VOCABULARY: Vocabulary = {
  prefixes: new Map([
    ['d3f', D3F],
    ['guidance', `${BASE}/ns/guidance#`],
  ]),
  terms: [`${D3F}AccountLocking`, `${D3F}d3fend-id`, `${BASE}/ns/guidance#cci`],
  graphs: [{ iri: `${BASE}/graphs/controls`, title: 'Controls and techniques' }],
}

function labelsAt(query: string): readonly string[] | undefined {
  return suggestAt(query, query.length, VOCABULARY)?.items.map(({ label }) => label)
}

describe('The completion of queries', () => {
  it('has the terms of a prefix, and declares a prefix that the query lacks', () => {
    const query = 'SELECT ?s WHERE { ?s d3f:d'
    const found = suggestAt(query, query.length, VOCABULARY)
    expect(found?.from).toBe(query.indexOf('d3f:'))
    expect(found?.items).toEqual([
      { label: 'd3f:AccountLocking', kind: 'property', declaration: `PREFIX d3f: <${D3F}>\n` },
      { label: 'd3f:d3fend-id', kind: 'property', declaration: `PREFIX d3f: <${D3F}>\n` },
    ])
  })

  it('follows the prefixes that the query declares', () => {
    const query = `PREFIX g: <${BASE}/ns/guidance#> ASK { ?s g:`
    expect(suggestAt(query, query.length, VOCABULARY)?.items).toEqual([{ label: 'g:cci', kind: 'property' }])
  })

  it('has variables, graphs, keywords and declarations in valid places', () => {
    expect(labelsAt('SELECT ?name ?id WHERE { ?n')).toEqual(['?name', '?id'])
    expect(labelsAt('SELECT * FROM <')).toEqual([`<${BASE}/graphs/controls>`])
    expect(labelsAt('SEL')).toContain('SELECT')
    expect(labelsAt('PREFIX d')).toEqual(['d3f:', 'guidance:'])
  })

  it.each(['# a comment d3f:', 'FILTER(?x = "d3f:', 'SELECT ?x { '])('has nothing after %s', (query) => {
    expect(suggestAt(query, query.length, VOCABULARY)).toBeNull()
  })

  it('finds the token that an error names by line and column', () => {
    const query = 'SELECT ?s WHERE {\n  ?s d3f:x ?o\n}'
    const { from, to } = rangeAt(query, 2, 6)
    expect(query.slice(from, to)).toBe('d3f:x')
    expect(rangeAt(query, 9, 9)).toEqual({ from: query.length, to: query.length })
  })
})

describe('An answer', () => {
  const number = (value: string): Term => ({ type: 'literal', value, datatype: `${XSD}integer` })
  const rows = [{ n: number('10') }, { n: number('9') }, {}, { n: number('-1') }]

  it('is sorted by value in both directions with empty cells last, and returns to its original order', () => {
    const valuesOf = (sorting: Parameters<typeof sortRows>[1]): unknown[] =>
      sortRows(rows, sorting).map(({ n }) => n?.value)
    const up = nextSorting(null, 'n')
    const down = nextSorting(up, 'n')
    expect(valuesOf(up)).toEqual(['-1', '9', '10', undefined])
    expect(valuesOf(down)).toEqual(['10', '9', '-1', undefined])
    expect(valuesOf(nextSorting(down, 'n'))).toEqual(['10', '9', undefined, '-1'])
  })

  it('is a table, a word or a graph', () => {
    expect(readAnswer('application/sparql-results+json', '{"head":{},"boolean":false}')).toEqual({
      kind: 'boolean',
      value: false,
    })
    expect(readAnswer('text/turtle; charset=utf-8', '<a> <b> <c> .').kind).toBe('graph')
    const empty = '{"head":{"vars":["s"]},"results":{"bindings":[]}}'
    expect(readAnswer('application/sparql-results+json', empty)).toEqual({ kind: 'table', columns: ['s'], rows: [] })
  })

  it.each([
    [{ type: 'uri', value: `${D3F}T1110` }, 'd3f:T1110', '/offensive-technique/attack/T1110/'],
    [{ type: 'uri', value: `${D3F}Credential` }, 'd3f:Credential', '/ontology/describe/d3f:Credential/'],
    [{ type: 'uri', value: `${BASE}/ccis/CCI-000044` }, '/ccis/CCI-000044', '/ccis/CCI-000044'],
    [{ type: 'literal', value: 'D3-MFA' }, 'D3-MFA', '/D3-MFA'],
    [{ type: 'literal', value: 'CWE-119' }, 'CWE-119', '/weakness/cwe/CWE-119/'],
    [{ type: 'literal', value: 'plain' }, 'plain', null],
    [{ type: 'bnode', value: 'b0' }, '_:b0', null],
  ] as const)('leads from %o to its page', (term, text, path) => {
    expect(viewTerm(term, BASE)).toEqual({ text, path, note: null, address: null })
  })

  it('shows a language, and an address elsewhere', () => {
    expect(viewTerm({ type: 'literal', value: 'x', 'xml:lang': 'en' }, BASE).note).toBe('en')
    expect(viewTerm({ type: 'uri', value: 'javascript:alert(1)' }, BASE).address).toBeNull()
    expect(viewTerm({ type: 'uri', value: 'https://e.example/' }, BASE).address).toBe('https://e.example/')
  })
})

describe('The service description', () => {
  it('names the service, its graphs and the default one, whose nodes come in pieces', () => {
    const sd = 'http://www.w3.org/ns/sparql-service-description#'
    const title = 'http://purl.org/dc/terms/title'
    const nodes = [
      { '@id': `${BASE}/sparql`, [`${sd}endpoint`]: [{ '@id': `${BASE}/sparql` }] },
      { '@id': '_:a', [`${sd}name`]: [{ '@id': `${BASE}/graphs/b` }] },
      { '@id': '_:a', [title]: [{ '@value': 'B' }] },
      { '@id': `${BASE}/sparql#default`, [title]: [{ '@value': 'Ontology 1 of 2024-10-11T00:00:00+00:00' }] },
    ]
    expect(shapeDescription(nodes)).toEqual({
      base: BASE,
      graphs: [{ iri: `${BASE}/graphs/b`, title: 'B' }],
      main: 'Ontology 1 of 2024-10-11',
    })
  })
})
