import type { Kind } from '../../contracts/sources.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { KINDS, kindNumber, recordOf } from '../index/keys.ts'
import type { IndexPart, RecordPlace } from '../index/record-index.ts'
import type { Candidates, Ranked } from './candidates.ts'
import type { Relation, RelationsByKey } from './named.ts'
import type { Allowed } from './required.ts'
import type { OwnerFactors } from './scope.ts'
import type { PartScores } from './score.ts'

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
  readonly scores: readonly PartScores[]
  readonly relations: RelationsByKey
  readonly placeOf: (key: number) => RecordPlace | null
  readonly factors: OwnerFactors
  readonly allowed: Allowed
  /** As `severityNumber` gives it; of this severity come first. 0: none. */
  readonly preferredSeverity: number
}

/** The values of the words of a part, times the factors; and what is added. */
interface WeighedPart extends PartScores {
  readonly allowed: Uint8Array | null
  /** Null: nothing is related. */
  readonly bonuses: Float64Array | null
}

export function rank(found: Found): Candidates {
  const parts = found.scores.map((scores) => weigh(scores, found))
  addRelated(parts, found)
  const least = bestByKind(parts).map((best) => best * LEAST_SHARE)
  return gather(parts, least, found)
}

/** Puts the value of the words times the factor in the place of the former. */
function weigh(scores: PartScores, found: Found): WeighedPart {
  const { part, values } = scores
  const allowed = found.allowed(part)
  let [owner, factor] = [-1, 0]
  for (let record = 0; record < values.length; record += 1) {
    const value = values[record] ?? 0
    if (value === 0) continue
    // Records of one owner are next to each other, mostly.
    const own = part.segment.owners[record] ?? 0
    if (owner !== own || found.preferredSeverity !== 0) factor = factorOf(scores, record, found)
    owner = own
    values[record] = isThere(part, record, allowed) ? value * factor : 0
  }
  const bonuses = found.relations.size > 0 ? new Float64Array(values.length) : null
  return { ...scores, allowed, bonuses }
}

function isThere({ gone }: IndexPart, record: number, allowed: Uint8Array | null): boolean {
  return gone[record] === 0 && (allowed === null || allowed[record] === 1)
}

function addRelated(parts: readonly WeighedPart[], found: Found): void {
  const byPart = new Map(parts.map((weighed) => [weighed.part, weighed]))
  for (const [key, relation] of found.relations) {
    const place = found.placeOf(key)
    const weighed = place && byPart.get(place.part)
    if (place === null || weighed?.bonuses == null) continue
    const { record } = place
    if (weighed.allowed?.[record] === 0 || factorOf(weighed, record, found) === 0) continue
    weighed.bonuses[record] = bonusOf(relation)
  }
}

function bestByKind(parts: readonly WeighedPart[]): Float64Array {
  const best = new Float64Array(KINDS.length)
  for (const { part, values } of parts)
    for (let record = 0; record < values.length; record += 1) {
      const value = values[record] ?? 0
      if (value === 0) continue
      const kind = kindNumber(part.segment.keys[record] ?? 0)
      if (value > (best[kind] ?? 0)) best[kind] = value
    }
  return best
}

/** 0: of a release that is not looked at. */
function factorOf(
  { part: { segment } }: PartScores,
  record: number,
  { factors, preferredSeverity }: Found,
): number {
  const factor = factors.get(segment.owners[record] ?? 0) ?? 0
  const isPreferred = preferredSeverity !== 0 && segment.severities[record] === preferredSeverity
  return isPreferred ? factor * PREFERRED : factor
}

function bonusOf({ named, linked, isCalled }: Relation): number {
  return BONUS.named * named + BONUS.linked * linked + (isCalled ? BONUS.called : 0)
}

function gather(parts: readonly WeighedPart[], least: Float64Array, found: Found): Candidates {
  const records = parts.map((weighed) => recordsFound(weighed, least))
  const count = records.reduce((sum, { length }) => sum + length, 0)
  const columns = {
    ...{ partOf: new Uint16Array(count), records: new Uint32Array(count) },
    ...{ keys: new Float64Array(count), scores: new Float64Array(count) },
  }
  let next = 0
  for (const [place, { values, bonuses, part }] of parts.entries())
    for (const record of records[place] ?? []) {
      const key = part.segment.keys[record] ?? 0
      const kind = KIND_BONUSES[kindNumber(key)] ?? 0
      columns.partOf[next] = place
      columns.records[next] = record
      columns.keys[next] = key
      columns.scores[next] = (values[record] ?? 0) + kind + (bonuses?.[record] ?? 0)
      next += 1
    }
  const toRanked = (candidate: number): Ranked => rankedRecord(columns, candidate, { parts, found })
  return { parts: parts.map(({ part }) => part), ...columns, toRanked }
}

/** Those that are worth enough by their words, or related. */
function recordsFound({ part, values, bonuses }: WeighedPart, least: Float64Array): Uint32Array {
  const records = new Uint32Array(values.length)
  let count = 0
  for (let record = 0; record < values.length; record += 1) {
    const words = values[record] ?? 0
    const isRelated = bonuses !== null && bonuses[record] !== 0
    if (words === 0 && !isRelated) continue
    const kind = kindNumber(part.segment.keys[record] ?? 0)
    if (!isRelated && words < (least[kind] ?? 0)) continue
    records[count] = record
    count += 1
  }
  return records.subarray(0, count)
}

function rankedRecord(
  columns: Pick<Candidates, 'partOf' | 'records' | 'keys' | 'scores'>,
  candidate: number,
  { parts, found }: { readonly parts: readonly WeighedPart[]; readonly found: Found },
): Ranked {
  const weighed = parts[columns.partOf[candidate] ?? 0]
  if (weighed === undefined) throw new Error(`There is no candidate ${candidate}`)
  const record = columns.records[candidate] ?? 0
  const key = columns.keys[candidate] ?? 0
  return {
    ...{ key, kind: recordOf(key).kind, part: weighed.part, record },
    score: columns.scores[candidate] ?? 0,
    words: weighed.values[record] ?? 0,
    factor: factorOf(weighed, record, found),
    place: placeOf(weighed.fields[record] ?? 0),
    relation: found.relations.get(key) ?? null,
  }
}

function placeOf(fields: number): Ranked['place'] {
  if ((fields & FIELD_BITS.title) !== 0) return 'title'
  return (fields & FIELD_BITS.synonym) === 0 ? 'text' : 'synonym'
}
