import type { IndexPart, RecordLocation } from '../index/record-index.ts'
import { giveBackIndexes, giveBackZeros, RecordMarks, takeDoubles } from '../index/room.ts'
import type { Relation, Relations } from './named.ts'

/** Added to the value of the words, which is 0 to 1. */
const BONUS = { named: 3, linked: 0.9, called: 0.9 }

/** Bonuses of the records of a part for their relation to named records. */
export interface Bonuses {
  /** Bonus of each record; 0: it is not related. */
  readonly of: Float64Array<ArrayBuffer>
  /** Records that are. */
  readonly records: Uint32Array<ArrayBuffer>
}

export interface RelationTarget {
  readonly relation: Relation
  readonly place: RecordLocation | null
}

export function bonusesIn(part: IndexPart, known: readonly RelationTarget[], { linked }: Relations): Bonuses | null {
  const column = linked.in(part)
  const own = known.filter(({ place }) => place?.part === part)
  if (column === null && own.length === 0) return null
  const of = takeDoubles(part.gone.length)
  const marks = new RecordMarks(part.gone.length)
  const note = (record: number, bonus: number): void => {
    if (bonus === 0) return
    of[record] = bonus
    marks.add(record)
  }
  const { records, close } = column ?? { records: [], close: [] }
  for (let at = 0; at < records.length; at += 1) note(records[at] ?? 0, BONUS.linked * (close[at] ?? 0))
  for (const { relation, place } of own) {
    const record = place?.record ?? 0
    const linkedToo = Math.max(relation.linked, linked.closeOf({ part, record }))
    note(record, bonusOf({ ...relation, linked: linkedToo }))
  }
  return { of, records: marks.take() }
}

function bonusOf({ named, linked, isCalled }: Relation): number {
  return BONUS.named * named + BONUS.linked * linked + (isCalled ? BONUS.called : 0)
}

export function isRelated(bonuses: Bonuses | null, record: number): boolean {
  return bonuses !== null && bonuses.of[record] !== 0
}

export function forgetBonuses(bonuses: Bonuses | null): void {
  if (bonuses === null) return
  for (const record of bonuses.records) bonuses.of[record] = 0
  giveBackZeros(bonuses.of)
  giveBackIndexes(bonuses.records)
}
