import { hitsOf } from '../index/hits.ts'
import { countLiveHits, type Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { Hits } from '../index/segment.ts'
import type { TermVariant } from './term-variants.ts'
import type { Term } from './terms.ts'

/** Weight of parts of a term typed as one word, if any record has the whole: `login` of `login.defs`. */
const PART_WEIGHT = 0.85
/** A word in at least this many records is common. */
const COMMON_COUNT = 5
/** Records that are counted beside those with a word, so that a word of one record weighs hardly more than one of three. */
const ADDED_RECORDS = 2
/** The same for several words in a row, such as a path: one record with all of them is no accident. */
const ADDED_TO_PHRASES = 0.5

/** A term with its hits. */
export interface ScoredTerm {
  readonly term: Term
  readonly whole: readonly ScoredVariant[]
  /** Variants of each of its parts. */
  readonly pieces: readonly (readonly ScoredVariant[])[]
  /** Weight of the parts compared to words that were typed separately. */
  readonly pieceShare: number
  /** Highest score of the term; 0: no record has it. */
  readonly maxScore: number
}

/** A variant of a term, with its hits and highest possible score. */
export interface ScoredVariant {
  /** By part of the index. */
  readonly hits: readonly Hits[]
  readonly worth: number
}

/** Finds the hits of each term of a query. */
export function scoreableTerms(library: Library, terms: readonly Term[]): readonly ScoredTerm[] {
  const { all, size, open } = library
  const counted = { parts: all, size, openParts: open.length }
  return terms.map((term) => {
    const pieces = term.parts.map((variant) => scoredVariants([variant], counted))
    const whole = worthAsTyped(scoredVariants([...term.variants, ...term.associates], counted), pieces)
    const pieceShare = maxWorth(whole) === 0 ? 1 : PART_WEIGHT
    const maxScore = Math.max(maxWorth(whole), pieceShare * sum(pieces.map(maxWorth)))
    return { term, whole, pieces, pieceShare, maxScore }
  })
}

/** A term that counts only in part. */
export function withShare({ whole, pieces, maxScore, ...term }: ScoredTerm, share: number): ScoredTerm {
  const lessened = (variants: readonly ScoredVariant[]): readonly ScoredVariant[] =>
    variants.map(({ hits, worth }) => ({ hits, worth: share * worth }))
  return { ...term, whole: lessened(whole), pieces: pieces.map(lessened), maxScore: share * maxScore }
}

interface CountedParts {
  readonly parts: readonly IndexPart[]
  /** Records that everybody may read, and the number of parts that have them. */
  readonly size: number
  readonly openParts: number
}

function scoredVariants(
  variants: readonly TermVariant[],
  { parts, size, openParts }: CountedParts,
): readonly ScoredVariant[] {
  let ownScore: number | null = null
  let ownRarity = Infinity
  return variants.flatMap((variant) => {
    const hitsByPart = parts.map((part) => ({ part, hits: hitsOf(part.segment, variant) }))
    const counts = hitsByPart.map(({ part, hits }) => countLiveHits(part, hits))
    const count = sum(counts.slice(0, openParts))
    ownScore ??= sum(counts)
    if (counts.every((partCount) => partCount === 0)) return []
    const added = variant.words.length === 1 ? ADDED_RECORDS : ADDED_TO_PHRASES
    const rarity = Math.log(1 + (Math.max(0, size - count) + 0.5) / (count + added))
    const isCommon = ownScore >= COMMON_COUNT
    if (variant.by === 'itself') ownRarity = rarity
    const worth = (isCommon ? Math.min(rarity, ownRarity) : rarity) * variant.weight
    return [{ hits: hitsByPart.map(({ hits }) => hits), worth }]
  })
}

/**
 * A compound word may be hardly rarer than one of its parts, and would score less than all parts together, which may be
 * anywhere in a text. So it gets at least the mean of both scores.
 */
function worthAsTyped(
  whole: readonly ScoredVariant[],
  pieces: readonly (readonly ScoredVariant[])[],
): readonly ScoredVariant[] {
  const maxScore = maxWorth(whole)
  const together = sum(pieces.map(maxWorth))
  if (together <= maxScore) return whole
  return whole.map((variant) => ({ ...variant, worth: (variant.worth * (1 + together / maxScore)) / 2 }))
}

function maxWorth(variants: readonly ScoredVariant[]): number {
  return variants.reduce((maxScore, { worth }) => Math.max(maxScore, worth), 0)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
