import type { Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { Hits } from '../index/segment.ts'
import { WORTH_STEPS } from '../index/segment.ts'
import type { ScoredTerm, ScoredVariant } from '../query/scored-terms.ts'
import { indexOfRecord } from './linked-records.ts'

/** Frequency at which BM25's value of a word begins to level off, in steps. */
const SATURATION = 1.8 * WORTH_STEPS
/** Lowest level of a compound term, even once in a long text, because names of settings do not occur in titles. */
const MIN_TYPED_LEVEL = 0.7

/** Scores of the terms of a query for each record of a part. */
export interface PartScores {
  readonly part: IndexPart
  /** At most `total`; 0: the record has no term. Empty if no record of the part has one. */
  readonly values: Float32Array
}

const NO_VALUES = new Float32Array()

export interface Scores {
  readonly parts: readonly PartScores[]
  /** The highest score that a record can have; 0 if no term occurs. */
  readonly total: number
  /** The fields of a record, by the place of its part, that have any of the words; as bits. */
  readonly fieldsOf: (part: number, record: number) => number
}

/**
 * Scores records with BM25F: rarer words count more. The best variant of a term counts. A compound term, such as a
 * path, counts less if a record has only its parts.
 */
export function scoreTerms(library: Library, terms: readonly ScoredTerm[]): Scores {
  const size = Math.max(0, ...library.all.map(({ deleted }) => deleted.length))
  const buffers = { best: new Float32Array(size), pieceTotals: new Float32Array(size) }
  const parts = library.all.map((part, partIndex) => {
    const inThisPart = terms.map((term) => termInPart(term, partIndex))
    if (inThisPart.every(isAbsent)) return { part, values: NO_VALUES }
    const values = new Float32Array(part.deleted.length)
    for (const term of inThisPart) addTerm(values, term, buffers)
    return { part, values }
  })
  const total = terms.reduce((sum, { maxScore }) => sum + maxScore, 0)
  const variants = terms.flatMap(({ whole }) => whole)
  const fieldsOf = (partIndex: number, record: number): number =>
    variants.reduce((bits, { hits }) => bits | fieldsIn(hits[partIndex], record), 0)
  return { parts, total, fieldsOf }
}

/** Computed only for shown records. */
function fieldsIn(hits: Hits | undefined, record: number): number {
  return hits === undefined ? 0 : (hits.fields[indexOfRecord(hits.records, record)] ?? 0)
}

/** Scores all records as 1, for queries of filters alone. */
export function scoreAll({ all }: Library): Scores {
  const parts = all.map((part) => ({ part, values: new Float32Array(part.deleted.length).fill(1) }))
  return { parts, total: 1, fieldsOf: () => 0 }
}

/** Hits of a term in one part. */
interface PartTerm {
  /** Lowest level of the whole term. */
  readonly minLevel: number
  readonly whole: readonly WorthHits[]
  readonly pieces: readonly WorthHits[]
  readonly pieceShare: number
}

/** The hits of a variant in one part, with its highest possible score. */
interface WorthHits {
  readonly hits: Hits
  readonly worth: number
}

function termInPart({ whole, pieces, pieceShare }: ScoredTerm, partIndex: number): PartTerm {
  const inThisPart = ({ hits, worth }: ScoredVariant): readonly WorthHits[] => {
    const partHits = hits[partIndex]
    return partHits === undefined || partHits.records.length === 0 ? [] : [{ hits: partHits, worth }]
  }
  return {
    // Also if this part of the index has none of the pieces.
    minLevel: pieces.length === 0 ? 0 : MIN_TYPED_LEVEL,
    whole: whole.flatMap(inThisPart),
    pieces: pieces.flatMap((variants) => variants.flatMap(inThisPart)),
    pieceShare,
  }
}

function isAbsent({ whole, pieces }: PartTerm): boolean {
  return whole.length === 0 && pieces.length === 0
}

/** A number for each record of a part. They hold zeros between uses. */
interface ScoreBuffers {
  readonly best: Float32Array
  readonly pieceTotals: Float32Array
}

/** The functions below run for every posting, so they are plain loops over numbers. */
function addTerm(values: Float32Array, term: PartTerm, buffers: ScoreBuffers): void {
  const { minLevel, whole } = term
  const [only] = whole
  if (minLevel > 0) addTypedTerm(values, term, buffers)
  else if (whole.length > 1) addBestOf(values, whole, buffers.best)
  else if (only !== undefined) addWorths(values, only)
}

/** Visits the variant with the most records only once. */
function addBestOf(values: Float32Array, variants: readonly WorthHits[], best: Float32Array): void {
  const longest = variants.reduce((a, b) => (b.hits.records.length > a.hits.records.length ? b : a))
  const otherVariants = variants.filter((variant) => variant !== longest)
  for (const variant of otherVariants) keepBest(best, variant, 0)
  addAbove(values, longest, best)
  for (const { hits } of otherVariants) addBest(values, hits, best)
}

/** Adds the better of this variant and the others. */
function addAbove(values: Float32Array, { hits, worth }: WorthHits, best: Float32Array): void {
  const { records, worths } = hits
  for (let hit = 0; hit < records.length; hit += 1) {
    const record = records[hit] ?? 0
    const hitWorth = worths[hit] ?? 0
    const value = Math.fround(worth * (hitWorth / (hitWorth + SATURATION)))
    const other = best[record] ?? 0
    values[record] = (values[record] ?? 0) + (other > value ? other : value)
    best[record] = 0
  }
}

/** Counts the parts of a term if together they score more than the whole. */
function addTypedTerm(values: Float32Array, term: PartTerm, buffers: ScoreBuffers): void {
  const { minLevel, whole, pieces, pieceShare } = term
  const { best, pieceTotals } = buffers
  for (const variant of whole) keepBest(best, variant, minLevel)
  for (const { hits, worth } of pieces) addWorths(pieceTotals, { hits, worth: pieceShare * worth })
  for (const { hits } of pieces) addWholeOrPieces(values, hits, buffers)
  for (const { hits } of whole) addBest(values, hits, best)
}

/** Adds the whole or the pieces, each record once. */
function addWholeOrPieces(values: Float32Array, { records }: Hits, { best, pieceTotals }: ScoreBuffers): void {
  for (const record of records) {
    const whole = best[record] ?? 0
    const pieces = pieceTotals[record] ?? 0
    const value = pieces > whole ? pieces : whole
    if (value === 0) continue
    values[record] = (values[record] ?? 0) + value
    best[record] = 0
    pieceTotals[record] = 0
  }
}

/** Rounds to 32 bits like `best`, so that equal records of two parts have the same score. */
function addWorths(values: Float32Array, { hits: { records, worths }, worth }: WorthHits): void {
  for (let hit = 0; hit < records.length; hit += 1) {
    const record = records[hit] ?? 0
    const hitWorth = worths[hit] ?? 0
    values[record] = (values[record] ?? 0) + Math.fround(worth * (hitWorth / (hitWorth + SATURATION)))
  }
}

function keepBest(best: Float32Array, { hits, worth }: WorthHits, minLevel: number): void {
  const { records, worths } = hits
  for (let hit = 0; hit < records.length; hit += 1) {
    const record = records[hit] ?? 0
    const hitWorth = worths[hit] ?? 0
    const level = hitWorth / (hitWorth + SATURATION)
    const value = worth * (level < minLevel ? minLevel : level)
    if (value > (best[record] ?? 0)) best[record] = value
  }
}

/** Adds the best variant of a term, each record once. */
function addBest(values: Float32Array, { records }: Hits, best: Float32Array): void {
  for (const record of records) {
    const value = best[record] ?? 0
    if (value === 0) continue
    values[record] = (values[record] ?? 0) + value
    best[record] = 0
  }
}
