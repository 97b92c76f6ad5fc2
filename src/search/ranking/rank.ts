import type { Kind } from '../../contracts/sources.ts'
import { KIND } from '../index/facts.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { KINDS, recordOf } from '../index/keys.ts'
import type { RecordLocation } from '../index/record-index.ts'
import { giveBackIndexes, takeIndexes, takeValues, takeWideValues } from '../index/room.ts'
import { bonusesIn, forgetBonuses, isRelated, type Bonuses } from './bonuses.ts'
import type { CandidateRun, Candidates, Ranked } from './candidates.ts'
import type { Relation, Relations } from './named.ts'
import type { RecordFilter } from './required.ts'
import { factorIn, factorsIn, largestFactor, type Factors, type OwnerFactors } from './scope.ts'
import type { PartScores, Scores } from './score.ts'

/**
 * Records whose words are worth less than this share of the best one's of their kind are not what was meant. Rules have long texts:
 * beside them a technique that is right may be worth little.
 */
const LEAST_SHARE = 0.25

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

interface RankingInput {
  readonly scores: Scores
  readonly relations: Relations
  readonly placeOf: (key: number) => RecordLocation | null
  readonly factors: OwnerFactors
  readonly allowed: RecordFilter
  /** Records of this `severityNumber` come first; 0: none do. */
  readonly preferredSeverity: number
  /** Keys of records that come after all others. */
  readonly deprecated: ReadonlySet<number>
}

/** Taken from the score of a deprecated record: more than any record can get, so that none comes after it. */
const BEHIND = 1000

/** Scores of the records of a part, with their factors and bonuses. */
interface WeighedPart extends PartScores {
  readonly factors: Factors
  /** Null: nothing is related. */
  readonly bonuses: Bonuses | null
}

interface WeighedRun extends WeighedPart, Pick<CandidateRun, 'from' | 'to'> {}

export function rank(found: RankingInput): Candidates {
  const places = Array.from(found.relations.known, ([key, relation]) => {
    return { relation, place: found.placeOf(key) }
  })
  const parts = found.scores.parts.map((scores): WeighedPart => {
    const factors = factorsIn(scores.part, found, found.allowed(scores.part))
    return { ...scores, factors, bonuses: bonusesIn(scores.part, places, found.relations) }
  })
  const share = found.scores.total === 0 ? 0 : 1 / found.scores.total
  const weighing = { share, best: new Float64Array(KINDS.length) }
  const kept = new CandidateList(parts.reduce((sum, { part }) => sum + part.gone.length, 0))
  const runs = parts.map((weighed): WeighedRun => {
    const from = kept.count
    addByWords(kept, weighed, weighing)
    if (weighed.bonuses !== null) addRelated(kept, weighed, weighed.bonuses)
    return { ...weighed, from, to: kept.count }
  })
  const columns = kept.withoutWeak(runs, weighing.best, found.deprecated)
  for (const { bonuses } of parts) forgetBonuses(bonuses)
  const all = { parts: parts.map(({ part }) => part), ...columns }
  return { ...all, toRanked: (candidate) => rankedRecord(all, candidate, found) }
}

interface WordWeights {
  readonly share: number
  /** The best score of each kind so far. */
  readonly best: Float64Array
}

/** More than what rounding may add. */
const ROUNDING = 1.0001

/**
 * Scores the words, times the factor, and notes the best of each kind. A score too far below the best one up to
 * there is left out at once: that is most of it.
 */
function addByWords(kept: CandidateList, weighed: WeighedPart, { share, best }: WordWeights): void {
  const { values, factors } = weighed
  if (values.length === 0) return
  const { of: facts, runs } = factors.facts
  for (const { from, to, kind, owner } of runs) {
    const most = ROUNDING * share * largestFactor(factors, owner)
    let record = most === 0 ? to : nextCandidate(weighed, from, { to, bar: leastValue(best, kind, most) })
    while (record < to) {
      const factor = factorIn(factors, record, facts[record] ?? 0)
      const value = Math.fround((values[record] ?? 0) * share * factor)
      if (value !== 0) kept.add(record, value)
      if (value > (best[kind] ?? 0)) best[kind] = value
      record = nextCandidate(weighed, record + 1, { to, bar: leastValue(best, kind, most) })
    }
  }
}

/** A lower value is too far below the best one, whatever its factor. Most records have no term at all. */
function leastValue(best: Float64Array, kind: number, most: number): number {
  return Math.max(Number.MIN_VALUE, (LEAST_SHARE * (best[kind] ?? 0)) / most)
}

/** The next record from one on that is worth that much or related: of all others nothing else is looked at. */
function nextCandidate(
  { values, bonuses }: WeighedPart,
  from: number,
  { to, bar }: { readonly to: number; readonly bar: number },
): number {
  let record = from
  if (bonuses === null) while (record < to && (values[record] ?? 0) < bar) record += 1
  else while (record < to && (values[record] ?? 0) < bar && bonuses.of[record] === 0) record += 1
  return record
}

