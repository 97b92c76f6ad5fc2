import type { Graph } from '../../../../graph/graph.ts'
import { readQuery } from '../../../../graph/query.ts'
import { selectStatements, STATEMENT_COLUMNS } from '../../../../graph/statements.ts'
import { compareCodeUnits, termKey, type Statement } from '../../../../graph/term.ts'
import { notFound } from '../../../../http/input.ts'
import type { Catalogue } from '../graph/catalogue-graph.ts'
import { dcterms, skos } from '../graph/terms.ts'

const DESCRIBE = readQuery(new URL('./describe.rq', import.meta.url), STATEMENT_COLUMNS)
const INBOUND = readQuery(new URL('./inbound.rq', import.meta.url), STATEMENT_COLUMNS)

/**
 * Statements about a resource, its parts and releases, and the SRGs that state it, sorted. Without the rules that
 * satisfy a requirement, which may be thousands. `more` are those that the graph does not hold. Refuses an unknown resource.
 */
export async function findSurroundings(
  { graph, iris }: Pick<Catalogue, 'graph' | 'iris'>,
  iri: string,
  more: readonly Statement[] = [],
): Promise<readonly Statement[]> {
  const { isPartOf, isVersionOf, replaces } = dcterms
  const predicate = [isPartOf, isVersionOf, replaces, `${iris.namespace}states`]
  const outbound = await selectStatements(graph, DESCRIBE, { subject: [iri] })
  const inbound = await selectStatements(graph, INBOUND, { object: [iri], predicate })
  return sortStatements([...outbound, ...inbound, ...more])
}

/**
 * Statements about a CCI and the controls that it matches, sorted. Without the rules that refer to it, which may be
 * half of all. `more` are those of the CCI list. Refuses an unknown CCI.
 */
export async function findCci(
  graph: Graph,
  iri: string,
  more: readonly Statement[] = [],
): Promise<readonly Statement[]> {
  const outbound = await selectStatements(graph, DESCRIBE, { subject: [iri] })
  const controls = outbound
    .filter(({ predicate }) => predicate.value === skos.exactMatch)
    .map(({ object }) => object.value)
  const matched = controls.length === 0 ? [] : await selectStatements(graph, DESCRIBE, { subject: controls })
  return sortStatements([...outbound, ...matched, ...more])
}

/** Sorted, each once. Refuses `not_found` where there is nothing to say. */
export function sortStatements(statements: readonly Statement[]): readonly Statement[] {
  if (statements.length === 0) throw notFound()
  // The graph and a list may state the same.
  const distinct = new Map(statements.map((statement) => [keyOf(statement), statement]))
  return [...distinct].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, statement]) => statement)
}

function keyOf({ subject, predicate, object }: Statement): string {
  return [termKey(subject), predicate.value, termKey(object)].join('\0')
}
