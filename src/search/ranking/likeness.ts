import { wordsOf } from '../../platform/words.ts'
import type { Library } from '../index/library.ts'
import { scoreableTerms } from '../question/said.ts'
import type { Term } from '../question/terms.ts'
import type { LinkedColumn, LinkedRecords } from './linked.ts'
import { scoreTerms } from './score.ts'

/** Words of a text that tell most about it. */
const MOST_WORDS = 16
/** In more of all records than this share, a word tells nothing. */
const TOO_COMMON = 0.2
/** Likeness of texts that share no word: a link between them still counts. */
const LEAST_LIKENESS = 0.45

/** Likeness of the requested records to a text, 0.45 to 1, by key. */
export function likenessTo(text: string, keys: ReadonlySet<number>, library: Library): ReadonlyMap<number, number> {
  const { parts, release } = scoreTerms(library, scoreableTerms(library, tellingTerms(text, library)))
  const valuesOf = new Map(parts.map(({ part, values }) => [part, values]))
  const values = new Map<number, number>()
  let best = 0
  for (const key of keys) {
    const place = library.placeOf(key)
    if (place === null) continue
    const value = valuesOf.get(place.part)?.[place.record] ?? 0
    values.set(key, value)
    if (value > best) best = value
  }
  release()
  return new Map(Array.from(keys, (key) => [key, likeness(values.get(key) ?? 0, best)]))
}

/** Records that are linked to a record count the less, the less they are like its text. */
export function weighByLikeness(linked: LinkedRecords, text: string, library: Library): void {
  const { parts, release } = scoreTerms(library, scoreableTerms(library, tellingTerms(text, library)))
  const columns = parts.flatMap(({ part, values }): readonly (LinkedColumn & LinkedValues)[] => {
    const column = linked.in(part)
    return column === null ? [] : [{ ...column, values }]
  })
  const best = columns.reduce((most, column) => Math.max(most, bestIn(column)), 0)
  for (const { records, close, values } of columns)
    for (let at = 0; at < records.length; at += 1)
      close[at] = (close[at] ?? 0) * likeness(values[records[at] ?? 0] ?? 0, best)
  release()
}

/** Scores of the words of a text for each record of a part. */
interface LinkedValues {
  readonly values: Float32Array
}

function bestIn({ records, values }: LinkedColumn & LinkedValues): number {
  let best = 0
  for (const record of records) {
    const value = values[record] ?? 0
    if (value > best) best = value
  }
  return best
}

function likeness(value: number, best: number): number {
  return LEAST_LIKENESS + (1 - LEAST_LIKENESS) * (best > 0 ? value / best : 0)
}

function tellingTerms(text: string, library: Library): readonly Term[] {
  const { size } = library
  return [...new Set(wordsOf(text))]
    .map((word) => ({ word, count: library.count(word) }))
    .filter(({ count }) => count > 1 && count < TOO_COMMON * size)
    .sort((a, b) => a.count - b.count)
    .slice(0, MOST_WORDS)
    .map(({ word }) => ({
      text: word,
      ways: [{ by: 'itself', weight: 1, words: [word], prefix: false }],
      parts: [],
    }))
}
