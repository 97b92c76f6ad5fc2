import { countSeverities } from '../../uploads/packed.ts'
import type { Benchmark } from '../../xccdf/benchmark.ts'
import { contentDigest } from '../../xccdf/digest.ts'
import { changesBetween, type Changes } from './changes.ts'

/** The changes between two benchmarks that were read from files, as between two releases of the catalogue. */
export function changesOfBenchmarks(older: Benchmark, newer: Benchmark): Promise<Changes> {
  return changesBetween(releaseRules(older), releaseRules(newer))
}

function releaseRules(benchmark: Benchmark): Parameters<typeof changesBetween>[0] {
  const { kind, benchmarkId, version, title, releaseDate, rules } = benchmark
  const counts = { ruleCount: rules.length, severityCounts: countSeverities(rules) }
  return {
    release: { kind, benchmarkId, version, title, releaseDate, digest: contentDigest(benchmark), ...counts },
    rules,
  }
}
