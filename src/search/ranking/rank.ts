import type { Kind } from '../../contracts/sources.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { KINDS, recordOf } from '../index/keys.ts'
import { kindsOf } from '../index/kinds.ts'
import type { IndexPart, RecordPlace } from '../index/record-index.ts'
import type { Candidates, Ranked } from './candidates.ts'
import type { Relation, Relations } from './named.ts'
import type { Allowed } from './required.ts'
import { giveBack, takeIndexes } from './room.ts'
import { recordFactors, type OwnerFactors } from './scope.ts'
import type { PartScores, Scores } from './score.ts'

/**
 * Records whose words are worth less than this share of the best one's of their kind are not what was meant. Rules have long texts:
 * beside them a technique that is right may be worth little.
 */
const LEAST_SHARE = 0.25

/** What a severity that the query names is worth. */
const PREFERRED = 1.6

/** Added to the value of the words, which is 0 to 1. */
const BONUS = { named: 3, linked: 0.9, called: 0.9 }

/** A small bonus by kind, which decides between records that fit equally well. */
const KIND_BONUS: Readonly<Record<Kind, number>> = {
  technique: 0.1,
  tactic: 0.1,
  rule: 0.08,
  'authored-rule': 0.07,
  'offensive-technique': 0.06,
  requirement: 0.05,
  component: 0.05,
  weakness: 0.05,
  artifact: 0.04,
  control: 0.02,
  cci: 0,
}
const KIND_BONUSES = KINDS.map((kind) => KIND_BONUS[kind])

interface Found {
  readonly scores: Scores
  readonly relations: Relations
  readonly placeOf: (key: number) => RecordPlace | null
  readonly factors: OwnerFactors
  readonly allowed: Allowed
  /** As `severityNumber` gives it; of this severity come first. 0: none. */
  readonly preferredSeverity: number
}

/** What may be found in a part, to be given back. */
interface WeighedPart extends PartScores {
  /** Records that say something or are related, and that may be found; the values of their words are times the factor. */
  readonly records: Uint32Array<ArrayBuffer>
  /** Null: nothing is related. */
  readonly bonuses: Float64Array | null
}

export function rank(found: Found): Candidates {
  const best = new Float64Array(KINDS.length)
  const places = Array.from(found.relations.known, ([key, relation]) => {
    return { relation, place: found.placeOf(key) }
  })
  const parts = found.scores.parts.map((scores) => {
    const bonuses = bonusesIn(scores.part, places, found)
    return weigh({ ...scores, bonuses }, best, found)
  })
  return gather(
    parts,
    best.map((one) => one * LEAST_SHARE),
    found,
  )
}

/**
 * Puts the value of the words times the factor in the place of the former, and notes the best of each kind. What is too
 * little beside the best one up to there is left out at once.
 */
function weigh(
  weighed: Omit<WeighedPart, 'records'>,
  best: Float64Array,
  found: Found,
): WeighedPart {
  const { part, values, bonuses } = weighed
  const kinds = kindsOf(part.segment)
  const columns = factorColumns(part, found, found.allowed(part))
  const share = found.scores.total === 0 ? 0 : 1 / found.scores.total
  const records = saidRecords(weighed)
  let count = 0
  for (const record of records) {
    const factor = factorIn(columns, record)
    if (factor === 0) continue
    const value = Math.fround((values[record] ?? 0) * share * factor)
    values[record] = value
    const mayBeEnough = noteBest(best, kinds[record] ?? 0, value)
    if (!mayBeEnough && !isRelated(bonuses, record)) continue
    records[count] = record
    count += 1
  }
  return { ...weighed, records: records.subarray(0, count) }
}

/** Those that say something or are related; to be given back. */
function saidRecords({
  values,
  bonuses,
}: Pick<WeighedPart, 'values' | 'bonuses'>): Uint32Array<ArrayBuffer> {
  const records = takeIndexes(values.length)
  let count = 0
  for (let record = 0; record < values.length; record += 1) {
    if (values[record] === 0 && !isRelated(bonuses, record)) continue
    records[count] = record
    count += 1
  }
  return records.subarray(0, count)
}

function isRelated(bonuses: WeighedPart['bonuses'], record: number): boolean {
  return bonuses !== null && bonuses[record] !== 0
}

/** Whether it may be enough beside the best one. */
function noteBest(best: Float64Array, kind: number, value: number): boolean {
  const known = best[kind] ?? 0
  if (value > known) best[kind] = value
  return value >= LEAST_SHARE * known
}

/** Of each record of a part what decides over its factor. */
interface FactorColumns extends Pick<Found, 'preferredSeverity'> {
  readonly factors: Float64Array
  readonly allowed: Uint8Array | null
  readonly severities: Uint8Array
}

function factorColumns(
  part: IndexPart,
  { factors, preferredSeverity }: Found,
  allowed: Uint8Array | null,
): FactorColumns {
  const { severities } = part.segment
  return { factors: recordFactors(part, factors), allowed, severities, preferredSeverity }
}

/** What is made of the score of a record; 0: it may not be found, or is of a release that is not looked at. */
function factorIn(columns: FactorColumns, record: number): number {
  const { factors, allowed, severities, preferredSeverity } = columns
  if (allowed?.[record] === 0) return 0
  const factor = factors[record] ?? 0
  return preferredSeverity !== 0 && severities[record] === preferredSeverity
    ? factor * PREFERRED
    : factor
}

