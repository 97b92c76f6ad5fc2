import { hitsOf, type Hits } from '../index/hits.ts'
import { liveIn, type Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import { WORTH_STEPS } from '../index/segment.ts'
import type { Term, TermWay } from '../question/terms.ts'

/** Where BM25's value of a word begins to level off, in steps. */
const SATURATION = 1.2 * WORTH_STEPS
/** Of a synonym where the word itself is common: who typed it meant it. */
const COMMON_SYNONYM = 0.7
/** Of parts of what was typed as one word: `login` of `login.defs`. */
const PART = 0.7
/** What was typed as one word is worth that much at least, even once in a long text: no setting is in titles. */
const AS_TYPED = 0.7
/** In so many records a word is common. */
const COMMON = 5

/** What the terms of a query are worth to each record of a part, 0 to 1. */
export interface PartScores {
  readonly part: IndexPart
  readonly values: Float32Array
  /** Of each record the fields that have any of the words, as bits. */
  readonly fields: Uint8Array
}

export interface ScoredParts {
  readonly parts: readonly PartScores[]
  /** Terms that no record has. */
  readonly unknown: readonly Term[]
}

/**
 * BM25F: any word counts, each the more the rarer it is. Of several ways to say a term the best one counts; of what was
 * typed as one word, such as a path, it counts less where only its parts are said.
 */
export function scoreTerms(library: Library, terms: readonly Term[]): ScoredParts {
  const { all } = library
  const scores = all.map((part) => ({
    part,
    values: new Float32Array(part.gone.length),
    fields: new Uint8Array(part.gone.length),
  }))
  const counted = { parts: all, size: library.size, openParts: library.open.length }
  const unknown: Term[] = []
  let total = 0
  for (const term of terms) {
    const whole = saidWays(term.ways, counted)
    const pieces = term.parts.map((way) => saidWays([way], counted))
    const most = Math.max(mostOf(whole), PART * sum(pieces.map(mostOf)))
    if (most === 0) unknown.push(term)
    total += most
    for (const [at, score] of scores.entries()) addTerm(score, at, { whole, pieces })
  }
  if (total > 0) for (const { values } of scores) scale(values, 1 / total)
  return { parts: scores, unknown }
}

interface SaidTerm {
  readonly whole: readonly SaidWay[]
  readonly pieces: readonly (readonly SaidWay[])[]
}

/** A way to say a term: where it is said, and what that is worth at most. */
interface SaidWay {
  /** By part. */
  readonly hits: readonly Hits[]
  readonly worth: number
}

interface CountedParts {
  readonly parts: readonly IndexPart[]
  /** Records that everybody may read, and the number of parts that have them. */
  readonly size: number
  readonly openParts: number
}

function saidWays(
  ways: readonly TermWay[],
  { parts, size, openParts }: CountedParts,
): readonly SaidWay[] {
  let own: number | null = null
  let ownRarity = Infinity
  return ways.flatMap((way) => {
    // Whoever has typed a whole word does not mean longer ones.
    if (way.by === 'beginning' && own !== 0) return []
    const found = parts.map((part) => ({ part, hits: hitsOf(part.segment, way) }))
    const counts = found.map(({ part, hits }) => liveIn(part, hits))
    const count = sum(counts.slice(0, openParts))
    own ??= sum(counts)
    if (counts.every((one) => one === 0)) return []
    const rarity = Math.log(1 + (Math.max(0, size - count) + 0.5) / (count + 0.5))
    const isCommon = own >= COMMON
    if (way.by === 'itself') ownRarity = rarity
    const trust = way.by === 'synonym' && isCommon ? COMMON_SYNONYM : 1
    const worth = (isCommon ? Math.min(rarity, ownRarity) : rarity) * way.weight * trust
    return [{ hits: found.map(({ hits }) => hits), worth }]
  })
}

function mostOf(ways: readonly SaidWay[]): number {
  return ways.reduce((most, { worth }) => Math.max(most, worth), 0)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function addTerm(scores: PartScores, at: number, { whole, pieces }: SaidTerm): void {
  const { values, fields } = scores
  const isPlain = pieces.length === 0
  const [only, ...others] = whole
  if (isPlain && only !== undefined && others.length === 0) {
    addHits(scores, only.hits[at], (worth) => only.worth * levelled(worth))
    return
  }
  const best = new Float32Array(values.length)
  const least = isPlain ? 0 : AS_TYPED
  for (const { hits, worth } of whole)
    eachHit(hits[at], (record, own, bits) => {
      best[record] = Math.max(best[record] ?? 0, worth * Math.max(least, levelled(own)))
      fields[record] = (fields[record] ?? 0) | bits
    })
  if (!isPlain) addPieces(best, at, pieces)
  for (let record = 0; record < best.length; record += 1)
    values[record] = (values[record] ?? 0) + (best[record] ?? 0)
}

/** Where the parts of a term together are worth more than the whole, they count. */
function addPieces(best: Float32Array, at: number, pieces: SaidTerm['pieces']): void {
  const together = new Float32Array(best.length)
  for (const { hits, worth } of pieces.flat())
    eachHit(hits[at], (record, own) => {
      together[record] = (together[record] ?? 0) + PART * worth * levelled(own)
    })
  for (let record = 0; record < best.length; record += 1)
    best[record] = Math.max(best[record] ?? 0, together[record] ?? 0)
}

function addHits(
  { values, fields }: PartScores,
  hits: Hits | undefined,
  valueOf: (worth: number) => number,
): void {
  eachHit(hits, (record, worth, bits) => {
    values[record] = (values[record] ?? 0) + valueOf(worth)
    fields[record] = (fields[record] ?? 0) | bits
  })
}

function eachHit(
  hits: Hits | undefined,
  take: (record: number, worth: number, fields: number) => void,
): void {
  if (hits === undefined) return
  const { records, worths, fields } = hits
  for (let hit = 0; hit < records.length; hit += 1)
    take(records[hit] ?? 0, worths[hit] ?? 0, fields[hit] ?? 0)
}

function levelled(worth: number): number {
  return worth / (worth + SATURATION)
}

function scale(values: Float32Array, factor: number): void {
  for (let at = 0; at < values.length; at += 1) values[at] = (values[at] ?? 0) * factor
}
