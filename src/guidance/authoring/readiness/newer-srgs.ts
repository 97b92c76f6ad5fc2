import { compareRules, type RuleChange } from '../../catalogue/benchmark-diff/compare.ts'
import { findBenchmark } from '../../catalogue/benchmarks/reader.ts'
import { lineKey, latestOf, listReleases } from '../../catalogue/benchmarks/releases.ts'
import type { Reader } from '../../database/transaction.ts'

/** A source SRG that has a newer release, with the changes in it. */
export interface NewerSrg {
  readonly id: number
  readonly srg_id: string
  readonly version: string
  readonly current_id: number
  readonly current_version: string
  /** Ids of requirements that the newer release adds. */
  readonly added: readonly string[]
  /** Ids of catalogue rows that the newer release no longer has. */
  readonly removed: ReadonlySet<number>
  /** The fields that differ, by the id of the catalogue row. */
  readonly changed: ReadonlyMap<number, readonly string[]>
}

/** Newer releases of the SRGs that a component was made from. */
export async function findNewerSrgs(reader: Reader, componentId: number): Promise<readonly NewerSrg[]> {
  const sources = await reader
    .selectFrom('component_srgs')
    .select('benchmark_id')
    .where('component_id', '=', componentId)
    .orderBy('position')
    .execute()
  const releases = await listReleases(reader)
  const newest = new Map(latestOf(releases).map((release) => [lineKey(release), release]))
  const newerSrgs: NewerSrg[] = []
  for (const { benchmark_id } of sources) {
    const current = releases.find(({ id }) => id === benchmark_id)
    const newer = current === undefined ? undefined : newest.get(lineKey(current))
    if (current === undefined || newer === undefined || newer.id === current.id) continue
    const differences = await compare(reader, current.id, newer.id)
    newerSrgs.push({
      ...differences,
      id: newer.id,
      srg_id: newer.benchmarkId,
      version: newer.version,
      current_id: current.id,
      current_version: current.version,
    })
  }
  return newerSrgs
}

async function compare(
  reader: Reader,
  currentId: number,
  newerId: number,
): Promise<Pick<NewerSrg, 'added' | 'removed' | 'changed'>> {
  const current = await findBenchmark(reader, currentId, 'srg')
  const newer = await findBenchmark(reader, newerId, 'srg')
  const numbers = new Map(current.rules.map((rule) => [rule.ruleId, rule.id]))
  const numberOf = ({ before }: RuleChange): number => numbers.get(before?.ruleId ?? '') ?? 0
  const changes = await compareRules(current.rules, newer.rules)
  const changed = changes.filter((change) => change.status === 'changed' && isSame(change))
  // The id identifies a requirement: the same words under another id are another requirement.
  const realChanges = changes.filter((change) => !isSame(change))
  return {
    added: realChanges.flatMap(({ after }) => (after === null ? [] : [after.version ?? after.ruleId])),
    removed: new Set(realChanges.filter(({ before }) => before !== null).map(numberOf)),
    changed: new Map(changed.map((change) => [numberOf(change), change.changes.map(({ field }) => field)])),
  }
}

function isSame({ before, after }: RuleChange): boolean {
  return before !== null && after !== null && before.version === after.version
}
