import type { PhraseAlternatives, Phrase } from '../../contracts/sources.ts'
import { ANY_FIELD } from './fields.ts'
import { hitsOf } from './hits.ts'
import type { IndexPart } from './record-index.ts'

export interface MatchCriteria {
  /** All of them have to be said. */
  readonly wanted: readonly PhraseAlternatives[]
  /** None of these may be there. */
  readonly unwanted: readonly Phrase[]
  /** Bits: where it has to be said. */
  readonly fields: number
}

/** Keys of the records of a part that say all that is wanted. */
export function matchingKeys(
  part: IndexPart,
  { wanted, unwanted, fields }: MatchCriteria,
  accepts: (record: number) => boolean,
): readonly number[] {
  if (wanted.length === 0) return []
  const said = countMatchedMeanings(part, { wanted, unwanted, fields })
  const { gone, segment } = part
  const found: number[] = []
  for (let record = 0; record < said.length; record += 1)
    if (said[record] === wanted.length && gone[record] === 0 && accepts(record)) found.push(segment.keys[record] ?? 0)
  return found
}

/** Counts for each record how many wanted meanings it has in a row, from the first one. */
function countMatchedMeanings(part: IndexPart, { wanted, unwanted, fields }: MatchCriteria): Uint8Array {
  const said = new Uint8Array(part.gone.length)
  for (const [place, { ways }] of wanted.entries())
    for (const records of recordsWith(part, ways, fields)) advanceCount(said, records, place)
  for (const records of recordsWith(part, unwanted, ANY_FIELD)) for (const record of records) said[record] = 0
  return said
}

function advanceCount(said: Uint8Array, records: Uint32Array, from: number): void {
  for (const record of records) if (said[record] === from) said[record] = from + 1
}

function recordsWith({ segment }: IndexPart, ways: readonly Phrase[], fields: number): readonly Uint32Array[] {
  return ways.map((way) => hitsOf(segment, way, fields).records)
}
