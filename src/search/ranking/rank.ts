import type { Kind } from '../../contracts/sources.ts'
import { KIND } from '../index/facts.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { KINDS, recordOf } from '../index/keys.ts'
import type { RecordPlace } from '../index/record-index.ts'
import { giveBackIndexes, takeIndexes, takeValues, takeWideValues } from '../index/room.ts'
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

/** What the records of a part may be worth. */
interface WeighedPart extends PartScores {
  readonly factors: Factors
  /** Null: nothing is related. */
  readonly bonuses: Bonuses | null
}

export function rank(found: Found): Candidates {
  const places = Array.from(found.relations.known, ([key, relation]) => {
    return { relation, place: found.placeOf(key) }
  })
  const parts = found.scores.parts.map((scores): WeighedPart => {
    const factors = factorsIn(scores.part, found, found.allowed(scores.part))
    return { ...scores, factors, bonuses: bonusesIn(scores.part, places, found.relations) }
  })
  const share = found.scores.total === 0 ? 0 : 1 / found.scores.total
  const best = new Float64Array(KINDS.length)
  const kept = new Kept(parts.reduce((sum, { part }) => sum + part.gone.length, 0))
  const runs = parts.map((weighed): WeighedRun => {
    const from = kept.count
    keepSaid(kept, weighed, { share, best })
    if (weighed.bonuses !== null) keepRelated(kept, weighed, weighed.bonuses)
    return { ...weighed, from, to: kept.count }
  })
  const columns = kept.enough(
    runs,
    best.map((one) => one * LEAST_SHARE),
  )
  for (const { bonuses } of parts) forgetBonuses(bonuses)
  const all = { parts: parts.map(({ part }) => part), ...columns }
  return { ...all, toRanked: (candidate) => rankedRecord(all, candidate, found) }
}

interface Weighing {
  readonly share: number
  /** What the best of each kind is worth up to there. */
  readonly best: Float64Array
}

/**
 * What the words are worth, times the factor; notes the best of each kind. What is too little beside the best one up to
 * there is left out at once: that is most of it.
 */
function keepSaid(kept: Kept, weighed: WeighedPart, { share, best }: Weighing): void {
  const { values, factors, bonuses } = weighed
  const { facts } = factors
  const bars = new Bars(factors, share, best)
  let { lowest } = bars
  for (let record = 0; record < values.length; record += 1) {
    const said = values[record] ?? 0
    if (said < lowest && !isRelated(bonuses, record)) continue
    const fact = facts[record] ?? 0
    if (bars.isBelow(fact & KIND.mask, said) && !isRelated(bonuses, record)) continue
    const value = Math.fround(said * share * factorIn(factors, record, fact))
    if (value === 0) continue
    kept.add(record, fact, value)
    lowest = bars.note(fact & KIND.mask, value)
  }
}

/** Those that say nothing. */
function keepRelated(kept: Kept, { values, factors }: WeighedPart, { records }: Bonuses): void {
  for (const record of records) {
    const fact = factors.facts[record] ?? 0
    if ((values[record] ?? 0) === 0 && factorIn(factors, record, fact) !== 0)
      kept.add(record, fact, 0)
  }
}

/** Values that are lower are not enough beside the best of a kind up to there, whatever the factor. */
class Bars {
  /** That of all kinds of the part; above nothing. */
  lowest = Number.MIN_VALUE
  readonly #best: Float64Array
  /** By kind. */
  readonly #bars = new Float64Array(KINDS.length)
  readonly #kinds: readonly number[]
  readonly #share: number

  constructor(factors: Factors, share: number, best: Float64Array) {
    this.#best = best
    this.#kinds = factors.kinds
    this.#share = LEAST_SHARE / (ROUNDING * share * mostFactor(factors))
    this.#raise()
  }

  isBelow(kind: number, said: number): boolean {
    return said < (this.#bars[kind] ?? 0)
  }

  /** Returns the lowest from then on. */
  note(kind: number, value: number): number {
    if (value <= (this.#best[kind] ?? 0)) return this.lowest
    this.#best[kind] = value
    this.#raise()
    return this.lowest
  }

  #raise(): void {
    let lowest = Infinity
    for (const kind of this.#kinds) {
      const bar = (this.#best[kind] ?? 0) * this.#share
      this.#bars[kind] = bar
      if (bar < lowest) lowest = bar
    }
    this.lowest = Math.max(Number.MIN_VALUE, lowest)
  }
}

/** More than what rounding may add. */
const ROUNDING = 1.0001

interface WeighedRun extends WeighedPart {
  readonly from: number
  readonly to: number
}

/** Columns that grow, in room that is given back when the page is known. */
class Kept {
  count = 0
  readonly #records: Uint32Array<ArrayBuffer>
  readonly #facts: Uint32Array<ArrayBuffer>
  readonly #words: Float32Array<ArrayBuffer>

  constructor(most: number) {
    this.#records = takeIndexes(most)
    this.#facts = takeIndexes(most)
    this.#words = takeValues(most)
  }

  add(record: number, fact: number, words: number): void {
    this.#records[this.count] = record
    this.#facts[this.count] = fact
    this.#words[this.count] = words
    this.count += 1
  }

  /** Those that are worth enough by their words, or related; in the same room. Nothing may come after this. */
  enough(runs: readonly WeighedRun[], least: Float64Array): EnoughColumns {
    const [keys, scores] = [takeWideValues(this.count), takeWideValues(this.count)]
    const starts = [0]
    this.count = 0
    for (const run of runs) {
      this.#keepEnough(run, least)
      fill({ keys, scores, ...this.#columns }, starts.at(-1) ?? 0, run)
      starts.push(this.count)
    }
    const release = (): void => {
      for (const room of [this.#records, this.#facts, this.#words, keys, scores])
        giveBackIndexes(room)
    }
    const filled = { keys: keys.subarray(0, this.count), scores: scores.subarray(0, this.count) }
    return { starts, ...this.#columns, ...filled, release }
  }

  #keepEnough({ from, to, bonuses }: WeighedRun, least: Float64Array): void {
    for (let at = from; at < to; at += 1) {
      const [record, fact] = [this.#records[at] ?? 0, this.#facts[at] ?? 0]
      const words = this.#words[at] ?? 0
      const isEnough = words !== 0 && words >= (least[fact & KIND.mask] ?? 0)
      if (isEnough || isRelated(bonuses, record)) this.add(record, fact, words)
    }
  }

  get #columns(): Pick<EnoughColumns, 'records' | 'facts' | 'words'> {
    return {
      records: this.#records.subarray(0, this.count),
      facts: this.#facts.subarray(0, this.count),
      words: this.#words.subarray(0, this.count),
    }
  }
}

interface EnoughColumns extends Omit<Candidates, 'parts' | 'toRanked'> {
  /** What the words are worth. */
  readonly words: Float32Array
}

/** Keys and scores from a candidate on, of the part of a run. */
function fill(
  { keys, scores, records, facts, words }: Omit<EnoughColumns, 'starts' | 'release'>,
  from: number,
  { part, bonuses }: WeighedRun,
): void {
  for (let at = from; at < records.length; at += 1) {
    const record = records[at] ?? 0
    keys[at] = part.segment.keys[record] ?? 0
    const score = (words[at] ?? 0) + (KIND_BONUSES[(facts[at] ?? 0) & KIND.mask] ?? 0)
    scores[at] = bonuses === null ? score : score + (bonuses.of[record] ?? 0)
  }
}

function rankedRecord(
  columns: EnoughColumns & Pick<Candidates, 'parts'>,
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
