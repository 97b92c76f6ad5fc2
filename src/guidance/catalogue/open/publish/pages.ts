import type { Reader } from '../../../database/transaction.ts'
import { latestOf, type Release } from '../../benchmarks/releases.ts'
import { encodeSegment, IRI_PATHS } from '../../linked-data/graph/iris.ts'
import type { CatalogueDocument } from './document.ts'
import type { PlannedRelease } from './plan.ts'

/**
 * Makes the document of a page. `base` is the relative path from the page to the root of the tree, such as `../../`.
 */
export type PageAt = (base: string) => string

export function* listPages(requirements: readonly string[], pageAt: PageAt): Generator<CatalogueDocument, void> {
  yield page('/guidance', pageAt)
  for (const id of requirements) yield page(IRI_PATHS.requirement(id), pageAt)
}

/** Yields the pages of a release, of its rules, and of its changes since the previous release. */
export function* releasePages(
  { release, from }: PlannedRelease,
  ruleIds: Iterable<string>,
  pageAt: PageAt,
): Generator<CatalogueDocument, void> {
  yield page(IRI_PATHS.benchmark(release), pageAt)
  for (const id of ruleIds) yield page(IRI_PATHS.rule(release, id), pageAt)
  if (from === null) return
  const before = IRI_PATHS.benchmark({ ...release, version: from.version })
  yield page(`${before}/changes/${encodeSegment(release.version)}`, pageAt)
}

/** The page is the file that servers send for a folder. */
export function page(path: string, pageAt: PageAt): CatalogueDocument {
  const base = '../'.repeat(path.split('/').length - 1)
  return { url: `${path}/index.html`, write: () => Promise.resolve(pageAt(base)) }
}

/** Finds the ids of the requirements in the newest releases of SRGs and STIGs, sorted. */
export async function findRequirementIds(reader: Reader, releases: readonly Release[]): Promise<readonly string[]> {
  const newest = latestOf(releases).map(({ id }) => id)
  if (newest.length === 0) return []
  const ofRules = (kind: 'srg' | 'stig', column: 'version' | 'group_title') =>
    reader
      .selectFrom('benchmark_rules as rule')
      .innerJoin('benchmarks as benchmark', 'benchmark.id', 'rule.benchmark_id')
      .select(`rule.${column} as id`)
      .distinct()
      .where('benchmark.kind', '=', kind)
      .where('benchmark.id', 'in', newest)
      .where(`rule.${column}`, 'is not', null)
      .execute()
  const rows = [...(await ofRules('srg', 'version')), ...(await ofRules('stig', 'group_title'))]
  return [...new Set(rows.flatMap(({ id }) => id ?? []))].sort()
}
