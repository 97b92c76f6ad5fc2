import { onTestFinished } from 'vitest'
import type {
  FeedChanges,
  FeedPosition,
  FeedRecord,
  RecordKey,
  SearchFeed,
} from '../../../src/contracts/search-feed.ts'
import { MAX_RECORDS } from '../../../src/contracts/search-feed.ts'
import { databaseAddress } from '../../../src/guidance/database/database.ts'
import { openFeed } from '../../../src/guidance/search-feed/feed-module.ts'

/** A feed that is closed at the end of the test. */
export async function feedOf({
  url,
  dataDir,
}: {
  readonly url: string | null
  readonly dataDir: string
}): Promise<SearchFeed> {
  const feed = await openFeed({ place: databaseAddress(url, dataDir), baseUrl: 'http://feed.example' })
  onTestFinished(() => feed.close())
  return feed
}

/** Changes that are there for sure: the position is one of this database. */
export async function changesAfter(feed: SearchFeed, after: FeedPosition | null): Promise<FeedChanges> {
  const changes = await feed.changes(after)
  if (changes === null) throw new Error('The position is not known')
  return changes
}

/** Reads as the index of the search does, and keeps the records themselves. */
export class Follower {
  readonly #feed: SearchFeed
  #position: FeedPosition | null = null
  readonly #records = new Map<string, FeedRecord>()

  constructor(feed: SearchFeed) {
    this.#feed = feed
  }

  /** By kind and number, all that it knows now. */
  async read(): Promise<Readonly<Record<string, FeedRecord>>> {
    for (let isMore = true; isMore;) {
      const changes = await changesAfter(this.#feed, this.#position)
      for (const benchmark of changes.benchmarks) await this.#takeBenchmark(benchmark)
      for (const key of changes.records) this.#records.delete(`${key.kind} ${key.id}`)
      await this.#take(changes.records)
      this.#position = changes.position
      isMore = changes.isMore
    }
    return Object.fromEntries([...this.#records].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  async #takeBenchmark(benchmark: number): Promise<void> {
    for (const [key, { kind, owner }] of this.#records)
      if (owner === benchmark && (kind === 'rule' || kind === 'requirement')) this.#records.delete(key)
    const ids = await this.#feed.rulesOf(benchmark)
    await this.#take(ids.map((id) => ({ kind: 'rule', id })))
  }

  async #take(keys: readonly RecordKey[]): Promise<void> {
    for (let from = 0; from < keys.length; from += MAX_RECORDS)
      for (const record of await this.#feed.records(keys.slice(from, from + MAX_RECORDS)))
        this.#records.set(`${record.kind} ${record.id}`, record)
  }
}
