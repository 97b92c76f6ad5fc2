import type { RecordKind } from '../../contracts/sources.ts'
import { factsOf, KIND } from '../index/facts.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { KINDS } from '../index/keys.ts'
import type { Library } from '../index/library.ts'
import type { IndexPart } from '../index/record-index.ts'
import type { Hits } from '../index/segment.ts'
import type { ScoredTerm } from './scored-terms.ts'

/** Factors on the words of a record, by the number of its kind. */
export type KindFactors = Float64Array

/**
 * Added to the factor of a kind whose titles have each word of the query more often than the titles of any other kind.
 */
const MAX_RAISE = 0.1
/** Added to the size of each kind, so that one title in a small kind has little effect. */
const SMOOTHING = 50
const TITLES = FIELD_BITS.title | FIELD_BITS.synonym
/** Other kinds have names of things, which occur in all sorts of queries. */
const RAISED_KINDS = numbersOf(['technique', 'offensive-technique', 'weakness', 'rule'])
const RULE = KINDS.indexOf('rule')
const KINDS_LIKE_RULES = numbersOf(['requirement', 'authored-rule', 'component'])

function numbersOf(kinds: readonly RecordKind[]): readonly number[] {
  return kinds.map((kind) => KINDS.indexOf(kind))
}

/**
 * Guesses the meant kinds from the words of a query: titles of weaknesses have "injection" more often than titles of
 * rules. Counts only public records.
 */
export function kindFactors(library: Library, terms: readonly ScoredTerm[]): KindFactors {
  const sizes = kindSizes(library)
  const factors = new Float64Array(KINDS.length).fill(1)
  const counted = terms
    .map(({ maxScore, whole }) => ({ maxScore, shares: titleShares(whole, library, sizes) }))
    .filter(({ shares }) => shares.some((share) => share > 0))
  const total = counted.reduce((sum, { maxScore }) => sum + maxScore, 0)
  if (total === 0) return factors
  for (const kind of RAISED_KINDS) {
    const sum = counted.reduce((before, { maxScore, shares }) => before + maxScore * (shares[kind] ?? 0) ** 2, 0)
    factors[kind] = 1 + (MAX_RAISE * sum) / total
  }
  for (const kind of KINDS_LIKE_RULES) factors[kind] = factors[RULE] ?? 1
  return factors
}

/** For each kind, how often its titles have a term, relative to the kind that has it most often. */
function titleShares(whole: ScoredTerm['whole'], library: Library, sizes: Float64Array): Float64Array {
  const rates = titleCounts(whole, library).map((count, kind) => count / ((sizes[kind] ?? 0) + SMOOTHING))
  const highest = Math.max(...rates)
  return highest === 0 ? rates : rates.map((rate) => rate / highest)
}

function kindSizes({ open }: Library): Float64Array {
  const sizes = new Float64Array(KINDS.length)
  for (const { segment } of open)
    for (const fact of factsOf(segment)) sizes[fact & KIND.mask] = (sizes[fact & KIND.mask] ?? 0) + 1
  return sizes
}

/** Number of titles of each kind that have a term. */
function titleCounts(whole: ScoredTerm['whole'], { open }: Library): Float64Array {
  const counts = new Float64Array(KINDS.length)
  for (const [index, part] of open.entries())
    for (const { hits } of whole) {
      const partHits = hits[index]
      if (partHits !== undefined) countTitles(counts, part, partHits)
    }
  return counts
}

function countTitles(counts: Float64Array, { segment, deleted }: IndexPart, { records, fields }: Hits): void {
  const facts = factsOf(segment)
  for (let index = 0; index < records.length; index += 1) {
    const record = records[index] ?? 0
    if (((fields[index] ?? 0) & TITLES) === 0 || deleted[record] !== 0) continue
    const kind = (facts[record] ?? 0) & KIND.mask
    counts[kind] = (counts[kind] ?? 0) + 1
  }
}
