import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { BenchmarkHead, Oddity, ReadBenchmark, Rule, SeverityCounts } from './benchmark.ts'
import { contentDigest } from './digest.ts'

/** All that is stored of a benchmark but its rules. Small, whatever the size of the file. */
export interface PackedBenchmark {
  readonly head: BenchmarkHead
  readonly ruleCount: number
  readonly severityCounts: SeverityCounts
  readonly warnings: readonly Oddity[]
  /** See `contentDigest`. */
  readonly digest: string
  readonly file: {
    /** SHA-256 (hex) of the XML document as it was sent. */
    readonly sha256: string
    /** The document, gzip (RFC 1952). */
    readonly packed: Uint8Array
  }
}

/** Takes half a second for the largest documents: not on the thread that answers. */
export function packBenchmark(
  { benchmark: { rules, ...head }, warnings }: ReadBenchmark,
  source: Uint8Array,
): PackedBenchmark {
  const sha256 = createHash('sha256').update(source).digest('hex')
  return {
    ...{ head, warnings },
    ruleCount: rules.length,
    severityCounts: countSeverities(rules),
    digest: contentDigest({ ...head, rules }),
    file: { sha256, packed: gzipSync(source) },
  }
}

function countSeverities(rules: readonly Rule[]): SeverityCounts {
  const count = (wanted: Rule['severity']): number =>
    rules.filter(({ severity }) => severity === wanted).length
  return { high: count('high'), medium: count('medium'), low: count('low') }
}
