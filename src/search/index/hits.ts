import { LRUCache } from 'lru-cache'
import type { Phrase } from '../../contracts/sources.ts'
import { ANY_FIELD } from './fields.ts'
import { postingsOf, type Segment } from './segment.ts'
import { hasPhrase, encodePhrase, type WordRange } from './texts.ts'

/** Records of a segment, ascending, each with the weighed frequency of what was looked for. */
export interface Hits {
  readonly records: Uint32Array
  /** In steps. */
  readonly worths: Uint16Array
  /** Bits of the fields that have it. */
  readonly fields: Uint16Array
}

/** How many of these records are not gone. */
export function liveOf(records: Hits['records'], gone: Uint8Array): number {
  let count = records.length
  for (const record of records) count -= gone[record] ?? 0
  return count
}

/** Longer words that are tried for one beginning. */
const MOST_BEGINNINGS = 200
const NONE: Hits = {
  records: new Uint32Array(),
  worths: new Uint16Array(),
  fields: new Uint16Array(),
}

/** Finds a phrase of a segment in these fields (bits). */
export function hitsOf(segment: Segment, phrase: Phrase, fields = ANY_FIELD): Hits {
  const [word, ...others] = phrase.words
  if (phrase.inside === true) return inFields(bestOfWords(segment, segment.words.placesContaining(word ?? '')), fields)
  const isWord = word !== undefined && others.length === 0 && !phrase.prefix && fields === ANY_FIELD
  return isWord ? hitsOfWord(segment, word) : hitsOfPhrase(segment, phrase, fields)
}

function hitsOfPhrase(segment: Segment, phrase: Phrase, fields: number): Hits {
  const ranges = rangesOf(segment, phrase)
  if (ranges.length === 0 || ranges.some(([from, to]) => from >= to)) return NONE
  if (ranges.length === 1) return inFields(hitsOfRange(segment, ranges[0] ?? [0, 0]), fields)
  const name = `${fields} ${ranges.join(' ')}`
  const phrases = phrasesOf(segment)
  const there = phrases.get(name)
  if (there !== undefined) return there
  const [first = NONE, ...others] = ranges.map((range) => inFields(hitsOfRange(segment, range), fields))
  const shared = others.reduce(intersect, first)
  const sought = encodePhrase(ranges, fields)
  const hits = filterHits(shared, (record) => hasPhrase(segment, record, sought))
  phrases.set(name, hits)
  return hits
}

/** Words of a segment whose postings are remembered: a question asks for the same ones several times, and views of arrays are dear. */
const MOST_WORDS = 500
const knownWords = new WeakMap<Segment, Map<string, Hits>>()

function hitsOfWord(segment: Segment, word: string): Hits {
  const known = knownWords.get(segment) ?? new Map<string, Hits>()
  knownWords.set(segment, known)
  const there = known.get(word)
  if (there !== undefined) return there
  const place = word === '' ? -1 : segment.words.indexOf(word)
  const hits = place === -1 ? NONE : postingsOf(segment, place)
  if (known.size >= MOST_WORDS) known.clear()
  known.set(word, hits)
  return hits
}

/** Records that phrases are remembered for, of each segment, and times its records: larger ones have larger phrases. */
const MOST_REMEMBERED = 100_000
const TIMES_REMEMBERED = 4
const remembered = new WeakMap<Segment, LRUCache<string, Hits>>()

/** Synonyms and products are phrases that come again and again. */
function phrasesOf(segment: Segment): LRUCache<string, Hits> {
  const known =
    remembered.get(segment) ??
    new LRUCache<string, Hits>({
      maxSize: Math.max(MOST_REMEMBERED, TIMES_REMEMBERED * segment.keys.length),
      sizeCalculation: ({ records }) => records.length + 10,
    })
  remembered.set(segment, known)
  return known
}

/** Finds the position of each word; of a prefix, the positions of all words that begin with it. */
function rangesOf({ words: list }: Segment, { words, prefix }: Phrase): readonly WordRange[] {
  return words.map((word, index): WordRange => {
    if (word === '') return [0, 0]
    if (prefix && index === words.length - 1) {
      const from = list.firstNotBelow(word)
      return [from, Math.min(list.firstNotBelow(`${word}\uffff`), from + MOST_BEGINNINGS)]
    }
    const place = list.indexOf(word)
    return place === -1 ? [0, 0] : [place, place + 1]
  })
}

function hitsOfRange(segment: Segment, [from, to]: WordRange): Hits {
  if (to - from === 1) return postingsOf(segment, from)
  const places = Array.from({ length: to - from }, (_, at) => from + at)
  return bestOfWords(segment, places)
}

function inFields(all: Hits, fields: number): Hits {
  return fields === ANY_FIELD ? all : filterHits(all, (_, at) => ((all.fields[at] ?? 0) & fields) !== 0)
}

/** The best of several words. */
function bestOfWords(segment: Segment, places: readonly number[]): Hits {
  const postings = places.map((place) => postingsOf(segment, place))
  const best = new Uint16Array(segment.keys.length)
  const fields = new Uint16Array(best.length)
  for (const word of postings) raiseAll(best, fields, word)
  const count = postings.reduce((sum, { records }) => sum + records.length, 0)
  const found = new HitList(Math.min(count, best.length))
  for (let record = 0; record < best.length; record += 1)
    if (best[record] !== 0) found.add(record, best[record] ?? 0, fields[record] ?? 0)
  return found.hits
}

function raiseAll(best: Uint16Array, fields: Uint16Array, { records, worths, fields: own }: Hits): void {
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? 0
    best[record] = Math.max(best[record] ?? 0, worths[at] ?? 0)
    fields[record] = (fields[record] ?? 0) | (own[at] ?? 0)
  }
}

/** Records of both, with what the weaker word is worth. */
function intersect(a: Hits, b: Hits): Hits {
  const found = new HitList(Math.min(a.records.length, b.records.length))
  let other = 0
  for (let at = 0; at < a.records.length; at += 1) {
    const record = a.records[at] ?? 0
    other = placeFrom(b.records, other, record)
    if (b.records[other] !== record) continue
    const worth = Math.min(a.worths[at] ?? 0, b.worths[other] ?? 0)
    found.add(record, worth, (a.fields[at] ?? 0) & (b.fields[other] ?? 0))
  }
  return found.hits
}

/** The first place from another one that is not below a record; behind the last one where there is none. */
function placeFrom(records: Uint32Array, from: number, record: number): number {
  let at = from
  while (at < records.length && (records[at] ?? 0) < record) at += 1
  return at
}

/** Iterators would make an object for each of thousands. */
function filterHits({ records, worths, fields }: Hits, fits: (record: number, at: number) => boolean): Hits {
  const kept = new HitList(records.length)
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? 0
    if (fits(record, at)) kept.add(record, worths[at] ?? 0, fields[at] ?? 0)
  }
  return kept.hits
}

class HitList {
  readonly #records: Uint32Array
  readonly #worths: Uint16Array
  readonly #fields: Uint16Array
  #length = 0

  constructor(most: number) {
    this.#records = new Uint32Array(most)
    this.#worths = new Uint16Array(most)
    this.#fields = new Uint16Array(most)
  }

  add(record: number, worth: number, fields: number): void {
    this.#records[this.#length] = record
    this.#worths[this.#length] = worth
    this.#fields[this.#length] = fields
    this.#length += 1
  }

  /** Copies, as they may be remembered. */
  get hits(): Hits {
    return {
      records: this.#records.slice(0, this.#length),
      worths: this.#worths.slice(0, this.#length),
      fields: this.#fields.slice(0, this.#length),
    }
  }
}
