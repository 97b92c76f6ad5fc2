import { nextTurn, Pauses } from '../../platform/concurrency/turns.ts'
import { mergeParts } from './merge.ts'
import { SegmentBuilder, type IndexedRecord } from './segment-builder.ts'
import type { Part, Segment } from './segment.ts'

/**
 * An index in parts. Each batch of records becomes a part. Small parts are merged in the background; until that is
 * done, the small parts answer.
 */
export class RecordIndex {
  #parts: IndexPart[] = []
  readonly #places = new Map<number, RecordLocation>()
  #tidying: Promise<void> | null = null

  get parts(): readonly IndexPart[] {
    return this.#parts
  }

  get size(): number {
    return this.#places.size
  }

  has(key: number): boolean {
    return this.#places.has(key)
  }

  placeOf(key: number): RecordLocation | null {
    return this.#places.get(key) ?? null
  }

  /** Adds records, replaces those with the same keys, and removes others, all at once. */
  replace(records: Iterable<IndexedRecord>, removed: Iterable<number>): void {
    const builder = new SegmentBuilder()
    for (const record of records) builder.add(record)
    this.#put(builder, removed)
  }

  /** Replaces records with pauses for other work; all of them appear at once at the end. */
  async replaceInTurns(records: Iterable<IndexedRecord>, removed: Iterable<number>): Promise<void> {
    const builder = new SegmentBuilder()
    const pauses = new Pauses()
    for (const record of records) {
      builder.add(record)
      await pauses.rest()
    }
    this.#put(builder, removed)
  }

  /** Starts merging small parts in the background. */
  tidy(): void {
    if (this.#toMerge().length > 0) this.#tidying ??= this.#tidy()
  }

  /** Resolves when no parts are left to merge. */
  async tidied(): Promise<void> {
    await this.#tidying
  }

  /** Adds a segment of records that the index does not have. */
  add(segment: Segment): void {
    const part = { segment, deleted: new Uint8Array(segment.keys.length), live: segment.keys.length }
    this.#parts.push(part)
    for (const [record, key] of segment.keys.entries()) this.#places.set(key, { part, record })
  }

  keysOf(owner: number): readonly number[] {
    return this.#parts.flatMap(({ segment, deleted }) =>
      [...segment.keys].filter((_, record) => segment.owners[record] === owner && deleted[record] === 0),
    )
  }

  #put(builder: SegmentBuilder, removed: Iterable<number>): void {
    for (const key of removed) this.#remove(key)
    const segment = builder.size > 0 ? builder.build() : null
    for (const key of segment?.keys ?? []) this.#remove(key)
    if (segment !== null) this.add(segment)
    this.#parts = this.#parts.filter(({ live }) => live > 0)
    this.tidy()
  }

  #remove(key: number): void {
    const location = this.#places.get(key)
    if (location === undefined) return
    location.part.deleted[location.record] = 1
    location.part.live -= 1
    this.#places.delete(key)
  }

  async #tidy(): Promise<void> {
    try {
      await nextTurn()
      for (let parts = this.#toMerge(); parts.length > 0; parts = this.#toMerge()) {
        const frozen = parts.map(({ segment, deleted }) => ({ segment, deleted: deleted.slice() }))
        this.#putInPlace(await mergeParts(frozen), new Set(parts))
      }
    } finally {
      this.#tidying = null
    }
  }

  /** Records that were removed or replaced during the merge are not taken from the merged segment. */
  #putInPlace(segment: Segment, parts: ReadonlySet<IndexPart>): void {
    const { keys } = segment
    const part = { segment, deleted: new Uint8Array(keys.length), live: 0 }
    for (let record = 0; record < keys.length; record += 1) {
      const key = keys[record] ?? 0
      const location = this.#places.get(key)
      if (location === undefined || !parts.has(location.part)) {
        part.deleted[record] = 1
        continue
      }
      this.#places.set(key, { part, record })
      part.live += 1
    }
    this.#parts = this.#parts.filter((other) => !parts.has(other))
    if (part.live > 0) this.#parts.push(part)
  }

  /**
   * Selects small parts that together have at least half the size of the next larger one, and parts that have lost half
   * of their records. So there are few parts, and each record is copied only a few times.
   */
  #toMerge(): readonly IndexPart[] {
    const bySize = this.#parts.toSorted((a, b) => a.live - b.live)
    let [count, size] = [0, 0]
    for (const { live } of bySize) {
      if (count > 0 && live > 2 * size) break
      count += 1
      size += live
    }
    const small = count > 1 ? bySize.slice(0, count) : []
    return bySize.filter((part) => small.includes(part) || !isMostlyLive(part))
  }
}

export interface RecordLocation {
  readonly part: IndexPart
  readonly record: number
}

/** A part of the index, with the number of records that were not removed. */
export interface IndexPart extends Part {
  live: number
}

function isMostlyLive({ live, deleted }: IndexPart): boolean {
  return live * 2 > deleted.length
}
