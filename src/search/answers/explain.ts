import type { SearchResult } from '../../contracts/search-answer.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { hitsOf } from '../index/hits.ts'
import { WORTH_STEPS } from '../index/segment.ts'
import type { Term } from '../query/terms.ts'
import type { Ranked } from '../ranking/candidates.ts'

type Explanation = NonNullable<SearchResult['explanation']>

/** Explains the rank of a result. */
export function explain(ranked: Ranked, terms: readonly Term[]): Explanation {
  const { score, words, factor, relation } = ranked
  return {
    score,
    words,
    factor,
    named: relation?.named ?? 0,
    linked: relation?.linked ?? 0,
    called: relation?.isLabelMatch ?? false,
    terms: terms.flatMap((term) => explainTerm(term, ranked)),
  }
}

function explainTerm({ text, variants, parts, associates }: Term, { part, record }: Ranked): Explanation['terms'] {
  const explanations = [...variants, ...parts, ...associates].flatMap((variant) => {
    const { records, worths, fields } = hitsOf(part.segment, variant)
    const index = Array.prototype.indexOf.call(records, record)
    const bits = fields[index] ?? 0
    const worth = (worths[index] ?? 0) / WORTH_STEPS
    const names = Object.entries(FIELD_BITS).flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : [name]))
    return index === -1
      ? []
      : [{ said: variant.words.join(' '), by: variant.by, weight: variant.weight, worth, fields: names }]
  })
  return explanations.length === 0 ? [] : [{ term: text, said: explanations }]
}
