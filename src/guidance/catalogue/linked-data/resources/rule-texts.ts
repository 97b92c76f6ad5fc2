import { iri, text, type Statement } from '../../../../graph/term.ts'
import { notFound } from '../../../../http/input.ts'
import type { Reader } from '../../../database/transaction.ts'
import { findDiscussions, findRuleTexts, type TextsByRule } from '../../benchmarks/rule-texts.ts'
import { findRulesByName } from '../countermeasures/rule-heads.ts'
import type { Catalogue } from '../graph/catalogue-graph.ts'
import type { GuidanceTerm } from '../graph/guidance-terms.ts'

/**
 * Finds the long texts of a rule, which are not in the graph. Mitigations and other rarely filled tags of the
 * discussion are left out. Refuses a deleted rule.
 */
export async function findTexts(
  reader: Reader,
  { iris, releases }: Pick<Catalogue, 'iris' | 'releases'>,
  release: { readonly benchmarkId: string; readonly version: string; readonly ruleId: string },
): Promise<readonly Statement[]> {
  // An SRG and a STIG may share an IRI.
  const namedReleases = releases.filter(
    ({ benchmarkId, version }) => benchmarkId === release.benchmarkId && version === release.version,
  )
  const rules = await findRulesByName(
    reader,
    namedReleases.map(({ id }) => id),
    release.ruleId,
  )
  if (rules.length === 0) throw notFound()
  const ids = rules.map(({ id }) => id)
  const discussions = await findDiscussions(reader, ids)
  const { checks, fixes } = await findRuleTexts(reader, ids)
  const subject = iri(iris.rule(release, release.ruleId))
  const statementsOf = (term: GuidanceTerm, texts: TextsByRule): Statement[] =>
    // Removes duplicates, because a graph is a set.
    Array.from(new Set([...texts.values()].flat()), (value) =>
      value === null || value === '' ? [] : { subject, predicate: iri(iris.namespace + term), object: text(value) },
    ).flat()
  return [...statementsOf('discussion', discussions), ...statementsOf('check', checks), ...statementsOf('fix', fixes)]
}
