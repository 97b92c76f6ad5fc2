import { LRUCache } from 'lru-cache'
import type { Reader } from '../../../database/transaction.ts'
import { findBenchmark, type StoredBenchmark, type StoredRule } from '../../benchmarks/reader.ts'
import type { Release } from '../../benchmarks/releases.ts'

/** Changes are between two releases, so no more are held at a time. */
const MAX_HELD_RELEASES = 2

interface ReadRelease {
  readonly benchmark: StoredBenchmark
  readonly rules: ReadonlyMap<string, StoredRule>
}

/** Reads releases whole, and keeps the last two. */
export class ReadReleases {
  readonly #reader: Reader
  readonly #held = new LRUCache<number, ReadRelease>({ max: MAX_HELD_RELEASES })

  constructor(reader: Reader) {
    this.#reader = reader
  }

  async benchmark(release: Release): Promise<StoredBenchmark> {
    return (await this.#read(release)).benchmark
  }

  /** The first rule that has an id. */
  async rule(release: Release, ruleId: string): Promise<StoredRule> {
    const rule = (await this.#read(release)).rules.get(ruleId)
    if (rule === undefined) throw new Error(`${release.benchmarkId} ${release.version} has no rule ${ruleId}`)
    return rule
  }

  async #read({ id }: Release): Promise<ReadRelease> {
    const held = this.#held.get(id)
    if (held !== undefined) return held
    const benchmark = await findBenchmark(this.#reader, id)
    // If several rules have one id, the last to be set stays.
    const rules = new Map(benchmark.rules.toReversed().map((rule) => [rule.ruleId, rule]))
    const read = { benchmark, rules }
    this.#held.set(id, read)
    return read
  }
}
