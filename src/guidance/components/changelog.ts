import { compareCodeUnits } from '../../graph/term.ts'
import { lineKey, listReleases } from '../benchmarks/releases.ts'
import type { Reader } from '../database/database.ts'
import { notFound } from '../input.ts'
import { someOf } from './releasable.ts'

/** What is new in a release of an SRG (operations B). */
export interface Changelog {
  readonly version: string
  /** Requirements of the release before that are no longer in it. */
  readonly removals: {
    readonly identifier: string
    /** Where it went; null: nowhere that is known. */
    readonly destination_abbreviation: string | null
    /** YYYY-MM-DD. */
    readonly executed_on: string
  }[]
  readonly text: string
}

/** Compares a release in the catalogue with the one before it. */
export async function findChangelog(reader: Reader, benchmarkId: number): Promise<Changelog> {
  const releases = await listReleases(reader)
  const own = releases.find(({ id }) => id === benchmarkId)
  if (own === undefined) throw notFound()
  const line = releases.filter((release) => lineKey(release) === lineKey(own))
  const previous = line[line.indexOf(own) - 1]
  const is = await findRequirements(reader, own.id)
  const head = `${own.name}: ${is.size} requirements`
  if (previous === undefined) return { version: own.version, removals: [], text: `${head}.` }
  const was = await findRequirements(reader, previous.id)
  const removed = [...was].filter((id) => !is.has(id)).sort(compareCodeUnits)
  const added = [...is].filter((id) => !was.has(id)).sort(compareCodeUnits)
  const executed_on = own.releaseDate ?? new Date().toISOString().slice(0, 10)
  return {
    version: own.version,
    removals: removed.map((identifier) => ({
      ...{ identifier, destination_abbreviation: null, executed_on },
    })),
    text: [
      `${head}; since ${previous.version}, ${added.length} were added and ${removed.length} removed.`,
      ...(added.length > 0 ? [`Added: ${someOf(added)}.`] : []),
      ...(removed.length > 0 ? [`Removed: ${someOf(removed)}.`] : []),
    ].join('\n'),
  }
}

async function findRequirements(reader: Reader, benchmarkId: number): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('benchmark_rules')
    .select('version')
    .where('benchmark_id', '=', benchmarkId)
    .execute()
  return new Set(rows.flatMap(({ version }) => version ?? []))
}
