import type { components } from '#api-types'
import type { Counts } from '../benchmark.ts'
import { wordsOf } from '../words-of.ts'

type Row = components['schemas']['ListCatalogueStigsAnswer']['releases'][number]

/** A release in a list. */
export interface BenchmarkSummary {
  readonly id: number
  readonly benchmarkId: string
  readonly title: string
  readonly version: string
  readonly date: string | null
  readonly counts: Counts
  readonly isNewest: boolean
  /** The newest release of the same product. */
  readonly newest: number
}

export function shapeBenchmarkSummary(row: Row): BenchmarkSummary {
  const { id, benchmark_id: benchmarkId, title, version, date, severity_counts: counts, newest } = row
  return { id, benchmarkId, title, version, date, counts, isNewest: newest.id === id, newest: newest.id }
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
