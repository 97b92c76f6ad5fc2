import {
  MOST_RECORDS,
  type FeedChanges,
  type FeedPosition,
  type FeedRecord,
  type RecordKey,
  type RecordOwner,
  type SearchFeed,
} from '../../contracts/search-feed.ts'
import { keyOf } from '../index/keys.ts'
import { ownerNumber } from '../index/library.ts'
import type { RecordIndex } from '../index/record-index.ts'
import { indexedRecord, indexedRules } from '../index/records.ts'
import type { IndexedRecord } from '../index/segment-builder.ts'

/** Records that become a segment together. */
const PORTION = 4000

/** What is kept up to date. */
export interface FollowedIndexes {
  readonly catalogue: RecordIndex
  readonly authored: RecordIndex
  owners: ReadonlyMap<number, RecordOwner>
  /** Up to where guidance has been read; null: nothing yet. */
  position: FeedPosition | null
}

/** Takes what has changed in guidance over into the indexes, one portion after the other. */
export class Follower {
  readonly #feed: SearchFeed
  readonly #fresh: () => FollowedIndexes
  #indexes: FollowedIndexes
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(feed: SearchFeed, indexes: FollowedIndexes, fresh: () => FollowedIndexes) {
    this.#feed = feed
    this.#indexes = indexes
    this.#fresh = fresh
  }

  /** Grows with each change of the catalogue. */
  catalogueChanges = 0

  get indexes(): FollowedIndexes {
    return this.#indexes
  }

  /** Resolves when everything is there that was committed before the call. */
  async catchUp(): Promise<void> {
    if (this.#running === null) {
      this.#running = this.#run().finally(() => {
        this.#running = null
      })
      return this.#running
    }
    // What runs may have asked before the last commit: those who come meanwhile share the next run.
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null
        return this.catchUp()
      })
    return this.#next
  }

  async #run(): Promise<void> {
    const changes = await this.#feed.changes(this.#indexes.position)
    if (changes !== null) return this.#apply(this.#indexes, changes)
    // Of another history, as after a restore: nothing of what is here may be believed.
    const fresh = this.#fresh()
    await this.#apply(fresh, (await this.#feed.changes(null)) ?? NO_CHANGES)
    this.#indexes = fresh
    this.catalogueChanges += 1
  }

  async #apply(indexes: FollowedIndexes, first: FeedChanges): Promise<void> {
    for (let changes = first; ;) {
      const { benchmarks, records, position, isMore } = changes
      if (benchmarks.length > 0 || records.length > 0 || indexes.owners === NOT_READ)
        indexes.owners = await this.#owners()
      await this.#applyBenchmarks(indexes, benchmarks)
      await this.#applyRecords(indexes, records)
      indexes.position = position
      if (!isMore) return
      changes = (await this.#feed.changes(position)) ?? NO_CHANGES
    }
  }

  async #owners(): Promise<ReadonlyMap<number, RecordOwner>> {
    const owners = await this.#feed.owners()
    return new Map(owners.map((owner) => [ownerNumber(owner), owner]))
  }

  async #applyBenchmarks(indexes: FollowedIndexes, ids: readonly number[]): Promise<void> {
    if (ids.length > 0) this.catalogueChanges += 1
    let records: IndexedRecord[] = []
    let gone: number[] = []
    const flush = (): void => {
      indexes.catalogue.replace(records, gone)
      records = []
      gone = []
    }
    for (const id of ids) {
      const owner = indexes.owners.get(ownerNumber({ of: 'benchmark', id }))
      gone.push(...indexes.catalogue.keysOf(ownerNumber({ of: 'benchmark', id })))
      if (owner === undefined) continue
      records.push(...indexedRules(await this.#rulesOf(id, owner), owner))
      if (records.length >= PORTION) flush()
    }
    if (records.length > 0 || gone.length > 0) flush()
  }

  async #applyRecords(indexes: FollowedIndexes, keys: readonly RecordKey[]): Promise<void> {
    if (keys.length === 0) return
    const records = await this.#read(indexes, keys)
    indexes.authored.replace(
      records,
      keys.map(({ kind, id }) => keyOf(kind, id)),
    )
  }

  async #read(
    { owners }: FollowedIndexes,
    keys: readonly RecordKey[],
  ): Promise<readonly IndexedRecord[]> {
    const read = await this.#records(keys)
    return read.flatMap((record) => {
      const owner = owners.get(ownerNumber({ of: 'component', id: record.owner }))
      // It came after the owners were read, and will come again with its owner.
      return owner === undefined ? [] : [indexedRecord(record, owner)]
    })
  }

  async #rulesOf(id: number, { benchmark }: RecordOwner): Promise<readonly FeedRecord[]> {
    const kind = benchmark?.kind === 'srg' ? 'requirement' : 'rule'
    const rules = await this.#feed.rulesOf(id)
    return this.#records(rules.map((rule) => ({ kind, id: rule })))
  }

  async #records(keys: readonly RecordKey[]): Promise<readonly FeedRecord[]> {
    const read: FeedRecord[] = []
    for (let from = 0; from < keys.length; from += MOST_RECORDS)
      read.push(...(await this.#feed.records(keys.slice(from, from + MOST_RECORDS))))
    return read
  }
}

/** Owners that were never asked for; there may be none. */
export const NOT_READ: ReadonlyMap<number, RecordOwner> = new Map()

const NO_CHANGES: FeedChanges = {
  position: { sequence: 0, mark: '' },
  records: [],
  benchmarks: [],
  isMore: false,
}
