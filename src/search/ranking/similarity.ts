import { wordsOf } from '../../platform/words.ts'
import type { Library } from '../index/library.ts'
import { scoreableTerms } from '../query/scored-terms.ts'
import type { Term } from '../query/terms.ts'
import type { LinkedColumn, LinkedRecords } from './linked-records.ts'
import { scoreTerms } from './score.ts'

/** The rarest words of a text are compared, at most this many. */
const MAX_WORDS = 16
/** Words that a larger share of all records has are ignored. */
const TOO_COMMON = 0.2
/** Similarity of texts without a common word: a link between them still counts. */
const MIN_SIMILARITY = 0.45

/** Similarity of records to a text, 0.45 to 1, by key. */
export function similaritiesTo(text: string, keys: ReadonlySet<number>, library: Library): ReadonlyMap<number, number> {
  const { parts } = scoreTerms(library, scoreableTerms(library, distinctiveTerms(text, library)))
  const valuesOf = new Map(parts.map(({ part, values }) => [part, values]))
  const values = new Map<number, number>()
  let best = 0
  for (const key of keys) {
    const location = library.placeOf(key)
    if (location === null) continue
    const value = valuesOf.get(location.part)?.[location.record] ?? 0
    values.set(key, value)
    if (value > best) best = value
  }
  return new Map(Array.from(keys, (key) => [key, similarityOf(values.get(key) ?? 0, best)]))
}

/** Reduces the closeness of linked records whose texts are not similar to the text. */
export function weighBySimilarity(linked: LinkedRecords, text: string, library: Library): void {
  const { parts } = scoreTerms(library, scoreableTerms(library, distinctiveTerms(text, library)))
  const columns = parts.flatMap(({ part, values }): readonly (LinkedColumn & LinkedValues)[] => {
    const column = linked.in(part)
    return column === null ? [] : [{ ...column, values }]
  })
  const best = columns.reduce((most, column) => Math.max(most, highestIn(column)), 0)
  for (const { records, closeness, values } of columns)
    for (let index = 0; index < records.length; index += 1)
      closeness[index] = (closeness[index] ?? 0) * similarityOf(values[records[index] ?? 0] ?? 0, best)
}

/** Scores of the words of a text for each record of a part. */
interface LinkedValues {
  readonly values: Float32Array
}

function highestIn({ records, values }: LinkedColumn & LinkedValues): number {
  let best = 0
  for (const record of records) {
    const value = values[record] ?? 0
    if (value > best) best = value
  }
  return best
}

function similarityOf(value: number, best: number): number {
  return MIN_SIMILARITY + (1 - MIN_SIMILARITY) * (best > 0 ? value / best : 0)
}

function distinctiveTerms(text: string, library: Library): readonly Term[] {
  const { size } = library
  return [...new Set(wordsOf(text))]
    .map((word) => ({ word, count: library.count(word) }))
    .filter(({ count }) => count > 1 && count < TOO_COMMON * size)
    .sort((a, b) => a.count - b.count)
    .slice(0, MAX_WORDS)
    .map(({ word }) => ({
      text: word,
      variants: [{ by: 'itself', weight: 1, words: [word], prefix: false }],
      parts: [],
      associates: [],
    }))
}
