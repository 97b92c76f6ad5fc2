import type { Graph, IriBindings } from './graph.ts'
import type { Query } from './query.ts'
import type { Iri, Statement, Term } from './term.ts'

export const STATEMENT_COLUMNS = ['subject', 'predicate', 'object'] as const

/** Runs a query whose rows are statements. */
export async function selectStatements(
  graph: Graph,
  query: Query<(typeof STATEMENT_COLUMNS)[number]>,
  bind?: IriBindings,
): Promise<readonly Statement[]> {
  const rows = await graph.select(query, bind)
  return rows.map(({ subject, predicate, object }) => {
    if (subject.type === 'literal') throw new Error('A literal cannot be a subject')
    return { subject, predicate: asIri(predicate), object }
  })
}

function asIri(term: Term): Iri {
  if (term.type !== 'uri') throw new Error('A predicate must be an IRI')
  return term
}
