import type { RecordKind } from '../../contracts/sources.ts'
import { KIND } from '../index/facts.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { KINDS, recordOf } from '../index/keys.ts'
import type { RecordLocation } from '../index/record-index.ts'
import type { KindFactors } from '../query/kind-factors.ts'
import { bonusesIn, isRelated, type Bonuses } from './bonuses.ts'
import type { CandidateRun, Candidates, Ranked } from './candidates.ts'
import { factorIn, factorsIn, type Factors, type OwnerFactors } from './owner-factors.ts'
import type { RecordFilter } from './record-filter.ts'
import type { Relation, Relations } from './relations.ts'
import type { PartScores, Scores } from './score.ts'

/**
 * Records with less than this share of the best score of their kind are left out. It is compared by kind, because rules
 * have long texts and score higher than techniques.
 */
const MIN_SHARE = 0.25

/** A small bonus by kind, which decides between records with equal scores. */
const KIND_BONUS: Readonly<Record<RecordKind, number>> = {
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
  readonly kindFactors: KindFactors
  readonly allowed: RecordFilter
  /** Records of this `severityNumber` come first; 0: none do. */
  readonly preferredSeverity: number
  /** Keys of records that come after all others. */
  readonly deprecated: ReadonlySet<number>
}

/** Subtracted from the score of deprecated records, and larger than any score, so that they come last. */
const DEPRECATED_PENALTY = 1000

/** Scores of the records of a part, with their factors and bonuses. */
interface WeighedPart extends PartScores {
  readonly factors: Factors
  /** Null: nothing is related. */
  readonly bonuses: Bonuses | null
}

interface WeighedRun extends WeighedPart, Pick<CandidateRun, 'from' | 'to'> {}

export function rank(input: RankingInput): Candidates {
  const places = Array.from(input.relations.known, ([key, relation]) => {
    return { relation, place: input.placeOf(key) }
  })
  const parts = input.scores.parts.map((scores): WeighedPart => {
    const factors = factorsIn(scores.part, input, input.allowed(scores.part))
    return { ...scores, factors, bonuses: bonusesIn(scores.part, places, input.relations) }
  })
  const share = input.scores.total === 0 ? 0 : 1 / input.scores.total
  const weighing = { share, kindFactors: input.kindFactors, best: new Float64Array(KINDS.length) }
  const candidates = new CandidateList(parts.reduce((sum, { part }) => sum + part.deleted.length, 0))
  const runs = parts.map((weighed): WeighedRun => {
    const from = candidates.count
    addByWords(candidates, weighed, weighing)
    if (weighed.bonuses !== null) addRelated(candidates, weighed, weighed.bonuses)
    return { ...weighed, from, to: candidates.count }
  })
  const columns = candidates.withoutWeak(runs, weighing.best, input.deprecated)
  const candidateColumns = { parts: parts.map(({ part }) => part), ...columns }
  return { ...candidateColumns, toRanked: (candidate) => rankedRecord(candidateColumns, candidate, input) }
}

interface WordWeights {
  readonly kindFactors: KindFactors
  readonly share: number
  /** The best score of each kind so far. */
  readonly best: Float64Array
}

/** Adds records by the score of their words times the factor, and updates the best score of each kind. */
function addByWords(
  candidates: CandidateList,
  { values, factors }: WeighedPart,
  { share, kindFactors, best }: WordWeights,
): void {
  for (let record = 0; record < values.length; record += 1) {
    const wordScore = values[record] ?? 0
    if (wordScore === 0) continue
    const fact = factors.facts[record] ?? 0
    const kind = fact & KIND.mask
    const value = Math.fround(wordScore * (share * (kindFactors[kind] ?? 1)) * factorIn(factors, record, fact))
    if (value !== 0) candidates.add(record, value)
    if (value > (best[kind] ?? 0)) best[kind] = value
  }
}

/** Adds related records that have no term of the query. */
function addRelated(candidates: CandidateList, { values, factors }: WeighedPart, { records }: Bonuses): void {
  for (const record of records) {
    const fact = factors.facts[record] ?? 0
    if ((values[record] ?? 0) === 0 && factorIn(factors, record, fact) !== 0) candidates.add(record, 0)
  }
}

class CandidateList {
  count = 0
  readonly #records: Uint32Array
  readonly #wordScores: Float32Array

  constructor(room: number) {
    this.#records = new Uint32Array(room)
    this.#wordScores = new Float32Array(room)
  }

