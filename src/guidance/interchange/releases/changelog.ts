import { z } from 'zod'
import { compareCodeUnits } from '../../../graph/term.ts'
import { notFound } from '../../../http/input.ts'
import { findMovedOut, type MovedRequirement } from '../../authoring/relocations/executed.ts'
import { lineKey, listReleases } from '../../catalogue/benchmarks/releases.ts'
import type { Reader } from '../../database/transaction.ts'
import { nameSome } from '../../parts/name-some.ts'

/** The changes in a release of an SRG. */
export const changelogSchema = z.object({
  version: z.string(),
  // Requirements of the previous release that were removed or moved to another SRG.
  removals: z.array(
    z.object({
      identifier: z.string(),
      // The token of the SRG to which it moved; null if no SRG is known.
      destination_abbreviation: z.string().nullable(),
      executed_on: z.string().meta({ description: 'YYYY-MM-DD' }),
    }),
  ),
  text: z.string(),
})

export type Changelog = z.infer<typeof changelogSchema>

/** Compares a release in the catalogue with the previous one. */
export async function findChangelog(reader: Reader, benchmarkId: number): Promise<Changelog> {
  const releases = await listReleases(reader)
  const basis = releases.find(({ id }) => id === benchmarkId)
  if (basis === undefined) throw notFound()
  const line = releases.filter((release) => lineKey(release) === lineKey(basis))
  const previous = line[line.indexOf(basis) - 1] ?? null
  const current = await findRequirements(reader, basis.id)
  const previousIds = previous === null ? current : await findRequirements(reader, previous.id)
  const added = [...current].filter((id) => !previousIds.has(id)).sort(compareCodeUnits)
  const removed = [...previousIds].filter((id) => !current.has(id)).sort(compareCodeUnits)
  const moved = await findMovedOut(reader, benchmarkId)
  const day = basis.releaseDate ?? new Date().toISOString().slice(0, 10)
  const since =
    previous === null ? '.' : `; since ${previous.version}, ${added.length} were added and ${removed.length} removed.`
  return {
    version: basis.version,
    removals: removalsOf(removed, moved, day),
    text: [
      `${basis.name}: ${current.size} requirements${since}`,
      ...(added.length > 0 ? [`Added: ${nameSome(added)}.`] : []),
      ...(removed.length > 0 ? [`Removed: ${nameSome(removed)}.`] : []),
      ...(moved.length > 0
        ? [`Relocated: ${nameSome(moved.map(({ identifier, token }) => `${identifier} to ${token}`))}.`]
        : []),
    ].join('\n'),
  }
}

/**
 * Lists the removed requirements, with the new place of those that moved; then moved ones that were never published.
 */
function removalsOf(
  removed: readonly string[],
  moved: readonly MovedRequirement[],
  day: string,
): Changelog['removals'] {
  const byId = new Map(moved.map((requirement) => [requirement.identifier, requirement]))
  const unpublished = moved.filter(({ identifier }) => !removed.includes(identifier))
  return [
    ...removed.map((identifier) => ({
      identifier,
      destination_abbreviation: byId.get(identifier)?.token ?? null,
      executed_on: byId.get(identifier)?.day ?? day,
    })),
    ...unpublished.map(({ identifier, token, day: executed_on }) => ({
      identifier,
      destination_abbreviation: token,
      executed_on,
    })),
  ]
}

async function findRequirements(reader: Reader, benchmarkId: number): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('benchmark_rules')
    .select('version')
    .where('benchmark_id', '=', benchmarkId)
    .execute()
  return new Set(rows.flatMap(({ version }) => version ?? []))
}
