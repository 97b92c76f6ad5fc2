import {
  MAX_RECORDS,
  type FeedChanges,
  type FeedPosition,
  type FeedRecord,
  type RecordKey,
  type RecordOwner,
  type SearchFeed,
} from '../../contracts/search-feed.ts'
import { inPortions } from '../../platform/concurrency/turns.ts'
import { keyOf } from '../index/keys.ts'
import { ownerNumber } from '../index/library.ts'
import type { RecordIndex } from '../index/record-index.ts'
import { indexedRecord, indexedRules } from '../index/records.ts'
import type { IndexedRecord } from '../index/segment-builder.ts'

/** Records that are read and become a segment together. */
const BATCH_SIZE = 2000

/** The indexes that an `IndexUpdater` keeps up to date. */
export interface GuidanceIndexes {
  readonly catalogue: RecordIndex
  readonly authored: RecordIndex
  owners: ReadonlyMap<number, RecordOwner>
  /** Position in the change log up to which guidance has been read; null before the first time. */
  position: FeedPosition | null
}

/** Updates the indexes with the changes of guidance. Queries are answered between batches. */
export class IndexUpdater {
  readonly #feed: SearchFeed
  readonly #createEmpty: () => GuidanceIndexes
  #indexes: GuidanceIndexes
  /** The indexes that changes are being read into, and how many are left; null while no changes are known. */
  #reading: { readonly indexes: GuidanceIndexes; left: number } | null = null
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null

  constructor(feed: SearchFeed, indexes: GuidanceIndexes, createEmpty: () => GuidanceIndexes) {
    this.#feed = feed
    this.#indexes = indexes
    this.#createEmpty = createEmpty
  }

  /** Number of changes of the catalogue. */
  catalogueChanges = 0

  get indexes(): GuidanceIndexes {
    return this.#indexes
  }

  /**
   * Number of known changes that are not indexed yet. Null if unknown, and while everything is read again because the
   * index belongs to another history: then its numbers may stand for other records.
   */
  get behind(): number | null {
    return this.#reading?.indexes === this.#indexes ? this.#reading.left : null
  }

  /** Resolves when everything committed before the call is indexed. */
  async catchUp(): Promise<void> {
    if (this.#running === null) {
      this.#running = this.#run().finally(() => {
        this.#running = null
        this.#reading = null
      })
      return this.#running
    }
    // The current run may have read the log before the last commit, so callers during it share the next run.
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
    // The position belongs to another history, as after a restore, so everything is read again.
    const fresh = this.#createEmpty()
    await this.#apply(fresh, (await this.#feed.changes(null)) ?? NO_CHANGES)
    this.#indexes = fresh
    this.catalogueChanges += 1
  }

  async #apply(indexes: GuidanceIndexes, first: FeedChanges): Promise<void> {
    const { benchmarks, records, position } = await this.#allChanges(first)
    const reading = { indexes, left: benchmarks.length + records.length }
    this.#reading = reading
    if (benchmarks.length > 0 || records.length > 0 || indexes.owners === OWNERS_NOT_READ)
      indexes.owners = await this.#owners()
    const onRead = (count: number): void => {
      reading.left -= count
    }
    await this.#applyBenchmarks(indexes, benchmarks, onRead)
    await this.#applyRecords(indexes, records, onRead)
    indexes.position = position
  }

  /** Reads the log to its end, so that a record that changed several times is indexed once. */
  async #allChanges(first: FeedChanges): Promise<FeedChanges> {
    if (!first.isMore) return first
    const benchmarks = new Set(first.benchmarks)
    const records = new Map(first.records.map((key) => [keyOf(key.kind, key.id), key]))
    let changes = first
    while (changes.isMore) {
      changes = (await this.#feed.changes(changes.position)) ?? NO_CHANGES
      for (const id of changes.benchmarks) benchmarks.add(id)
      for (const key of changes.records) records.set(keyOf(key.kind, key.id), key)
    }
    return { benchmarks: [...benchmarks], records: [...records.values()], position: changes.position, isMore: false }
  }

  async #owners(): Promise<ReadonlyMap<number, RecordOwner>> {
    const owners = await this.#feed.owners()
    return new Map(owners.map((owner) => [ownerNumber(owner), owner]))
  }

  async #applyBenchmarks(indexes: GuidanceIndexes, ids: readonly number[], onRead: OnRead): Promise<void> {
    if (ids.length > 0) this.catalogueChanges += 1
    let records: IndexedRecord[] = []
    let deletedKeys: number[] = []
    let readCount = 0
    const flush = async (): Promise<void> => {
      await indexes.catalogue.replaceInTurns(records, deletedKeys)
      onRead(readCount)
      records = []
      deletedKeys = []
      readCount = 0
    }
    for (const id of ids) {
      readCount += 1
      const owner = indexes.owners.get(ownerNumber({ kind: 'benchmark', id }))
      deletedKeys.push(...indexes.catalogue.keysOf(ownerNumber({ kind: 'benchmark', id })))
      if (owner === undefined) continue
      records.push(...indexedRules(await this.#rulesOf(id, owner), owner))
      if (records.length >= BATCH_SIZE) await flush()
    }
    if (records.length > 0 || deletedKeys.length > 0) await flush()
  }

  async #applyRecords(indexes: GuidanceIndexes, keys: readonly RecordKey[], onRead: OnRead): Promise<void> {
    for await (const batch of inPortions(keys, BATCH_SIZE)) {
      const records = await this.#records(batch)
      await indexes.authored.replaceInTurns(
        indexedOf(records, indexes.owners),
        batch.map(({ kind, id }) => keyOf(kind, id)),
      )
      onRead(batch.length)
    }
  }

  async #rulesOf(id: number, { benchmark }: RecordOwner): Promise<readonly FeedRecord[]> {
    const kind = benchmark?.kind === 'srg' ? 'requirement' : 'rule'
    const rules = await this.#feed.rulesOf(id)
    return this.#records(rules.map((rule) => ({ kind, id: rule })))
  }

  async #records(keys: readonly RecordKey[]): Promise<readonly FeedRecord[]> {
    const records: FeedRecord[] = []
    for await (const portion of inPortions(keys, MAX_RECORDS)) records.push(...(await this.#feed.records(portion)))
    return records
  }
}

/** Called after each batch with the number of its changes. */
type OnRead = (count: number) => void

/** Each record is indexed when it is asked for, so that the index can make pauses. */
function* indexedOf(
  records: readonly FeedRecord[],
  owners: ReadonlyMap<number, RecordOwner>,
): Generator<IndexedRecord> {
  for (const record of records) {
    const owner = owners.get(ownerNumber({ kind: 'component', id: record.owner }))
    // If the component is newer than the list of owners, the record is reported again, together with its component.
    if (owner !== undefined) yield indexedRecord(record, owner)
  }
}

/** Initial value, to be distinguished from a list without owners. */
export const OWNERS_NOT_READ: ReadonlyMap<number, RecordOwner> = new Map()

const NO_CHANGES: FeedChanges = {
  position: { sequence: 0, mark: '' },
  records: [],
  benchmarks: [],
  isMore: false,
}
