import { hitsOf, type Hits } from '../index/hits.ts'
import { liveIn, type Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { Term } from './terms.ts'
import type { TermWay } from './ways.ts'

/** Of parts of what was typed as one word, where anything has the whole: `login` of `login.defs`. */
const PART = 0.85
/** In so many records a word is common. */
const COMMON = 5

/** A term, and where it is said. */
export interface SaidTerm {
  readonly term: Term
  readonly whole: readonly SaidWay[]
  /** Of each of its parts. */
  readonly pieces: readonly (readonly SaidWay[])[]
  /** What these are worth beside words that were typed by themselves. */
  readonly pieceShare: number
  /** What it is worth at most; 0: no record has it. */
  readonly most: number
}

/** A way to say a term: where it is said, and what that is worth at most. */
export interface SaidWay {
  /** By part. */
  readonly hits: readonly Hits[]
  readonly worth: number
}

/** Where each term of a question is said. */
export function saidTerms(library: Library, terms: readonly Term[]): readonly SaidTerm[] {
  const { all, size, open } = library
  const counted = { parts: all, size, openParts: open.length }
  return terms.map((term) => {
    const pieces = term.parts.map((way) => saidWays([way], counted))
    const whole = worthAsTyped(saidWays(term.ways, counted), pieces)
    const pieceShare = mostOf(whole) === 0 ? 1 : PART
    const most = Math.max(mostOf(whole), pieceShare * sum(pieces.map(mostOf)))
    return { term, whole, pieces, pieceShare, most }
  })
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
    const worth = (isCommon ? Math.min(rarity, ownRarity) : rarity) * way.weight
    return [{ hits: found.map(({ hits }) => hits), worth }]
  })
}

/**
 * What was typed as one word may be hardly rarer than one of its parts, and worth less than all of them, which may stand
 * anywhere. It counts as half way between at least.
 */
function worthAsTyped(
  whole: readonly SaidWay[],
  pieces: readonly (readonly SaidWay[])[],
): readonly SaidWay[] {
  const most = mostOf(whole)
  const together = sum(pieces.map(mostOf))
  if (together <= most) return whole
  return whole.map((way) => ({ ...way, worth: (way.worth * (1 + together / most)) / 2 }))
}

function mostOf(ways: readonly SaidWay[]): number {
  return ways.reduce((most, { worth }) => Math.max(most, worth), 0)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
