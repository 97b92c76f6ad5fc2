import { LRUCache } from 'lru-cache'
import { compareCodeUnits } from '../../graph/term.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { hitsOf } from '../index/hits.ts'
import { countLiveHits, type Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import { postingsOf } from '../index/segment.ts'
import { forEachWord } from '../index/texts.ts'
import { isStopWord } from './parse-query.ts'
import { termVariant } from './term-variants.ts'
import type { Term } from './terms.ts'

/** Only rare words have associates. The limit also bounds how many texts are read. */
const MAX_RECORDS = 100
/** An associate is in at least this share of the records that have the word. */
const MIN_SHARE = 0.5
/** A word in more than this share of all records is not an associate. */
const TOO_COMMON = 0.05
/** Lowest log-likelihood ratio: one pair in a thousand has it by chance. */
const MIN_RATIO = 10.83
const MAX_ASSOCIATES = 2
const WORD = /^\p{L}{3,}$/u
/** Identifiers and names of products are left out. */
const FIELDS_WITH_SENTENCES =
  FIELD_BITS.title |
  FIELD_BITS.synonym |
  FIELD_BITS.fix |
  FIELD_BITS.check |
  FIELD_BITS.text |
  FIELD_BITS.definition |
  FIELD_BITS.procedure |
  FIELD_BITS.observed

/**
 * Adds to each rare word of a query its associates in public texts, such as `ftruncate` for `creat`. A query of one
 * word gets none, because they would only find records without the word.
 */
export function withAssociates(terms: readonly Term[], library: Library): readonly Term[] {
  if (terms.length < 2) return terms
  const typed = new Set(terms.flatMap(({ variants }) => variants.flatMap(({ words }) => words)))
  const cache = cachedAssociates(library)
  return terms.map((term) => {
    const [word, ...others] = term.variants[0]?.words ?? []
    if (word === undefined || others.length > 0) return term
    const cached = cache.get(word) ?? associatesOf(word, library)
    cache.set(word, cached)
    const associates = cached.filter((associate) => !typed.has(associate)).slice(0, MAX_ASSOCIATES)
    return { ...term, associates: associates.map((associate) => termVariant('associate', [associate])) }
  })
}

/** Associates that were found in a state of the public parts of the index. */
interface CachedAssociates {
  readonly state: readonly Pick<IndexPart, 'segment' | 'live'>[]
  readonly associates: LRUCache<string, readonly string[]>
}

const MAX_REMEMBERED = 2000
const associatesByKnowledge = new WeakMap<Library['knowledge'], CachedAssociates>()

function cachedAssociates({ knowledge, open }: Library): CachedAssociates['associates'] {
  const cache = associatesByKnowledge.get(knowledge)
  if (cache?.state.length === open.length && cache.state.every((part, index) => isUnchanged(part, open[index])))
    return cache.associates
  const state = open.map(({ segment, live }) => ({ segment, live }))
  const associates = new LRUCache<string, readonly string[]>({ max: MAX_REMEMBERED })
  associatesByKnowledge.set(knowledge, { state, associates })
  return associates
}

function isUnchanged({ segment, live }: Pick<IndexPart, 'segment' | 'live'>, part: IndexPart | undefined): boolean {
  return part?.segment === segment && part.live === live
}

/** Words that most of the public records with a word have, and few other records; the likeliest first. */
export function associatesOf(word: string, library: Library): readonly string[] {
  const total = library.count(word)
  if (total < 2 || total > MAX_RECORDS) return []
  const parts = library.open.map((part) => ({ part, ...wordsBeside(word, part, TOO_COMMON * library.size) }))
  const frequent = new Set(parts.flatMap((part) => part.frequent))
  frequent.delete(word)
  return Array.from(frequent, (other) => ({ other, ratio: ratioOf(other, parts, { total, size: library.size }) }))
    .filter(({ ratio }) => ratio >= MIN_RATIO)
    .sort((a, b) => b.ratio - a.ratio || compareCodeUnits(a.other, b.other))
    .map(({ other }) => other)
}

/** The words of those records of a part that have a certain word. */
interface WordsBeside {
  /** Number of these records that have a word, by the number of the word. */
  readonly counts: Uint8Array
  /** Words that may be associates: at least `MIN_SHARE` of these records have them. */
  readonly frequent: readonly string[]
}

const NO_WORDS: WordsBeside = { counts: new Uint8Array(), frequent: [] }

function wordsBeside(word: string, { segment, deleted }: IndexPart, tooMany: number): WordsBeside {
  const { words, starts } = segment
  const records = hitsOf(segment, { words: [word], prefix: false }).records.filter((record) => deleted[record] === 0)
  if (records.length === 0) return NO_WORDS
  const enough = Math.ceil(MIN_SHARE * records.length)
  const counts = new Uint8Array(words.length)
  const lastSeen = new Uint8Array(words.length)
  const frequent: number[] = []
  for (const [index, record] of records.entries())
    forEachWord(segment, { record, fields: FIELDS_WITH_SENTENCES }, (other) => {
      if (lastSeen[other] === index + 1) return
      lastSeen[other] = index + 1
      const count = (counts[other] ?? 0) + 1
      counts[other] = count
      if (count === enough) frequent.push(other)
    })
  const rare = frequent.filter((other) => (starts[other + 1] ?? 0) - (starts[other] ?? 0) <= tooMany)
  const written = rare.map((wordIndex) => words.at(wordIndex))
  return { counts, frequent: written.filter((writtenWord) => WORD.test(writtenWord) && !isStopWord(writtenWord)) }
}

/** The log-likelihood ratio (Dunning) of a word beside another one; 0 if it is too rare beside it, or common anywhere. */
function ratioOf(
  word: string,
  parts: readonly (WordsBeside & { readonly part: IndexPart })[],
  { total, size }: { readonly total: number; readonly size: number },
): number {
  let together = 0
  let ownCount = 0
  for (const { part, counts } of parts) {
    const index = part.segment.words.indexOf(word)
    if (index === -1) continue
    ownCount += countLiveHits(part, postingsOf(part.segment, index))
    together += counts[index] ?? 0
  }
  if (together < 2 || together < MIN_SHARE * total || ownCount > TOO_COMMON * size) return 0
  const cells = [together, total - together, ownCount - together, size - total - ownCount + together]
  return 2 * (sumOf(cells) - sumOf([total, size - total, ownCount, size - ownCount]) + sumOf([size]))
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + (count <= 0 ? 0 : count * Math.log(count)), 0)
}
