import { describe, expect, it } from 'vitest'
import { chooseDataset, type RequestedGraphs } from '../../src/sparql/graphs/dataset.ts'
import { readQuery } from '../../src/sparql/query/read-query.ts'

const graph = { key: '1', title: '', packed: new Uint8Array() }
const held = [
  { ...graph, iri: 'a:release', role: 'default' },
  { ...graph, iri: 'a:benchmark', role: 'named' },
] as const
const pinned = new Map([['a:old', { ...graph, iri: 'a:old', role: 'pinned' }]] as const)
const NONE = { defaults: [], named: [] }

function graphsFor(query: string, request: RequestedGraphs = NONE): readonly string[] {
  const { read } = chooseDataset({ held, pinned }, readQuery(query, 'a:b'), request)
  return [...read]
}

describe('The graphs that a query needs', () => {
  it('are only the default ones if a query names none', () => {
    expect(graphsFor('SELECT * { ?s ?p ?o }')).toEqual(['a:release'])
    expect(graphsFor('SELECT * FROM <a:benchmark> { ?s ?p ?o }')).toEqual(['a:benchmark'])
    expect(graphsFor('SELECT * FROM NAMED <a:benchmark> { ?s ?p ?o }')).toEqual([])
  })

  it('are all available ones if a query has GRAPH', () => {
    expect(graphsFor('SELECT * { GRAPH ?g { ?s ?p ?o } }')).toEqual(['a:release', 'a:benchmark'])
    expect(graphsFor('SELECT * FROM NAMED <a:old> { GRAPH ?g { ?s ?p ?o } }')).toEqual(['a:old'])
  })

  it('are four releases that are not active, at most', () => {
    const names = ['a:1', 'a:2', 'a:3', 'a:4', 'a:5']
    const others = new Map(names.map((iri) => [iri, { ...graph, iri, role: 'pinned' as const }]))
    const choose = (count: number) => {
      const query = names.slice(0, count).map((iri) => `FROM <${iri}>`)
      const request = readQuery(`SELECT * ${query.join(' ')} { ?s ?p ?o }`, 'a:b')
      return chooseDataset({ held, pinned: others }, request, NONE).pinned
    }
    expect(choose(4)).toHaveLength(4)
    expect(() => choose(5)).toThrow('at most 4 releases')
  })

  it('are the graphs that the request names, if it names any', () => {
    const request = { defaults: [], named: ['a:benchmark'] }
    expect(graphsFor('SELECT * { GRAPH ?g { ?s ?p ?o } }', request)).toEqual(['a:benchmark'])
  })
})
