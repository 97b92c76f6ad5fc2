import type { IndexPart, RecordLocation } from '../index/record-index.ts'
import { nonZeroPlaces } from './linked-records.ts'
import type { Relation, Relations } from './relations.ts'

/** Added to the score of the words, which is 0 to 1. */
const BONUS = { named: 3, linked: 0.9, called: 0.9 }

/** Bonuses of the records of a part for their relation to named records. */
export interface Bonuses {
  /** Bonus of each record; 0 for unrelated records. */
  readonly byRecord: Float64Array
  /** The related records. */
  readonly records: Uint32Array
}

export interface RelationTarget {
  readonly relation: Relation
  readonly place: RecordLocation | null
}

export function bonusesIn(part: IndexPart, targets: readonly RelationTarget[], { linked }: Relations): Bonuses | null {
  const column = linked.in(part)
  const ownTargets = targets.filter(({ place }) => place?.part === part)
  if (column === null && ownTargets.length === 0) return null
  const byRecord = new Float64Array(part.deleted.length)
  const { records, closeness } = column ?? { records: [], closeness: [] }
  for (let index = 0; index < records.length; index += 1)
    byRecord[records[index] ?? 0] = BONUS.linked * (closeness[index] ?? 0)
  for (const { relation, place } of ownTargets) {
    const record = place?.record ?? 0
    const linkedCloseness = Math.max(relation.linked, linked.closenessOfRecord({ part, record }))
    byRecord[record] = bonusOf({ ...relation, linked: linkedCloseness })
  }
  return { byRecord, records: nonZeroPlaces(byRecord) }
}

function bonusOf({ named, linked, isLabelMatch }: Relation): number {
  return BONUS.named * named + BONUS.linked * linked + (isLabelMatch ? BONUS.called : 0)
}

export function isRelated(bonuses: Bonuses | null, record: number): boolean {
  return bonuses !== null && bonuses.byRecord[record] !== 0
}
