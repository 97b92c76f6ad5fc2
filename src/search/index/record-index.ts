import { mergeParts, type Part } from './merge.ts'
import { SegmentBuilder, type IndexedRecord } from './segment-builder.ts'
import type { Segment } from './segment.ts'

/** Everything that can be found. Records come and go in groups; each group becomes a part, and small parts are merged. */
export class RecordIndex {
  #parts: IndexPart[] = []
  readonly #places = new Map<number, RecordPlace>()

  get parts(): readonly IndexPart[] {
    return this.#parts
  }

  get size(): number {
    return this.#places.size
  }

  has(key: number): boolean {
    return this.#places.has(key)
  }

  placeOf(key: number): RecordPlace | null {
    return this.#places.get(key) ?? null
  }

  /** Puts records in the place of those with their keys, and takes others away; all at once. */
  replace(records: Iterable<IndexedRecord>, removed: Iterable<number>): void {
    for (const key of removed) this.#remove(key)
    const builder = new SegmentBuilder()
    for (const record of records) {
      this.#remove(record.key)
      builder.add(record)
    }
    if (builder.size > 0) this.add(builder.build())
    this.#merge()
  }

  /** Records that are not there yet. */
  add(segment: Segment): void {
    const part = { segment, gone: new Uint8Array(segment.keys.length), live: segment.keys.length }
    this.#parts.push(part)
    for (const [record, key] of segment.keys.entries()) this.#places.set(key, { part, record })
  }

  keysOf(owner: number): readonly number[] {
    return this.#parts.flatMap(({ segment, gone }) =>
      [...segment.keys].filter(
        (_, record) => segment.owners[record] === owner && gone[record] === 0,
      ),
    )
  }

  #remove(key: number): void {
    const place = this.#places.get(key)
    if (place === undefined) return
    place.part.gone[place.record] = 1
    place.part.live -= 1
    this.#places.delete(key)
  }

  /**
   * Merges small parts as soon as they are together as large as the next one, so that there are few and every record is
   * copied but a few times; and what has lost half of its records.
   */
  #merge(): void {
    const bySize = this.#parts.toSorted((a, b) => a.live - b.live)
    let [count, size] = [0, 0]
    for (const { live } of bySize) {
      if (count > 0 && live > size) break
      count += 1
      size += live
    }
    const small = count > 1 ? bySize.slice(0, count) : []
    const merged = bySize.filter((part) => small.includes(part) || !isMostlyLive(part))
    if (merged.length === 0) return
    this.#parts = this.#parts.filter((part) => !merged.includes(part))
    if (merged.some(({ live }) => live > 0)) this.add(mergeParts(merged))
  }
}

export interface RecordPlace {
  readonly part: IndexPart
  readonly record: number
}

/** A part of the index; records that have gone since are marked. */
export interface IndexPart extends Part {
  live: number
}

function isMostlyLive({ live, gone }: IndexPart): boolean {
  return live * 2 > gone.length
}
