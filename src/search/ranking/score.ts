import { hitsOf, type Hits } from '../index/hits.ts'
import { liveIn, type Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import { WORTH_STEPS } from '../index/segment.ts'
import type { Term, TermWay } from '../question/terms.ts'
import { giveBack, takeBytes, takeNumbers } from './room.ts'

/** Where BM25's value of a word begins to level off, in steps. */
const SATURATION = 1.8 * WORTH_STEPS
/** Of a synonym where the word itself is common: who typed it meant it. */
const COMMON_SYNONYM = 0.7
/** Of parts of what was typed as one word: `login` of `login.defs`. */
const PART = 0.85
/** What was typed as one word is worth that much at least, even once in a long text: no setting is in titles. */
const AS_TYPED = 0.7
/** In so many records a word is common. */
const COMMON = 5

/** What the terms of a query are worth to each record of a part. */
export interface PartScores {
  readonly part: IndexPart
  /** What they are worth at most is `total`. */
  readonly values: Float32Array
  /** Of each record the fields that have any of the words, as bits. */
  readonly fields: Uint8Array
}

export interface Scores {
  readonly parts: readonly PartScores[]
  /** What a record that says everything at its best is worth; 0 where nothing is said. */
  readonly total: number
  /** Terms that no record has. */
  readonly unknown: readonly Term[]
  /** Gives the room back when nobody looks at them any more. */
  readonly release: () => void
}

/**
 * BM25F: any word counts, each the more the rarer it is. Of several ways to say a term the best one counts; of what was
 * typed as one word, such as a path, it counts less where only its parts are said.
 */
export function scoreTerms(library: Library, terms: readonly Term[]): Scores {
  const { all } = library
  const { parts, release } = emptyScores(all)
  const counted = { parts: all, size: library.size, openParts: library.open.length }
  const unknown: Term[] = []
  let total = 0
  for (const term of terms) {
    const whole = saidWays(term.ways, counted)
    const pieces = term.parts.map((way) => saidWays([way], counted))
    const most = Math.max(mostOf(whole), PART * sum(pieces.map(mostOf)))
    if (most === 0) unknown.push(term)
    total += most
    for (const [at, score] of parts.entries()) addTerm(score, at, { whole, pieces })
  }
  return { parts, total, unknown, release }
}

/** Everything, where nothing is looked for but what it must be like. */
export function scoreAll({ all }: Library): Scores {
  const scores = emptyScores(all)
  for (const { values } of scores.parts) values.fill(1)
  return { ...scores, total: 1, unknown: [] }
}

function emptyScores(parts: readonly IndexPart[]): Pick<Scores, 'parts' | 'release'> {
  const size = parts.reduce((records, { gone }) => records + gone.length, 0)
  const [values, fields] = [takeNumbers(size), takeBytes(size)]
  let next = 0
  const scores = parts.map((part) => {
    const [from, to] = [next, next + part.gone.length]
    next = to
    return { part, values: values.subarray(from, to), fields: fields.subarray(from, to) }
  })
  const release = (): void => {
    giveBack(values)
    giveBack(fields)
  }
  return { parts: scores, release }
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

/** What follows is done for every posting, so it is loops over numbers and nothing else. */
function addTerm(scores: PartScores, at: number, { whole, pieces }: SaidTerm): void {
  const [only] = whole
  if (pieces.length === 0 && whole.length < 2) addHits(scores, only?.hits[at], only?.worth ?? 0)
  else addBestOf(scores, at, { whole, pieces })
}

function addBestOf(scores: PartScores, at: number, { whole, pieces }: SaidTerm): void {
  const least = pieces.length === 0 ? 0 : AS_TYPED
  const best = takeNumbers(scores.values.length)
  for (const { hits, worth } of whole) raise(best, hits[at], { worth, least })
  if (pieces.length > 0) raisePieces(best, at, pieces)
  for (const { hits } of [...whole, ...pieces.flat()]) addBest(scores, hits[at], best)
  for (const { hits } of whole) noteBits(scores.fields, hits[at])
  giveBack(best)
}

/** Where the parts of a term together are worth more than the whole, they count. */
function raisePieces(best: Float32Array, at: number, pieces: SaidTerm['pieces']): void {
  const together = takeNumbers(best.length)
  for (const { hits, worth } of pieces.flat()) {
    addWorths(together, hits[at], PART * worth)
  }
  for (const { hits } of pieces.flat()) {
    const { records } = hits[at] ?? NOWHERE
    for (const record of records) {
      const value = together[record] ?? 0
      if (value > (best[record] ?? 0)) best[record] = value
    }
  }
  giveBack(together)
}

const NOWHERE: Hits = {
  records: new Uint32Array(),
  worths: new Uint16Array(),
  fields: new Uint8Array(),
}

function addHits({ values, fields }: PartScores, hits: Hits | undefined, worth: number): void {
  addWorths(values, hits, worth)
  noteBits(fields, hits)
}

function addWorths(values: Float32Array, hits: Hits | undefined, worth: number): void {
  const { records, worths } = hits ?? NOWHERE
  for (let hit = 0; hit < records.length; hit += 1) {
    const record = records[hit] ?? 0
    const own = worths[hit] ?? 0
    values[record] = (values[record] ?? 0) + worth * (own / (own + SATURATION))
  }
}

function noteBits(fields: Uint8Array, hits: Hits | undefined): void {
  const { records, fields: bits } = hits ?? NOWHERE
  for (let hit = 0; hit < records.length; hit += 1) {
    const record = records[hit] ?? 0
    fields[record] = (fields[record] ?? 0) | (bits[hit] ?? 0)
  }
}

function raise(
  best: Float32Array,
  hits: Hits | undefined,
  { worth, least }: { readonly worth: number; readonly least: number },
): void {
  if (hits === undefined) return
  const { records, worths } = hits
  for (let hit = 0; hit < records.length; hit += 1) {
    const record = records[hit] ?? 0
    const own = worths[hit] ?? 0
    const level = own / (own + SATURATION)
    const value = worth * (level < least ? least : level)
    if (value > (best[record] ?? 0)) best[record] = value
  }
}

/** Adds the best ways of a term, each record once. */
function addBest({ values }: PartScores, hits: Hits | undefined, best: Float32Array): void {
  const { records } = hits ?? NOWHERE
  for (const record of records) {
    const value = best[record] ?? 0
    if (value === 0) continue
    values[record] = (values[record] ?? 0) + value
    best[record] = 0
  }
}
