// @module-tag node

import { describe, expect, it } from 'vitest'
import { selectStatements, STATEMENT_COLUMNS } from '../../src/graph/statements.ts'
import { EmbeddedGraph } from '../../src/graph/store.ts'

const COLUMNS = { columns: STATEMENT_COLUMNS, optional: [] }

function graphOf(turtle: string): EmbeddedGraph {
  const graph = new EmbeddedGraph()
  graph.load(new TextEncoder().encode(turtle), 'text/turtle')
  return graph
}

describe('selectStatements', () => {
  const graph = graphOf('<a:s> <a:p> "o" , <a:o> .')

  it('answers with statements', async () => {
    const text = 'SELECT * WHERE { ?subject ?predicate ?object } ORDER BY ?object'
    expect(await selectStatements(graph, { text, ...COLUMNS })).toStrictEqual([
      {
        subject: { type: 'uri', value: 'a:s' },
        predicate: { type: 'uri', value: 'a:p' },
        object: { type: 'uri', value: 'a:o' },
      },
      {
        subject: { type: 'uri', value: 'a:s' },
        predicate: { type: 'uri', value: 'a:p' },
        object: { type: 'literal', value: 'o' },
      },
    ])
  })

  it('passes bindings on', async () => {
    const query = { text: 'SELECT * WHERE { VALUES ?object { <a:none> } ?subject ?predicate ?object }', ...COLUMNS }
    expect(await selectStatements(graph, query)).toHaveLength(0)
    expect(await selectStatements(graph, query, { object: ['a:o'] })).toHaveLength(1)
  })

  it('refuses a literal as a subject', async () => {
    const text = 'SELECT * WHERE { ?object ?predicate ?subject FILTER(isLiteral(?subject)) }'
    await expect(selectStatements(graph, { text, ...COLUMNS })).rejects.toThrow('subject')
  })

  it('refuses anything but an IRI as a predicate', async () => {
    const text = 'SELECT * WHERE { ?subject ?object ?predicate FILTER(isLiteral(?predicate)) }'
    await expect(selectStatements(graph, { text, ...COLUMNS })).rejects.toThrow('predicate')
  })
})
