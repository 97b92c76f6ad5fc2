import type { PhraseAlternatives, Phrase } from '../../contracts/guidance-records.ts'
import { ANY_FIELD } from './fields.ts'
import { hitsOf, matchingWords } from './hits.ts'
import type { IndexPart } from './record-index.ts'
import type { Segment } from './segment.ts'

export interface MatchCriteria {
  /** A record must have all of them. */
  readonly required: readonly PhraseAlternatives[]
  /** A record must have none of them. */
  readonly excluded: readonly Phrase[]
  /** Bits of the fields in which they are looked for. */
  readonly fields: number
}

/** Finds the keys of the records of a part that meet the criteria. */
export function matchingKeys(
  part: IndexPart,
  { required, excluded, fields }: MatchCriteria,
  accepts: (record: number) => boolean,
): readonly number[] {
  if (required.length === 0) return []
  const meaningCounts = countMatchedMeanings(part, { required, excluded, fields })
  const { deleted, segment } = part
  const keys: number[] = []
  for (let record = 0; record < meaningCounts.length; record += 1)
    if (meaningCounts[record] === required.length && deleted[record] === 0 && accepts(record))
      keys.push(segment.keys[record] ?? 0)
  return keys
}

/** Counts for each record how many required phrases it has, up to the first one that is missing. */
function countMatchedMeanings(
  { segment, deleted }: IndexPart,
  { required, excluded, fields }: MatchCriteria,
): Uint8Array {
  const meaningCounts = new Uint8Array(deleted.length)
  for (const [index, { alternatives }] of required.entries()) {
    forEachRecord(segment, { phrases: alternatives, fields }, (record) => {
      if (meaningCounts[record] === index) meaningCounts[record] = index + 1
    })
    // Further phrases may be costly.
    if (!meaningCounts.includes(index + 1)) break
  }
  forEachRecord(segment, { phrases: excluded, fields: ANY_FIELD }, (record) => {
    meaningCounts[record] = 0
  })
  return meaningCounts
}

interface PhraseQuery {
  readonly phrases: readonly Phrase[]
  readonly fields: number
}

/** Calls a function with each record that has one of the phrases, once or several times. */
function forEachRecord(segment: Segment, { phrases, fields }: PhraseQuery, use: (record: number) => void): void {
  for (const phrase of phrases)
    if (phrase.words.length > 1) hitsOf(segment, phrase, fields).records.forEach(use)
    else for (const word of matchingWords(segment, phrase)) forEachRecordWith(segment, { word, fields }, use)
}

function forEachRecordWith(
  { starts, records, fields: fieldsOf }: Segment,
  { word, fields }: { readonly word: number; readonly fields: number },
  use: (record: number) => void,
): void {
  const end = starts[word + 1] ?? 0
  for (let index = starts[word] ?? end; index < end; index += 1)
    if (((fieldsOf[index] ?? 0) & fields) !== 0) use(records[index] ?? 0)
}
