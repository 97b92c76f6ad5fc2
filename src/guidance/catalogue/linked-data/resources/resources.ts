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
 * Finds the statements about a resource, its parts and releases, and the SRGs that state it, sorted. The rules that
 * satisfy a requirement are left out: there may be thousands. `more` are statements from outside the graph. Refuses an
 * unknown resource.
 */
export async function findSurroundings(
  { graph, iris }: Pick<Catalogue, 'graph' | 'iris'>,
  iri: string,
  addedStatements: readonly Statement[] = [],
): Promise<readonly Statement[]> {
  const { isPartOf, isVersionOf, replaces } = dcterms
  const predicate = [isPartOf, isVersionOf, replaces, `${iris.namespace}states`]
  const outbound = await selectStatements(graph, DESCRIBE, { subject: [iri] })
  const inbound = await selectStatements(graph, INBOUND, { object: [iri], predicate })
  return sortStatements([...outbound, ...inbound, ...addedStatements])
}

/**
 * Finds the statements about a CCI and the controls that it matches, sorted. The rules that refer to it are left out:
 * they may be half of all rules. `more` are statements of the CCI list. Refuses an unknown CCI.
 */
export async function findCci(
  graph: Graph,
  iri: string,
  addedStatements: readonly Statement[] = [],
): Promise<readonly Statement[]> {
  const outbound = await selectStatements(graph, DESCRIBE, { subject: [iri] })
  const controls = outbound
    .filter(({ predicate }) => predicate.value === skos.exactMatch)
    .map(({ object }) => object.value)
  const matched = controls.length === 0 ? [] : await selectStatements(graph, DESCRIBE, { subject: controls })
  return sortStatements([...outbound, ...matched, ...addedStatements])
}

/** Sorts statements and removes duplicates. Refuses (`not_found`) if there are none. */
export function sortStatements(statements: readonly Statement[]): readonly Statement[] {
  if (statements.length === 0) throw notFound()
  // The graph and a list may have the same statement.
  const distinct = new Map(statements.map((statement) => [keyOf(statement), statement]))
  return [...distinct].sort(([a], [b]) => compareCodeUnits(a, b)).map(([, statement]) => statement)
}

function keyOf({ subject, predicate, object }: Statement): string {
  return [termKey(subject), predicate.value, termKey(object)].join('\0')
}
