import type { Hits } from '../index/hits.ts'
import type { Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import { giveBackZeros, takeNumbers } from '../index/room.ts'
import { WORTH_STEPS } from '../index/segment.ts'
import type { ScoredTerm, ScoredWay } from '../question/said.ts'
import { placeIn } from './linked.ts'

/** Frequency at which BM25's value of a word begins to level off, in steps. */
const SATURATION = 1.8 * WORTH_STEPS
/** Least level of a term typed as one word, even once in a long text: settings do not occur in titles. */
const LEAST_TYPED_LEVEL = 0.7

/** Scores of the terms of a query for each record of a part. */
export interface PartScores {
  readonly part: IndexPart
  /** At most `total`; 0: the record has no term. Empty if no record of the part has one. */
  readonly values: Float32Array<ArrayBuffer>
}

const NO_VALUES = new Float32Array()

export interface Scores {
  readonly parts: readonly PartScores[]
  /** The highest score that a record can have; 0 if no term occurs. */
  readonly total: number
  /** The fields of a record, by the place of its part, that have any of the words; as bits. */
  readonly fieldsOf: (part: number, record: number) => number
  /** Gives the room back when nobody looks at them any more. */
  readonly release: () => void
}

/**
 * BM25F: any word counts, each the more the rarer it is. Of several ways to say a term the best one counts; of what was
 * typed as one word, such as a path, it counts less where only its parts are said.
 */
export function scoreTerms(library: Library, terms: readonly ScoredTerm[]): Scores {
  const room = takeBuffers(Math.max(0, ...library.all.map(({ gone }) => gone.length)))
  const parts = library.all.map((part, at) => {
    const here = terms.map((term) => termInPart(term, at))
    if (here.every(isAbsent)) return { part, values: NO_VALUES }
    const values = takeNumbers(part.gone.length)
    for (const term of here) addTerm(values, term, room)
    return { part, values }
  })
  room.release()
  const total = terms.reduce((sum, { most }) => sum + most, 0)
  const ways = terms.flatMap(({ whole }) => whole)
  const fieldsOf = (at: number, record: number): number =>
    ways.reduce((bits, { hits }) => bits | fieldsIn(hits[at], record), 0)
  return { parts, total, fieldsOf, release: releaseOf(parts) }
}

/** To clear the whole of them is quicker than to know where something was written. */
function releaseOf(parts: readonly PartScores[]): () => void {
  return () => {
    for (const { values } of parts) if (values.length > 0) giveBackZeros(values.fill(0))
  }
}

/** Asked of the few that are shown, instead of noting it of all. */
function fieldsIn(hits: Hits | undefined, record: number): number {
  return hits === undefined ? 0 : (hits.fields[placeIn(hits.records, record)] ?? 0)
}

/** Everything, where nothing is looked for but what it must be like. */
export function scoreAll({ all }: Library): Scores {
  const parts = all.map((part) => ({ part, values: takeNumbers(part.gone.length).fill(1) }))
  return { parts, total: 1, fieldsOf: () => 0, release: releaseOf(parts) }
}

/** Hits of a term in one part. */
interface PartTerm {
  /** The least level of what is said as a whole. */
  readonly least: number
  readonly whole: readonly WorthHits[]
  readonly pieces: readonly WorthHits[]
  readonly pieceShare: number
}

/** A way to say a term in one part, and what that is worth at most. */
interface WorthHits {
  readonly hits: Hits
  readonly worth: number
}

function termInPart({ whole, pieces, pieceShare }: ScoredTerm, at: number): PartTerm {
  const here = ({ hits, worth }: ScoredWay): readonly WorthHits[] => {
    const own = hits[at]
    return own === undefined || own.records.length === 0 ? [] : [{ hits: own, worth }]
  }
  return {
    // Even where none of its parts is said here.
    least: pieces.length === 0 ? 0 : LEAST_TYPED_LEVEL,
    whole: whole.flatMap(here),
    pieces: pieces.flatMap((ways) => ways.flatMap(here)),
    pieceShare,
  }
}

function isAbsent({ whole, pieces }: PartTerm): boolean {
  return whole.length === 0 && pieces.length === 0
}

/** Buffers with a number for each record of a part. They hold zeros between uses. */
interface ScoreBuffers {
  readonly best: Float32Array
  readonly together: Float32Array
  readonly release: () => void
}

function takeBuffers(length: number): ScoreBuffers {
  const [best, together] = [takeNumbers(length), takeNumbers(length)]
  const release = (): void => {
    giveBackZeros(best)
    giveBackZeros(together)
  }
  return { best, together, release }
}

/** The functions below run for every posting, so they are plain loops over numbers. */
function addTerm(values: Float32Array, term: PartTerm, room: ScoreBuffers): void {
  const { least, whole } = term
  const [only] = whole
  if (least > 0) addTyped(values, term, room)
  else if (whole.length > 1) addBestOf(values, whole, room.best)
  else if (only !== undefined) addWorths(values, only)
}

/** Most records of a word are those that have it as it is: they are looked at once. */
function addBestOf(values: Float32Array, ways: readonly WorthHits[], best: Float32Array): void {
  const longest = ways.reduce((a, b) => (b.hits.records.length > a.hits.records.length ? b : a))
  const others = ways.filter((way) => way !== longest)
  for (const other of others) raise(best, other, 0)
  addAbove(values, longest, best)
  for (const { hits } of others) addBest(values, hits, best)
}

/** Adds the better of this way and of the others. */
function addAbove(values: Float32Array, { hits, worth }: WorthHits, best: Float32Array): void {
  const { records, worths } = hits
  for (let hit = 0; hit < records.length; hit += 1) {
    const record = records[hit] ?? 0
    const own = worths[hit] ?? 0
    const value = Math.fround(worth * (own / (own + SATURATION)))
    const other = best[record] ?? 0
    values[record] = (values[record] ?? 0) + (other > value ? other : value)
    best[record] = 0
  }
}

/** Counts the parts of a term if together they score more than the whole. */
function addTyped(values: Float32Array, term: PartTerm, room: ScoreBuffers): void {
  const { least, whole, pieces, pieceShare } = term
  const { best, together } = room
  for (const said of whole) raise(best, said, least)
  for (const { hits, worth } of pieces) addWorths(together, { hits, worth: pieceShare * worth })
  for (const { hits } of pieces) addBetter(values, hits, room)
  for (const { hits } of whole) addBest(values, hits, best)
}

/** Adds the whole or the pieces, each record once. */
function addBetter(values: Float32Array, { records }: Hits, { best, together }: ScoreBuffers): void {
  for (const record of records) {
    const whole = best[record] ?? 0
    const pieces = together[record] ?? 0
    const value = pieces > whole ? pieces : whole
    if (value === 0) continue
    values[record] = (values[record] ?? 0) + value
    best[record] = 0
    together[record] = 0
  }
}

/** Rounded as where the best of several ways is kept, so that equal records of two parts are worth the same. */
function addWorths(values: Float32Array, { hits: { records, worths }, worth }: WorthHits): void {
  for (let hit = 0; hit < records.length; hit += 1) {
    const record = records[hit] ?? 0
    const own = worths[hit] ?? 0
    values[record] = (values[record] ?? 0) + Math.fround(worth * (own / (own + SATURATION)))
  }
}

function raise(best: Float32Array, { hits, worth }: WorthHits, least: number): void {
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
function addBest(values: Float32Array, { records }: Hits, best: Float32Array): void {
  for (const record of records) {
    const value = best[record] ?? 0
    if (value === 0) continue
    values[record] = (values[record] ?? 0) + value
    best[record] = 0
  }
}