interface RelatedPlace {
  readonly relation: Relation
  readonly place: RecordPlace | null
}

function bonusesIn(
  part: IndexPart,
  known: readonly RelatedPlace[],
  { relations: { linked } }: Found,
): Float64Array | null {
  const close = linked.in(part)
  const own = known.filter(({ place }) => place?.part === part)
  if (close === null && own.length === 0) return null
  const bonuses = close?.map((one) => BONUS.linked * one) ?? new Float64Array(part.gone.length)
  for (const { relation, place } of own) {
    const record = place?.record ?? 0
    const linkedToo = Math.max(relation.linked, close?.[record] ?? 0)
    bonuses[record] = bonusOf({ ...relation, linked: linkedToo })
  }
  return bonuses
}

function bonusOf({ named, linked, isCalled }: Relation): number {
  return BONUS.named * named + BONUS.linked * linked + (isCalled ? BONUS.called : 0)
}

function gather(parts: readonly WeighedPart[], least: Float64Array, found: Found): Candidates {
  const foundIn = parts.map((weighed) => keepEnough(weighed, least))
  const starts = [0]
  for (const { length } of foundIn) starts.push((starts.at(-1) ?? 0) + length)
  const columns = emptyColumns(starts.at(-1) ?? 0)
  for (const [place, weighed] of parts.entries()) {
    const records = foundIn[place] ?? new Uint32Array()
    columns.records.set(records, starts[place] ?? 0)
    fillColumns(columns, starts[place] ?? 0, { weighed, records })
    giveBack(records)
  }
  const all = { parts: parts.map(({ part }) => part), starts, ...columns }
  return { ...all, toRanked: (candidate) => rankedRecord(all, candidate, found) }
}

interface Columns {
  readonly records: Uint32Array
  readonly keys: Float64Array
  readonly scores: Float64Array
  /** What the words are worth. */
  readonly words: Float32Array
}

function emptyColumns(count: number): Columns {
  return {
    ...{ records: new Uint32Array(count), keys: new Float64Array(count) },
    ...{ scores: new Float64Array(count), words: new Float32Array(count) },
  }
}

interface FoundRecords {
  readonly weighed: WeighedPart
  readonly records: Uint32Array
}

function fillColumns(
  { keys, scores, words }: Columns,
  from: number,
  { weighed, records }: FoundRecords,
): void {
  const { part, values } = weighed
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? 0
    keys[from + at] = part.segment.keys[record] ?? 0
    words[from + at] = values[record] ?? 0
  }
  fillScores(scores.subarray(from), { weighed, records })
}

function fillScores(scores: Float64Array, { weighed, records }: FoundRecords): void {
  const { part, values, bonuses } = weighed
  const kinds = kindsOf(part.segment)
  for (let at = 0; at < records.length; at += 1) {
    const record = records[at] ?? 0
    scores[at] = (values[record] ?? 0) + (KIND_BONUSES[kinds[record] ?? 0] ?? 0)
  }
  if (bonuses !== null) addBonuses(scores, records, bonuses)
}

function addBonuses(scores: Float64Array, records: Uint32Array, bonuses: Float64Array): void {
  for (let at = 0; at < records.length; at += 1)
    scores[at] = (scores[at] ?? 0) + (bonuses[records[at] ?? 0] ?? 0)
}

/** Those that are worth enough by their words, or related; in the same room. */
function keepEnough(
  { part, values, records, bonuses }: WeighedPart,
  least: Float64Array,
): Uint32Array<ArrayBuffer> {
  const kinds = kindsOf(part.segment)
  let count = 0
  for (const record of records) {
    const words = values[record] ?? 0
    const isEnough = words !== 0 && words >= (least[kinds[record] ?? 0] ?? 0)
    if (!isEnough && !isRelated(bonuses, record)) continue
    records[count] = record
    count += 1
  }
  return records.subarray(0, count)
}

function rankedRecord(
  columns: Columns & Pick<Candidates, 'parts' | 'starts'>,
  candidate: number,
  found: Found,
): Ranked {
  const place = columns.starts.findLastIndex((start) => start <= candidate)
  const part = columns.parts[place]
  if (part === undefined) throw new Error(`There is no candidate ${candidate}`)
  const record = columns.records[candidate] ?? 0
  const key = columns.keys[candidate] ?? 0
  return {
    ...{ key, kind: recordOf(key).kind, part, record },
    score: columns.scores[candidate] ?? 0,
    words: columns.words[candidate] ?? 0,
    factor: factorIn(factorColumns(part, found, null), record),
    place: placeOf(found.scores.fieldsOf(place, record)),
    relation: relationOf({ part, record }, key, found),
  }
}

function relationOf(
  { part, record }: RecordPlace,
  key: number,
  { relations: { known, linked } }: Found,
): Relation | null {
  const close = linked.in(part)?.[record] ?? 0
  const relation = known.get(key)
  if (relation === undefined)
    return close === 0 ? null : { named: 0, linked: close, isCalled: false, through: [] }
  return { ...relation, linked: Math.max(relation.linked, close) }
}

function placeOf(fields: number): Ranked['place'] {
  if ((fields & FIELD_BITS.title) !== 0) return 'title'
  return (fields & FIELD_BITS.synonym) === 0 ? 'text' : 'synonym'
}