  add(record: number, wordScore: number): void {
    this.#records[this.count] = record
    this.#wordScores[this.count] = wordScore
    this.count += 1
  }

  /** Keeps candidates with a sufficient score, or a relation, in the same buffers. Nothing may be added afterwards. */
  withoutWeak(runs: readonly WeighedRun[], best: Float64Array, deprecated: ReadonlySet<number>): CandidateColumns {
    const minimum = best.map((bestScore) => bestScore * MIN_SHARE)
    const facts = new Uint32Array(this.count)
    const keys = new Float64Array(this.count)
    const scores = new Float64Array(this.count)
    const columns = { records: this.#records, wordScores: this.#wordScores, facts, keys, scores }
    const starts = [0]
    let count = 0
    for (const run of runs) {
      count = compactColumns(columns, run, { minimum, count, deprecated })
      starts.push(count)
    }
    return {
      starts,
      records: this.#records.subarray(0, count),
      wordScores: this.#wordScores.subarray(0, count),
      facts: facts.subarray(0, count),
      keys: keys.subarray(0, count),
      scores: scores.subarray(0, count),
    }
  }
}

interface CandidateColumns extends Omit<Candidates, 'parts' | 'toRanked'> {
  readonly wordScores: Float32Array
}

interface CompactionState {
  readonly minimum: Float64Array
  readonly count: number
  readonly deprecated: ReadonlySet<number>
}

/**
 * Moves candidates with a sufficient score or a relation to the front, after the first `count`; returns the new count.
 */
function compactColumns(
  { records, wordScores, facts, keys, scores }: Omit<CandidateColumns, 'starts'>,
  { part, factors, bonuses, from, to }: WeighedRun,
  { minimum, count, deprecated }: CompactionState,
): number {
  const keysOfPart = part.segment.keys
  let next = count
  for (let index = from; index < to; index += 1) {
    const record = records[index] ?? 0
    const wordScore = wordScores[index] ?? 0
    const fact = factors.facts[record] ?? 0
    const kind = fact & KIND.mask
    if (!isEnough(wordScore, minimum[kind]) && !isRelated(bonuses, record)) continue
    records[next] = record
    wordScores[next] = wordScore
    facts[next] = fact
    const key = keysOfPart[record] ?? 0
    keys[next] = key
    scores[next] = wordScore + (KIND_BONUSES[kind] ?? 0) + bonusOf(bonuses, record) - penaltyOf(key, deprecated)
    next += 1
  }
  return next
}

function penaltyOf(key: number, deprecated: ReadonlySet<number>): number {
  return deprecated.has(key) ? DEPRECATED_PENALTY : 0
}

function isEnough(words: number, minimum = 0): boolean {
  return words !== 0 && words >= minimum
}

function bonusOf(bonuses: Bonuses | null, record: number): number {
  return bonuses === null ? 0 : (bonuses.byRecord[record] ?? 0)
}

function rankedRecord(
  columns: CandidateColumns & Pick<Candidates, 'parts'>,
  candidate: number,
  input: RankingInput,
): Ranked {
  const partIndex = columns.starts.findLastIndex((start) => start <= candidate)
  const part = columns.parts[partIndex]
  if (part === undefined) throw new Error(`There is no candidate ${candidate}`)
  const record = columns.records[candidate] ?? 0
  const key = columns.keys[candidate] ?? 0
  const fact = columns.facts[candidate] ?? 0
  return {
    key,
    kind: recordOf(key).kind,
    part,
    record,
    score: columns.scores[candidate] ?? 0,
    words: columns.wordScores[candidate] ?? 0,
    factor: factorIn(factorsIn(part, input, null), record, fact) * (input.kindFactors[fact & KIND.mask] ?? 1),
    place: placeOf(input.scores.fieldsOf(partIndex, record)),
    relation: relationOf({ part, record }, key, input),
  }
}

function relationOf(
  { part, record }: RecordLocation,
  key: number,
  { relations: { known: relationsByKey, linked } }: RankingInput,
): Relation | null {
  const close = linked.closenessOfRecord({ part, record })
  const relation = relationsByKey.get(key)
  if (relation === undefined) return close === 0 ? null : { named: 0, linked: close, isLabelMatch: false, through: [] }
  return { ...relation, linked: Math.max(relation.linked, close) }
}

function placeOf(fields: number): Ranked['place'] {
  if ((fields & FIELD_BITS.title) !== 0) return 'title'
  return (fields & FIELD_BITS.synonym) === 0 ? 'text' : 'synonym'
}
