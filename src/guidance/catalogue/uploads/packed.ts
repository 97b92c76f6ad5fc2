import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import type { BenchmarkHead, ReadWarning, ReadBenchmark, Rule, SeverityCounts } from '../xccdf/benchmark.ts'
import { contentDigest } from '../xccdf/digest.ts'

/** All stored parts of a benchmark without its rules; small even for large files. */
export interface PackedBenchmark {
  readonly head: BenchmarkHead
  readonly ruleCount: number
  readonly severityCounts: SeverityCounts
  readonly warnings: readonly ReadWarning[]
  /** See `contentDigest`. */
  readonly digest: string
  readonly file: {
    /** SHA-256 (hex) of the XML document as it was uploaded. */
    readonly sha256: string
    /** The document, gzip (RFC 1952). */
    readonly packed: Uint8Array
  }
}

/** Takes half a second for the largest documents, so it must not run on the main thread. */
export async function packBenchmark(
  { benchmark: { rules, ...head }, warnings }: ReadBenchmark,
  source: Iterable<Uint8Array>,
): Promise<PackedBenchmark> {
  return {
    head,
    warnings,
    ruleCount: rules.length,
    severityCounts: countSeverities(rules),
    digest: contentDigest({ ...head, rules }),
    file: await packFile(source),
  }
}

async function packFile(source: Iterable<Uint8Array>): Promise<PackedBenchmark['file']> {
  const hash = createHash('sha256')
  const hashed = function* (): Generator<Uint8Array> {
    for (const piece of source) {
      hash.update(piece)
      yield piece
    }
  }
  const packed = await buffer(Readable.from(hashed()).pipe(createGzip()))
  return { sha256: hash.digest('hex'), packed }
}

export function countSeverities(rules: readonly Rule[]): SeverityCounts {
  const count = (level: Rule['severity']): number => rules.filter(({ severity }) => severity === level).length
  return { high: count('high'), medium: count('medium'), low: count('low') }
}
