import { z } from 'zod'
import { compareCodeUnits } from '../../../../graph/term.ts'
import { inPortions } from '../../../../platform/concurrency/turns.ts'
import { findBenchmark } from '../../../catalogue/benchmarks/reader.ts'
import { listReleases, type Release } from '../../../catalogue/benchmarks/releases.ts'
import type { Rule } from '../../../catalogue/xccdf/benchmark.ts'
import type { Reader } from '../../../database/transaction.ts'
import { namedRequirements } from './requirements.ts'

/** The SRGs that have requirements of a STIG, most of them first. */
export const namedSrgs = z.object({
  requirement_count: z.int().meta({ description: 'Number of SRG requirements that the rules of the STIG name' }),
  srgs: z.array(
    z.object({
      id: z.int(),
      srg_id: z.string(),
      title: z.string(),
      version: z.string(),
      requirement_count: z.int().meta({ description: 'How many of them it has' }),
    }),
  ),
})

/** Lists the SRGs that a component made from this STIG can be based on. Refuses unknown ids with 404. */
export async function findNamedSrgs(reader: Reader, stigId: number): Promise<z.infer<typeof namedSrgs>> {
  const { rules } = await findBenchmark(reader, stigId, 'stig')
  const ids = requirementIds(rules)
  const srgs = await rankSrgs(reader, ids)
  return {
    requirement_count: ids.length,
    srgs: srgs.map(({ release: { id, benchmarkId: srg_id, title, version }, count: requirement_count }) => {
      return { id, srg_id, title, version, requirement_count }
    }),
  }
}

export interface RankedSrg {
  readonly release: Release
  /** How many of the requirements it has. */
  readonly count: number
}

/** All SRG ids that the rules name. */
export function requirementIds(rules: readonly Rule[]): readonly string[] {
  return [...new Set(rules.flatMap(namedRequirements))]
}

/** The SRGs that have any of these requirements, except core SRGs: most requirements first, then the newest. */
export async function rankSrgs(reader: Reader, ids: readonly string[]): Promise<readonly RankedSrg[]> {
  const counts = await countRequirements(reader, ids)
  const releases = await listReleases(reader)
  const ranked = releases.toReversed().flatMap((release) => {
    const count = counts.get(release.id)
    return release.kind !== 'srg' || release.core || count === undefined ? [] : [{ release, count }]
  })
  // Within a line, releases are in order already, newest first.
  return ranked.sort((a, b) => b.count - a.count || compareDates(b.release, a.release))
}

function compareDates({ releaseDate: a }: Release, { releaseDate: b }: Release): number {
  return compareCodeUnits(a ?? '', b ?? '')
}

/** The number of ids that one query looks up. Other requests run in between. */
const BATCH_SIZE = 20

/** Counts how many of the ids each SRG has, by SRG id. */
async function countRequirements(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>()
  for await (const portion of inPortions(ids, BATCH_SIZE))
    for (const { benchmark_id, found } of await countSome(reader, portion))
      counts.set(benchmark_id, (counts.get(benchmark_id) ?? 0) + found)
  return counts
}

function countSome(
  reader: Reader,
  ids: readonly string[],
): Promise<readonly { readonly benchmark_id: number; readonly found: number }[]> {
  const matches = (['version', 'group_title'] as const).map((column) =>
    reader
      .selectFrom('benchmark_rules')
      .innerJoin('benchmarks', 'benchmarks.id', 'benchmark_rules.benchmark_id')
      .select(['benchmark_rules.benchmark_id', `benchmark_rules.${column} as named`])
      .where('benchmarks.kind', '=', 'srg')
      .where(`benchmark_rules.${column}`, 'in', ids),
  )
  const [byVersion, byGroup] = matches
  if (byVersion === undefined || byGroup === undefined) return Promise.resolve([])
  return reader
    .selectFrom(byVersion.union(byGroup).as('found'))
    .select(['benchmark_id', (is) => is.fn.countAll<number>().as('found')])
    .groupBy('benchmark_id')
    .execute()
}
