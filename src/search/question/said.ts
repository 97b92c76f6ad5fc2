import { hitsOf, type Hits } from '../index/hits.ts'
import { liveIn, type Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { Term } from './terms.ts'
import type { TermWay } from './ways.ts'

/** Weight of parts of a term typed as one word, if any record has the whole: `login` of `login.defs`. */
const PART_WEIGHT = 0.85
/** In so many records a word is common. */
const COMMON_COUNT = 5

/** A term, and where it is said. */
export interface ScoredTerm {
  readonly term: Term
  readonly whole: readonly ScoredWay[]
  /** Ways to say each of its parts. */
  readonly pieces: readonly (readonly ScoredWay[])[]
  /** Weight of the parts beside words that were typed by themselves. */
  readonly pieceShare: number
  /** Highest score of the term; 0: no record has it. */
  readonly most: number
}

/** A way to say a term: where it is said, and what that is worth at most. */
export interface ScoredWay {
  /** By part. */
  readonly hits: readonly Hits[]
  readonly worth: number
}

/** Finds the hits of each term of a query. */
export function scoreableTerms(library: Library, terms: readonly Term[]): readonly ScoredTerm[] {
  const { all, size, open } = library
  const counted = { parts: all, size, openParts: open.length }
  return terms.map((term) => {
    const pieces = term.parts.map((way) => scoredWays([way], counted))
    const whole = worthAsTyped(scoredWays(term.ways, counted), pieces)
    const pieceShare = mostOf(whole) === 0 ? 1 : PART_WEIGHT
    const most = Math.max(mostOf(whole), pieceShare * sum(pieces.map(mostOf)))
    return { term, whole, pieces, pieceShare, most }
  })
}

/** A term that counts only in part. */
export function withShare({ whole, pieces, most, ...term }: ScoredTerm, share: number): ScoredTerm {
  const lessen = (ways: readonly ScoredWay[]): readonly ScoredWay[] =>
    ways.map(({ hits, worth }) => ({ hits, worth: share * worth }))
  return { ...term, whole: lessen(whole), pieces: pieces.map(lessen), most: share * most }
}

interface CountedParts {
  readonly parts: readonly IndexPart[]
  /** Records that everybody may read, and the number of parts that have them. */
  readonly size: number
  readonly openParts: number
}

function scoredWays(ways: readonly TermWay[], { parts, size, openParts }: CountedParts): readonly ScoredWay[] {
  let own: number | null = null
  let ownRarity = Infinity
  return ways.flatMap((way) => {
    // A complete word is not meant as the beginning of longer ones.
    if (way.by === 'beginning' && own !== 0) return []
    const found = parts.map((part) => ({ part, hits: hitsOf(part.segment, way) }))
    const counts = found.map(({ part, hits }) => liveIn(part, hits))
    const count = sum(counts.slice(0, openParts))
    own ??= sum(counts)
    if (counts.every((one) => one === 0)) return []
    const rarity = Math.log(1 + (Math.max(0, size - count) + 0.5) / (count + 0.5))
    const isCommon = own >= COMMON_COUNT
    if (way.by === 'itself') ownRarity = rarity
    const worth = (isCommon ? Math.min(rarity, ownRarity) : rarity) * way.weight
    return [{ hits: found.map(({ hits }) => hits), worth }]
  })
}

/**
 * A word that was typed without a blank may be hardly rarer than one of its parts, and weigh less than all of them,
 * which may occur anywhere. It gets at least the mean of both weights.
 */
function worthAsTyped(whole: readonly ScoredWay[], pieces: readonly (readonly ScoredWay[])[]): readonly ScoredWay[] {
  const most = mostOf(whole)
  const together = sum(pieces.map(mostOf))
  if (together <= most) return whole
  return whole.map((way) => ({ ...way, worth: (way.worth * (1 + together / most)) / 2 }))
}

function mostOf(ways: readonly ScoredWay[]): number {
  return ways.reduce((most, { worth }) => Math.max(most, worth), 0)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
