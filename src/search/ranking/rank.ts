import type { Kind } from '../../contracts/sources.ts'
import { KIND } from '../index/facts.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { KINDS, recordOf } from '../index/keys.ts'
import type { IndexPart, RecordPlace } from '../index/record-index.ts'
import { giveBackIndexes, takeIndexes, takeValues } from '../index/room.ts'
import { bonusesIn, forgetBonuses, isRelated, type Bonuses } from './bonuses.ts'
import type { Candidates, Ranked } from './candidates.ts'
import type { Relation, Relations } from './named.ts'
import type { Allowed } from './required.ts'
import { factorIn, factorsIn, mostFactor, type Factors, type OwnerFactors } from './scope.ts'
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

interface Found {
  readonly scores: Scores
  readonly relations: Relations
  readonly placeOf: (key: number) => RecordPlace | null
  readonly factors: OwnerFactors
  readonly allowed: Allowed
  /** As `severityNumber` gives it; of this severity come first. 0: none. */
  readonly preferredSeverity: number
}

/** What may be found in a part, in columns; room that is to be given back. */
interface WeighedPart {
  readonly part: IndexPart
  /** Records that say something or are related, and that may be found. */
  readonly records: Uint32Array<ArrayBuffer>
  /** See `factsOf`. */
  readonly facts: Uint32Array<ArrayBuffer>
  /** What their words are worth, times the factor. */
  readonly words: Float32Array<ArrayBuffer>
  /** Null: nothing is related. */
  readonly bonuses: Bonuses | null
}

export function rank(found: Found): Candidates {
  const best = new Float64Array(KINDS.length)
  const places = Array.from(found.relations.known, ([key, relation]) => {
    return { relation, place: found.placeOf(key) }
  })
  const parts = found.scores.parts.map((scores) => {
    const bonuses = bonusesIn(scores.part, places, found.relations)
    return weigh({ ...scores, bonuses }, best, found)
  })
  return gather(
    parts,
    best.map((one) => one * LEAST_SHARE),
    found,
  )
}

/**
 * What the words are worth, times the factor; notes the best of each kind. What is too little beside the best one up to
 * there is left out at once.
 */
function weigh(scores: RelatedScores, best: Float64Array, found: Found): WeighedPart {
  const { part, said, bonuses } = scores
  const factors = factorsIn(part, found, found.allowed(part))
  const kept = new Kept(said.length + (bonuses === null ? 0 : bonuses.records.length))
  const weighing = { factors, kept, bar: new Bar(best, factors) }
  keepSaid(scores, found.scores.total === 0 ? 0 : 1 / found.scores.total, weighing)
  if (bonuses !== null) keepRelated(scores, bonuses, weighing)
  return { part, bonuses, ...kept.columns }
}

type RelatedScores = PartScores & Pick<WeighedPart, 'bonuses'>

interface Weighing {
  readonly factors: Factors
  readonly bar: Bar
  readonly kept: Kept
}

function keepSaid(
  { values, said, bonuses }: RelatedScores,
  share: number,
  { factors, bar, kept }: Weighing,
): void {
  const { facts } = factors
  for (const record of said) {
    const words = (values[record] ?? 0) * share
    if (words < bar.words && !isRelated(bonuses, record)) continue
    const fact = facts[record] ?? 0
    const value = Math.fround(words * factorIn(factors, record, fact))
    if (value === 0) continue
    const mayBeEnough = bar.note(fact & KIND.mask, value)
    if (mayBeEnough || isRelated(bonuses, record)) kept.add(record, fact, value)
  }
}

/** Those that say nothing. */
function keepRelated(
  { values }: RelatedScores,
  { records }: Bonuses,
  { factors, kept }: Weighing,
): void {
  for (const record of records) {
    const fact = factors.facts[record] ?? 0
    if (values[record] === 0 && factorIn(factors, record, fact) !== 0) kept.add(record, fact, 0)
  }
}

/** Columns that grow, in room that is to be given back. */
class Kept {
  readonly #records: Uint32Array<ArrayBuffer>
  readonly #facts: Uint32Array<ArrayBuffer>
  readonly #words: Float32Array<ArrayBuffer>
  #count = 0

  constructor(most: number) {
    this.#records = takeIndexes(most)
    this.#facts = takeIndexes(most)
    this.#words = takeValues(most)
  }

  add(record: number, fact: number, words: number): void {
    this.#records[this.#count] = record
    this.#facts[this.#count] = fact
    this.#words[this.#count] = words
    this.#count += 1
  }

  get columns(): Pick<WeighedPart, 'records' | 'facts' | 'words'> {
    return {
      records: this.#records.subarray(0, this.#count),
      facts: this.#facts.subarray(0, this.#count),
      words: this.#words.subarray(0, this.#count),
    }
  }
}

