import type { PhraseAlternatives, Phrase } from '../../contracts/guidance-records.ts'
import { ANY_FIELD } from './fields.ts'
import { hitsOf } from './hits.ts'
import type { IndexPart } from './record-index.ts'

export interface MatchCriteria {
  /** A record must have all of them. */
  readonly wanted: readonly PhraseAlternatives[]
  /** A record must have none of them. */
  readonly unwanted: readonly Phrase[]
  /** Bits of the fields in which they are looked for. */
  readonly fields: number
}

/** Keys of the records of a part that meet the criteria. */
export function matchingKeys(
  part: IndexPart,
  { wanted, unwanted, fields }: MatchCriteria,
  accepts: (record: number) => boolean,
): readonly number[] {
  if (wanted.length === 0) return []
  const meaningCounts = countMatchedMeanings(part, { wanted, unwanted, fields })
  const { gone, segment } = part
  const found: number[] = []
  for (let record = 0; record < meaningCounts.length; record += 1)
    if (meaningCounts[record] === wanted.length && gone[record] === 0 && accepts(record))
      found.push(segment.keys[record] ?? 0)
  return found
}

/** Counts for each record how many wanted phrases it has, up to the first one that is missing. */
function countMatchedMeanings(part: IndexPart, { wanted, unwanted, fields }: MatchCriteria): Uint8Array {
  const meaningCounts = new Uint8Array(part.gone.length)
  for (const [place, { alternatives }] of wanted.entries())
    for (const records of recordsWith(part, alternatives, fields)) advanceCount(meaningCounts, records, place)
  for (const records of recordsWith(part, unwanted, ANY_FIELD)) for (const record of records) meaningCounts[record] = 0
  return meaningCounts
}

function advanceCount(meaningCounts: Uint8Array, records: Uint32Array, from: number): void {
  for (const record of records) if (meaningCounts[record] === from) meaningCounts[record] = from + 1
}

function recordsWith({ segment }: IndexPart, ways: readonly Phrase[], fields: number): readonly Uint32Array[] {
  return ways.map((way) => hitsOf(segment, way, fields).records)
}
