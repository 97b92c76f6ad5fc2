import { compareCodeUnits } from '../../../graph/term.ts'
import { manyRows } from '../../database/many-rows.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Reader } from '../../database/transaction.ts'
import type { SeverityCounts } from '../xccdf/benchmark.ts'

/** The head of a release as its file states it. */
export interface ReleaseHead {
  readonly kind: BenchmarkKind
  readonly benchmarkId: string
  readonly version: string
  readonly title: string
  readonly releaseDate: string | null
  /** SHA-256 (hex) of the content. */
  readonly digest: string
  readonly ruleCount: number
  readonly severityCounts: SeverityCounts
}

/** A release of a benchmark in a list. */
export interface Release extends ReleaseHead {
  readonly id: number
  /** The benchmark id shared by all releases of the product, even after DISA renamed it. */
  readonly line: string
  readonly name: string
  readonly core: boolean
}

/** All releases by kind and line, oldest first in each line. */
export async function listReleases(reader: Reader): Promise<readonly Release[]> {
  const lines = await findLines(reader)
  const rows = await findRows(reader)
  const placed = rows.map((row) => ({
    row,
    line: lines.get(row.benchmark_id) ?? row.benchmark_id,
  }))
  return placed
    .sort(
      (a, b) =>
        compareCodeUnits(a.row.kind, b.row.kind) ||
        compareCodeUnits(a.line, b.line) ||
        compareVersions(a.row, b.row) ||
        a.row.id - b.row.id,
    )
    .map(({ row, line }) => shapeRelease(row, line))
}

/** The newest release of every line. */
export function latestOf(releases: readonly Release[]): readonly Release[] {
  return [...new Map(releases.map((release) => [lineKey(release), release])).values()]
}

/** Benchmarks of the same id but different kinds belong to different products. */
export function lineKey({ kind, line }: Pick<Release, 'kind' | 'line'>): string {
  return `${kind} ${line}`
}

/** The targets of aliases, by alias. */
async function findLines(reader: Reader): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.selectFrom('benchmark_aliases').select(['alias', 'benchmark_id']).execute()
  return new Map(rows.map(({ alias, benchmark_id }) => [alias, benchmark_id]))
}

interface VersionNumbers {
  readonly major: number
  readonly minor: number
  readonly patch: number
}

/** `V2R10` is newer than `V2R9`, and `V1R1` than the draft `V1R0.1`. */
export function numbersOf(version: string): VersionNumbers {
  const [major = 0, minor = 0, patch = 0] = (version.match(/\d+/g) ?? []).map((digits) =>
    Math.min(Number(digits), MAX_NUMBER),
  )
  return { major, minor, patch }
}

/** The largest integer that the columns can hold. */
const MAX_NUMBER = 2_147_483_647

/** Orders releases of one product, oldest first. */
export function compareVersions(a: VersionNumbers, b: VersionNumbers): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch
}

function findRows(reader: Reader) {
  return reader
    .selectFrom('benchmarks')
    .select(['id', 'kind', 'benchmark_id', 'version', 'major', 'minor', 'patch', 'title', 'name'])
    .select(['release_date', 'core', 'digest', 'rule_count'])
    .select(['high_count', 'medium_count', 'low_count'])
    .withPlugin(manyRows)
    .execute()
}

type ReleaseRow = Awaited<ReturnType<typeof findRows>>[number]

function shapeRelease(row: ReleaseRow, line: string): Release {
  const { id, kind, version, title, name, digest } = row
  return {
    id,
    kind,
    version,
    title,
    name,
    digest,
    line,
    benchmarkId: row.benchmark_id,
    releaseDate: row.release_date,
    core: row.core === 1,
    ruleCount: row.rule_count,
    severityCounts: { high: row.high_count, medium: row.medium_count, low: row.low_count },
  }
}
