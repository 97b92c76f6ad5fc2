import { LRUCache } from 'lru-cache'
import type { Phrase } from '../../contracts/guidance-records.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { ANY_FIELD } from './fields.ts'
import { postingsOf, type Hits, type Segment } from './segment.ts'
import { hasPhrase, encodePhrase, type WordRange } from './texts.ts'

/** Counts the records that were not removed. */
export function countLive(records: Hits['records'], deleted: Uint8Array): number {
  let count = records.length
  for (const record of records) count -= deleted[record] ?? 0
  return count
}

/** Words that are tried for one prefix. */
const MAX_BEGINNINGS = 200
const NO_HITS: Hits = {
  records: new Uint32Array(),
  worths: new Uint16Array(),
  fields: new Uint16Array(),
}

/** Finds a phrase of a segment in these fields (bits). */
export function hitsOf(segment: Segment, phrase: Phrase, fields = ANY_FIELD): Hits {
  const { words, prefix } = phrase
  const [word = ''] = words
  if (words.length === 1 && !prefix && fields === ANY_FIELD) return hitsOfWord(segment, word)
  const name = `${fields} ${prefix} ${words.join(' ')}`
  return getOrMake(phrasesOf(segment), name, () => hitsOfPhrase(segment, phrase, fields))
}

/** Finds the words that match a phrase of one word. */
export function matchingWords(segment: Segment, phrase: Phrase): readonly number[] {
  const [word = ''] = phrase.words
  if (phrase.inside === true) return segment.words.placesContaining(word)
  return rangesOf(segment, phrase).flatMap(placesIn)
}

function hitsOfPhrase(segment: Segment, phrase: Phrase, fields: number): Hits {
  const ranges = rangesOf(segment, phrase)
  if (ranges.length === 0 || ranges.some(([from, to]) => from >= to)) return NO_HITS
  const [both = NO_HITS, ...otherHits] = ranges.map((range) => inFields(hitsOfRange(segment, range), fields))
  if (otherHits.length === 0) return both
  const shared = otherHits.reduce(intersect, both)
  const sought = encodePhrase(ranges, fields)
  return filterHits(shared, (record) => hasPhrase(segment, record, sought))
}

function hitsOfWord(segment: Segment, word: string): Hits {
  const index = word === '' ? -1 : segment.words.indexOf(word)
  return index === -1 ? NO_HITS : postingsOf(segment, index)
}

/** Size of the phrase cache of a segment, in records: at least this many, or a multiple of its records. */
const MAX_CACHED = 100_000
const CACHED_PER_RECORD = 4
const remembered = new WeakMap<Segment, LRUCache<string, Hits>>()

/** Cached, because synonyms and products recur. */
function phrasesOf(segment: Segment): LRUCache<string, Hits> {
  return getOrMake(
    remembered,
    segment,
    () =>
      new LRUCache({
        maxSize: Math.max(MAX_CACHED, CACHED_PER_RECORD * segment.keys.length),
        sizeCalculation: ({ records }) => records.length + 10,
      }),
  )
}

/** Finds the position of each word; of a prefix, the positions of all words that begin with it. */
function rangesOf({ words: list }: Segment, { words, prefix }: Phrase): readonly WordRange[] {
  return words.map((word, index): WordRange => {
    if (word === '') return [0, 0]
    if (prefix && index === words.length - 1) {
      const from = list.firstNotBelow(word)
      return [from, Math.min(list.firstNotBelow(`${word}\uffff`), from + MAX_BEGINNINGS)]
    }
    const found = list.indexOf(word)
    return found === -1 ? [0, 0] : [found, found + 1]
  })
}

function hitsOfRange(segment: Segment, [from, to]: WordRange): Hits {
  if (to - from === 1) return postingsOf(segment, from)
  return bestOfWords(segment, placesIn([from, to]))
}

function placesIn([from, to]: WordRange): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

function inFields(hits: Hits, fields: number): Hits {
  return fields === ANY_FIELD ? hits : filterHits(hits, (_, index) => ((hits.fields[index] ?? 0) & fields) !== 0)
}

/** For each record the highest worth among several words. */
function bestOfWords(segment: Segment, places: readonly number[]): Hits {
  const postings = places.map((wordIndex) => postingsOf(segment, wordIndex))
  const best = new Uint16Array(segment.keys.length)
  const fields = new Uint16Array(best.length)
  for (const word of postings) keepHighest(best, fields, word)
  const count = postings.reduce((sum, { records }) => sum + records.length, 0)
  const hits = new HitList(Math.min(count, best.length))
  for (let record = 0; record < best.length; record += 1)
    if (best[record] !== 0) hits.add(record, best[record] ?? 0, fields[record] ?? 0)
  return hits.hits
}

function keepHighest(best: Uint16Array, fields: Uint16Array, { records, worths, fields: ownFields }: Hits): void {
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index] ?? 0
    best[record] = Math.max(best[record] ?? 0, worths[index] ?? 0)
    fields[record] = (fields[record] ?? 0) | (ownFields[index] ?? 0)
  }
}

/** Records in both, with the lower worth. */
function intersect(a: Hits, b: Hits): Hits {
  const shared = new HitList(Math.min(a.records.length, b.records.length))
  let otherIndex = 0
  for (let index = 0; index < a.records.length; index += 1) {
    const record = a.records[index] ?? 0
    otherIndex = placeFrom(b.records, otherIndex, record)
    if (b.records[otherIndex] !== record) continue
    const worth = Math.min(a.worths[index] ?? 0, b.worths[otherIndex] ?? 0)
    shared.add(record, worth, (a.fields[index] ?? 0) & (b.fields[otherIndex] ?? 0))
  }
  return shared.hits
}

/** Index of the first record that is not below the given one, searching from `from`. */
function placeFrom(records: Uint32Array, from: number, record: number): number {
  let index = from
  while (index < records.length && (records[index] ?? 0) < record) index += 1
  return index
}

/** Plain loops, because iterators would make an object for each of thousands of records. */
function filterHits({ records, worths, fields }: Hits, fits: (record: number, index: number) => boolean): Hits {
  const keptHits = new HitList(records.length)
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index] ?? 0
    if (fits(record, index)) keptHits.add(record, worths[index] ?? 0, fields[index] ?? 0)
  }
  return keptHits.hits
}

class HitList {
  readonly #records: Uint32Array
  readonly #worths: Uint16Array
  readonly #fields: Uint16Array
  #length = 0

  constructor(capacity: number) {
    this.#records = new Uint32Array(capacity)
    this.#worths = new Uint16Array(capacity)
    this.#fields = new Uint16Array(capacity)
  }

  add(record: number, worth: number, fields: number): void {
    this.#records[this.#length] = record
    this.#worths[this.#length] = worth
    this.#fields[this.#length] = fields
    this.#length += 1
  }

  /** Copies, because the result may be cached. */
  get hits(): Hits {
    return {
      records: this.#records.slice(0, this.#length),
      worths: this.#worths.slice(0, this.#length),
      fields: this.#fields.slice(0, this.#length),
    }
  }
}
