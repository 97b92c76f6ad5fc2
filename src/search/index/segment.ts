import type { StringList } from './string-list.ts'

/**
 * Records that were indexed together. A segment is immutable and consists of typed arrays, which a dump stores as they
 * are. A word is identified by its index in the sorted words, a record by its index in `keys`.
 */
export interface Segment {
  /** Sorted. */
  readonly words: StringList
  /** Index of the first posting of each word; one more than there are words. */
  readonly starts: Uint32Array
  /** Record of each posting, ascending within a word. */
  readonly records: Uint32Array
  /** Weighed frequency of each posting, in steps of 1/`WORTH_STEPS`. */
  readonly worths: Uint16Array
  /** Fields that have the word, for each posting, as `FIELD_BITS`. */
  readonly fields: Uint16Array
  /** Kind and number of each record in one number. */
  readonly keys: Float64Array
  /** Benchmark or component of each record; 0 if it has none. */
  readonly owners: Uint32Array
  /** Severity of each record, as its source counts them. */
  readonly severities: Uint8Array
  /** A number for each record; equal rules of different products have the same number. */
  readonly folds: Uint32Array
  /** Offset of the text of each record; one more than there are records. */
  readonly textStarts: Uint32Array
  /** The words of each record in order, encoded by `texts.ts`. */
  readonly texts: Uint8Array
}

/** A segment with its removed records. */
export interface Part {
  readonly segment: Segment
  /** 1 for each removed record. */
  readonly deleted: Uint8Array
}

export const WORTH_STEPS = 256
const MAX_WORTH = 0xffff

export function stepsOf(worth: number): number {
  return Math.min(MAX_WORTH, Math.max(1, Math.round(worth * WORTH_STEPS)))
}

/** Records of a segment that match, ascending, each with its weighted frequency. */
export interface Hits {
  readonly records: Uint32Array
  /** Weighted frequency, in steps of 1/`WORTH_STEPS`. */
  readonly worths: Uint16Array
  /** Bits of the matching fields. */
  readonly fields: Uint16Array
}

/** The postings of a word, as views. */
export function postingsOf({ starts, records, worths, fields }: Segment, word: number): Hits {
  const from = starts[word] ?? 0
  const to = starts[word + 1] ?? from
  return {
    records: records.subarray(from, to),
    worths: worths.subarray(from, to),
    fields: fields.subarray(from, to),
  }
}
