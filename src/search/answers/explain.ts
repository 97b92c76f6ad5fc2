import type { SearchResult } from '../../contracts/search.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { hitsOf } from '../index/hits.ts'
import { WORTH_STEPS } from '../index/segment.ts'
import type { Term } from '../question/terms.ts'
import type { Ranked } from '../ranking/candidates.ts'

type Explanation = NonNullable<SearchResult['explanation']>

/** Why a result is where it is. */
export function explain(ranked: Ranked, terms: readonly Term[]): Explanation {
  const { score, words, factor, relation } = ranked
  return {
    score,
    words,
    factor,
    named: relation?.named ?? 0,
    linked: relation?.linked ?? 0,
    called: relation?.isCalled ?? false,
    terms: terms.flatMap((term) => explainTerm(term, ranked)),
  }
}

function explainTerm({ text, ways, parts }: Term, { part, record }: Ranked): Explanation['terms'] {
  // Scoring counts the beginning of longer words only if no record has the word itself.
  const counted = ways.filter(({ by }) => by !== 'beginning' || ways[0]?.by === 'beginning')
  const said = [...counted, ...parts].flatMap((way) => {
    const { records, worths, fields } = hitsOf(part.segment, way)
    const at = Array.prototype.indexOf.call(records, record)
    const bits = fields[at] ?? 0
    const worth = (worths[at] ?? 0) / WORTH_STEPS
    const names = Object.entries(FIELD_BITS).flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : [name]))
    return at === -1 ? [] : [{ said: way.words.join(' '), by: way.by, weight: way.weight, worth, fields: names }]
  })
  return said.length === 0 ? [] : [{ term: text, said }]
}
