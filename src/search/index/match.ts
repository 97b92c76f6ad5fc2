import type { Meaning, Phrase } from '../../contracts/sources.ts'
import { ANY_FIELD } from './fields.ts'
import { hitsOf } from './hits.ts'
import type { IndexPart } from './record-index.ts'

export interface Sought {
  /** All of them have to be said. */
  readonly wanted: readonly Meaning[]
  /** None of these may be there. */
  readonly unwanted: readonly Phrase[]
  /** Bits: where it has to be said. */
  readonly fields: number
}

/** Keys of the records of a part that say all that is wanted. */
export function matching(
  part: IndexPart,
  { wanted, unwanted, fields }: Sought,
  accepts: (record: number) => boolean,
): readonly number[] {
  if (wanted.length === 0) return []
  const { keys } = part.segment
  const all = wanted.map(({ ways }) => recordsWith(part, ways, fields))
  const excluded = recordsWith(part, unwanted, ANY_FIELD)
  const [rarest = new Set<number>()] = all.toSorted((a, b) => a.size - b.size)
  const found = Array.from(rarest).filter(
    (record) =>
      part.gone[record] === 0 &&
      all.every((records) => records.has(record)) &&
      !excluded.has(record) &&
      accepts(record),
  )
  return found.map((record) => keys[record] ?? 0)
}

function recordsWith(
  { segment }: IndexPart,
  ways: readonly Phrase[],
  fields: number,
): ReadonlySet<number> {
  const found = new Set<number>()
  for (const way of ways)
    for (const record of hitsOf(segment, way, fields).records) found.add(record)
  return found
}
