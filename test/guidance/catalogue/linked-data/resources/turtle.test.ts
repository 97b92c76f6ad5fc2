import { describe, expect, it } from 'vitest'
import { selectStatements, STATEMENT_COLUMNS } from '../../../../../src/graph/statements.ts'
import { EmbeddedGraph } from '../../../../../src/graph/store.ts'
import { termKey, type Statement } from '../../../../../src/graph/term.ts'
import { turtleDocument } from '../../../../../src/guidance/catalogue/linked-data/resources/turtle.ts'

const PREFIXES = { ex: 'http://example.org/', rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#' }
const ALL = {
  text: 'SELECT * WHERE { ?subject ?predicate ?object }',
  columns: STATEMENT_COLUMNS,
  optional: [],
} as const

async function statementsOf(turtle: string): Promise<readonly Statement[]> {
  const graph = new EmbeddedGraph()
  graph.load(new TextEncoder().encode(turtle), 'text/turtle')
  const statements = await selectStatements(graph, ALL)
  return [...statements].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
}

function keyOf({ subject, predicate, object }: Statement): string {
  return `${termKey(subject)} ${predicate.value} ${termKey(object)}`
}

describe('A Turtle document', () => {
  it('has a block for each subject, with prefixed names', async () => {
    const statements = await statementsOf(
      `@prefix ex: <http://example.org/> . ex:s a ex:C ; ex:p "o", ex:o . ex:t ex:p 1 .`,
    )
    expect(turtleDocument(statements, PREFIXES)).toBe(
      [
        '@prefix ex: <http://example.org/> .',
        '@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .',
        '',
        'ex:s',
        '  ex:p "o",',
        '    ex:o ;',
        '  a ex:C .',
        '',
        'ex:t',
        '  ex:p "1"^^<http://www.w3.org/2001/XMLSchema#integer> .',
        '',
      ].join('\n'),
    )
  })

  it.each([
    '<http://example.org/a/b> <http://example.org/p.> <http://example.org/> .',
    '<http://example.org/1> <http://example.org/p-> <http://example.org/%41;x> .',
    '<a:s> <a:p> "line\\n\\"quoted\\" \\\\ \\t\\u0001", "text"@en-GB, "2026-01-31"^^<a:date> .',
    '<a:s> <a:p> "\u{1F600} \u2028" .',
  ])('means what was said: %s', async (turtle) => {
    const statements = await statementsOf(turtle)
    expect(await statementsOf(turtleDocument(statements, PREFIXES))).toStrictEqual(statements)
  })

  it('has nothing but prefixes where nothing is said', () => {
    expect(turtleDocument([], { ex: PREFIXES.ex })).toBe('@prefix ex: <http://example.org/> .\n')
  })
})
