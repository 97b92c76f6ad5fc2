import type { components } from '#api-types'
import type { Counts } from '../benchmark.ts'
import { wordsOf } from '../words-of.ts'

type Schemas = components['schemas']
type Row =
  | Schemas['ListStigsAnswer'][number]
  | Schemas['ListSrgsAnswer'][number]
  | Schemas['ListLatestStigsAnswer']['rows'][number]
  | Schemas['ListLatestSrgsAnswer']['rows'][number]

/** A release in a list. Without a sign-in, neither its date nor its counts are known. */
export interface BenchmarkSummary {
  readonly id: number
  readonly benchmarkId: string
  readonly title: string
  readonly version: string
  readonly date: string | null
  readonly counts: Counts | null
  readonly isNewest: boolean
  /** The newest release of the same product. */
  readonly newest: number
}

export function shapeBenchmarkSummary(row: Row): BenchmarkSummary {
  const { id, title, version } = row
  return {
    id,
    title,
    version,
    benchmarkId: 'stig_id' in row ? row.stig_id : row.srg_id,
    date: dateOf(row),
    counts: 'severity_counts' in row ? row.severity_counts : null,
    isNewest: 'is_latest' in row ? row.is_latest : true,
    newest: 'latest_available_id' in row ? row.latest_available_id : id,
  }
}

function dateOf(row: Row): string | null {
  if ('benchmark_date' in row) return row.benchmark_date
  return 'release_date' in row ? row.release_date : null
}

/** Finds the benchmarks whose title or id has all words. */
export function matchingBenchmarks(
  listed: readonly BenchmarkSummary[],
  wanted: { readonly text: string; readonly isEveryRelease: boolean },
): readonly BenchmarkSummary[] {
  const words = wordsOf(wanted.text)
  return listed
    .filter(({ isNewest }) => isNewest || wanted.isEveryRelease)
    .filter(({ title, benchmarkId, version }) => {
      const text = `${title} ${benchmarkId} ${version}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
}
