import type { components } from '#api-types'
import type { Counts } from '../benchmark.ts'

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
