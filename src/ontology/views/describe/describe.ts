import { expandedJsonLd } from '../../../graph/json-ld.ts'
import { STATEMENT_COLUMNS } from '../../../graph/statements.ts'
import { compareCodeUnits, iri as toIri, termKey, type Statement } from '../../../graph/term.ts'
import type { Release } from '../../release/release.ts'
import { JSON_FORMAT } from '../json.ts'
import { results } from '../rows.ts'
import { byName, type RecordView } from '../view.ts'

const COMMON_PARTS = {
  kind: 'record',
  parameter: {
    name: 'subject',
    description: 'Prefixed name of anything in the graph, or its full IRI percent-encoded',
    example: 'd3f:SystemCall',
  },
  format: JSON_FORMAT,
  members: (release: Release) => byName(release, release.resources),
} as const

export const describe: RecordView = {
  ...COMMON_PARTS,
  path: '/api/ontology/describe/{subject}.json',
  operation: 'describe',
  responseType: 'Description',
  summary: 'All statements about a subject, in both directions, with restrictions spelt out (SPARQL DESCRIBE)',
  answer: async (release, iri) => {
    return expandedJsonLd(await describeStatements(release, iri))
  },
}

export const inbound: RecordView = {
  ...COMMON_PARTS,
  path: '/api/ontology/describe/inbound/{subject}.json',
  operation: 'describeInbound',
  responseType: 'OntologyBindings',
  summary: 'All statements that have a subject as their object, as SPARQL results',
  answer: async (release, iri) => {
    const statements = await release.statements.to(iri)
    const order = ({ subject, predicate }: Statement): string =>
      `${subject.type === 'bnode' ? '_:' : ''}${subject.value} ${predicate.value}`
    return results(
      STATEMENT_COLUMNS,
      statements.map((row) => ({ ...row })).sort((a, b) => compareCodeUnits(order(a), order(b))),
    )
  },
}

/** All statements that have a resource as subject or object. */
export async function describeStatements(release: Release, iri: string): Promise<Iterable<Statement>> {
  const [from, to] = await Promise.all([release.statements.from([iri]), release.statements.to(iri)])
  return withBlankNodes(release, iri, [...from, ...to])
}

/**
 * Follows all blank nodes in both directions until only named nodes are at the edge. An engine may give them other labels
 * in each answer, so all statements with blank nodes come from the same answer.
 */
function withBlankNodes(
  { blankStatements }: Release,
  described: string,
  direct: readonly Statement[],
): ReadonlySet<Statement> {
  const named = direct.filter(({ subject, object }) => subject.type !== 'bnode' && object.type !== 'bnode')
  const reached = new Set([...named, ...(blankStatements.get(termKey(toIri(described))) ?? [])])
  const expanded = new Set<string>()
  for (const { subject, object } of reached) {
    for (const end of [subject, object]) {
      const key = termKey(end)
      if (end.type !== 'bnode' || expanded.has(key)) continue
      expanded.add(key)
      for (const statement of blankStatements.get(key) ?? []) reached.add(statement)
    }
  }
  return reached
}