/** Adds related records that have no term of the query. */
function addRelated(kept: CandidateList, { values, factors }: WeighedPart, { records }: Bonuses): void {
  for (const record of records) {
    const fact = factors.facts.of[record] ?? 0
    if ((values[record] ?? 0) === 0 && factorIn(factors, record, fact) !== 0) kept.add(record, 0)
  }
}

/** Columns that grow, in room that is given back when the page is known. */
class CandidateList {
  count = 0
  readonly #records: Uint32Array<ArrayBuffer>
  readonly #words: Float32Array<ArrayBuffer>

  constructor(most: number) {
    this.#records = takeIndexes(most)
    this.#words = takeValues(most)
  }

  add(record: number, words: number): void {
    this.#records[this.count] = record
    this.#words[this.count] = words
    this.count += 1
  }

  /** Keeps candidates with a sufficient score, or a relation, in the same buffers. Nothing may be added afterwards. */
  withoutWeak(runs: readonly WeighedRun[], best: Float64Array, deprecated: ReadonlySet<number>): CandidateColumns {
    const least = best.map((one) => one * LEAST_SHARE)
    const facts = takeIndexes(this.count)
    const keys = takeWideValues(this.count)
    const scores = takeWideValues(this.count)
    const columns = { records: this.#records, words: this.#words, facts, keys, scores }
    const starts = [0]
    let count = 0
    for (const run of runs) {
      count = compactColumns(columns, run, { least, count, deprecated })
      starts.push(count)
    }
    const release = (): void => {
      for (const room of Object.values(columns)) giveBackIndexes(room)
    }
    return {
      starts,
      release,
      records: this.#records.subarray(0, count),
      words: this.#words.subarray(0, count),
      facts: facts.subarray(0, count),
      keys: keys.subarray(0, count),
      scores: scores.subarray(0, count),
    }
  }
}

interface CandidateColumns extends Omit<Candidates, 'parts' | 'toRanked'> {
  /** Scores of the words. */
  readonly words: Float32Array
}

interface CompactionState {
  readonly least: Float64Array
  readonly count: number
  readonly deprecated: ReadonlySet<number>
}

/** Moves what is worth enough behind the first `count` candidates, with all that is known of it; returns how many there are. */
function compactColumns(
  { records, words, facts, keys, scores }: Omit<CandidateColumns, 'starts' | 'release'>,
  { part, factors, bonuses, from, to }: WeighedRun,
  { least, count, deprecated }: CompactionState,
): number {
  const { of } = factors.facts
  const keysOfPart = part.segment.keys
  let next = count
  for (let at = from; at < to; at += 1) {
    const record = records[at] ?? 0
    const own = words[at] ?? 0
    const fact = of[record] ?? 0
    const kind = fact & KIND.mask
    if (!isEnough(own, least[kind]) && !isRelated(bonuses, record)) continue
    records[next] = record
    words[next] = own
    facts[next] = fact
    const key = keysOfPart[record] ?? 0
    keys[next] = key
    scores[next] = own + bonusOfKind(kind) + bonusOf(bonuses, record) - penaltyOf(key, deprecated)
    next += 1
  }
  return next
}

function bonusOfKind(kind: number): number {
  return KIND_BONUSES[kind] ?? 0
}

function penaltyOf(key: number, deprecated: ReadonlySet<number>): number {
  return deprecated.has(key) ? BEHIND : 0
}

function isEnough(words: number, least = 0): boolean {
  return words !== 0 && words >= least
}

function bonusOf(bonuses: Bonuses | null, record: number): number {
  return bonuses === null ? 0 : (bonuses.of[record] ?? 0)
}

function rankedRecord(
  columns: CandidateColumns & Pick<Candidates, 'parts'>,
  candidate: number,
  found: RankingInput,
): Ranked {
  const place = columns.starts.findLastIndex((start) => start <= candidate)
  const part = columns.parts[place]
  if (part === undefined) throw new Error(`There is no candidate ${candidate}`)
  const record = columns.records[candidate] ?? 0
  const key = columns.keys[candidate] ?? 0
  return {
    key,
    kind: recordOf(key).kind,
    part,
    record,
    score: columns.scores[candidate] ?? 0,
    words: columns.words[candidate] ?? 0,
    factor: factorIn(factorsIn(part, found, null), record, columns.facts[candidate] ?? 0),
    place: placeOf(found.scores.fieldsOf(place, record)),
    relation: relationOf({ part, record }, key, found),
  }
}

function relationOf(
  { part, record }: RecordLocation,
  key: number,
  { relations: { known, linked } }: RankingInput,
): Relation | null {
  const close = linked.closeOf({ part, record })
  const relation = known.get(key)
  if (relation === undefined) return close === 0 ? null : { named: 0, linked: close, isCalled: false, through: [] }
  return { ...relation, linked: Math.max(relation.linked, close) }
}

function placeOf(fields: number): Ranked['place'] {
  if ((fields & FIELD_BITS.title) !== 0) return 'title'
  return (fields & FIELD_BITS.synonym) === 0 ? 'text' : 'synonym'
}
