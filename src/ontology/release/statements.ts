import type { Graph } from '../../graph/graph.ts'
import { readQuery } from '../../graph/query.ts'
import { selectStatements, STATEMENT_COLUMNS } from '../../graph/statements.ts'
import type { Statement } from '../../graph/term.ts'
import { append } from '../../platform/append.ts'

const STATEMENTS_FROM = readQuery(new URL('./queries/statements-from.rq', import.meta.url), STATEMENT_COLUMNS)
const STATEMENTS_TO = readQuery(new URL('./queries/statements-to.rq', import.meta.url), STATEMENT_COLUMNS)

/** The statements of a release, by subject or object. */
export interface Statements {
  /** All statements about some subjects, restrictions (blank nodes) included. */
  readonly from: (subjects: Iterable<string>) => Promise<readonly Statement[]>
  readonly to: (object: string) => Promise<readonly Statement[]>
  /** Every statement, subject by subject; null if they are not in memory. */
  readonly all: readonly Statement[] | null
}

/** Queries the graph each time, so nothing stays in memory. */
export function queriedStatements(graph: Graph): Statements {
  return {
    from: (subjects) => selectStatements(graph, STATEMENTS_FROM, { subject: [...subjects] }),
    to: (object) => selectStatements(graph, STATEMENTS_TO, { object: [object] }),
    all: null,
  }
}

/** Holds all statements in memory, which is faster than a query for each record when thousands are written. */
export function packStatements(statements: readonly Statement[]): Statements {
  const bySubject = new Map<string, Statement[]>()
  const byObject = new Map<string, Statement[]>()
  for (const statement of statements) {
    const { subject, object } = statement
    if (subject.type === 'uri') append(bySubject, subject.value, statement)
    if (object.type === 'uri') append(byObject, object.value, statement)
  }
  return {
    from: (subjects) => Promise.resolve([...subjects].flatMap((iri) => bySubject.get(iri) ?? [])),
    to: (object) => Promise.resolve(byObject.get(object) ?? []),
    all: statements,
  }
}