/** What is enough beside the best of each kind up to there. */
class Bar {
  /** Words that are worth less are not enough, whatever the kind and the factor. */
  words = 0
  readonly #best: Float64Array
  readonly #kinds: readonly number[]
  readonly #mostFactor: number

  constructor(best: Float64Array, factors: Factors) {
    this.#best = best
    this.#kinds = factors.kinds
    this.#mostFactor = ROUNDING * mostFactor(factors)
    this.#raise()
  }

  /** Whether it may be enough. */
  note(kind: number, value: number): boolean {
    const known = this.#best[kind] ?? 0
    if (value > known) {
      this.#best[kind] = value
      this.#raise()
    }
    return value >= LEAST_SHARE * known
  }

  #raise(): void {
    const least = this.#kinds.reduce((a, kind) => Math.min(a, this.#best[kind] ?? 0), Infinity)
    this.words = (LEAST_SHARE * least) / this.#mostFactor
  }
}

/** More than what rounding may add. */
const ROUNDING = 1.0001

function gather(parts: readonly WeighedPart[], least: Float64Array, found: Found): Candidates {
  const enough = parts.map((weighed) => keepEnough(weighed, least))
  const starts = [0]
  for (const { records } of enough) starts.push((starts.at(-1) ?? 0) + records.length)
  const columns = emptyColumns(starts.at(-1) ?? 0)
  for (const [place, weighed] of enough.entries()) {
    fillColumns(columns, starts[place] ?? 0, weighed)
    giveBackIndexes(weighed.records)
    giveBackIndexes(weighed.facts)
    giveBackIndexes(weighed.words)
    forgetBonuses(weighed.bonuses)
  }
  const all = { parts: parts.map(({ part }) => part), starts, ...columns }
  return { ...all, toRanked: (candidate) => rankedRecord(all, candidate, found) }
}

interface Columns {
  readonly records: Uint32Array
  readonly facts: Uint32Array
  readonly keys: Float64Array
  readonly scores: Float64Array
  /** What the words are worth. */
  readonly words: Float32Array
}

function emptyColumns(count: number): Columns {
  return {
    ...{ records: new Uint32Array(count), facts: new Uint32Array(count) },
    ...{ keys: new Float64Array(count), scores: new Float64Array(count) },
    words: new Float32Array(count),
  }
}

function fillColumns(
  columns: Columns,
  from: number,
  { part, records, facts, words, bonuses }: WeighedPart,
): void {
  columns.records.set(records, from)
  columns.facts.set(facts, from)
  columns.words.set(words, from)
  const { keys, scores } = columns
  for (let at = 0; at < records.length; at += 1) {
    keys[from + at] = part.segment.keys[records[at] ?? 0] ?? 0
    scores[from + at] = (words[at] ?? 0) + (KIND_BONUSES[(facts[at] ?? 0) & KIND.mask] ?? 0)
  }
  if (bonuses !== null) addBonuses(scores.subarray(from), records, bonuses.of)
}

function addBonuses(scores: Float64Array, records: Uint32Array, bonuses: Float64Array): void {
  for (let at = 0; at < records.length; at += 1)
    scores[at] = (scores[at] ?? 0) + (bonuses[records[at] ?? 0] ?? 0)
}

/** Those that are worth enough by their words, or related; in the same room. */
function keepEnough(weighed: WeighedPart, least: Float64Array): WeighedPart {
  const { records, facts, words, bonuses } = weighed
  let count = 0
  for (let at = 0; at < records.length; at += 1) {
    const [record, fact, value] = [records[at] ?? 0, facts[at] ?? 0, words[at] ?? 0]
    const isEnough = value !== 0 && value >= (least[fact & KIND.mask] ?? 0)
    if (!isEnough && !isRelated(bonuses, record)) continue
    records[count] = record
    facts[count] = fact
    words[count] = value
    count += 1
  }
  return {
    ...weighed,
    records: records.subarray(0, count),
    facts: facts.subarray(0, count),
    words: words.subarray(0, count),
  }
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
    factor: factorIn(factorsIn(part, found, null), record, columns.facts[candidate] ?? 0),
    place: placeOf(found.scores.fieldsOf(place, record)),
    relation: relationOf({ part, record }, key, found),
  }
}

function relationOf(
  { part, record }: RecordPlace,
  key: number,
  { relations: { known, linked } }: Found,
): Relation | null {
  const close = linked.closeOf({ part, record })
  const relation = known.get(key)
  if (relation === undefined)
    return close === 0 ? null : { named: 0, linked: close, isCalled: false, through: [] }
  return { ...relation, linked: Math.max(relation.linked, close) }
}

function placeOf(fields: number): Ranked['place'] {
  if ((fields & FIELD_BITS.title) !== 0) return 'title'
  return (fields & FIELD_BITS.synonym) === 0 ? 'text' : 'synonym'
}
