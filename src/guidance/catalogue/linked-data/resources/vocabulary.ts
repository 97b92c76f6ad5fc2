import { readFileSync } from 'node:fs'
import { readQuery } from '../../../../graph/query.ts'
import { selectStatements, STATEMENT_COLUMNS } from '../../../../graph/statements.ts'
import { EmbeddedGraph } from '../../../../graph/store.ts'
import type { Statement } from '../../../../graph/term.ts'
import type { Iris } from '../graph/iris.ts'

const VOCABULARY = readFileSync(new URL('./vocabulary.ttl', import.meta.url), 'utf8')
const STATEMENTS = readQuery(new URL('./statements.rq', import.meta.url), STATEMENT_COLUMNS)

/** The vocabulary as Turtle with absolute IRIs, so that copies have the same meaning. */
export function vocabularyTurtle({ vocabulary }: Iris): string {
  return `@base <${vocabulary}> .\n\n${VOCABULARY}`
}

/** The vocabulary's statements. */
export function vocabularyStatements({ vocabulary }: Iris): Promise<readonly Statement[]> {
  const graph = new EmbeddedGraph()
  graph.load(new TextEncoder().encode(VOCABULARY), 'text/turtle', vocabulary)
  return selectStatements(graph, STATEMENTS)
}
