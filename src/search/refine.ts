import type { RecordText } from '../contracts/sources.ts'
import type { ParsedQuery } from './query.ts'
import { compareRanked, type Ranked } from './rank.ts'

/** The number of best results that are compared by their texts. */
export const REFINED = 40

/** The weight of a text, by its field; the fix tells better than the check what a rule is about. */
const FIELD: Readonly<Record<string, number>> = { title: 1, fixtext: 1, check: 0.8 }
const OTHER = 0.9
const WORTH = 0.15
const LONGEST = 20_000

/**
 * Sorts results that match only in their long texts: first those that have the words as they were typed, more
 * often and in a better field, such as `minlen = 15` in the fix before a list with `minlen` in its middle.
 */
export function refine(
  ranked: readonly Ranked[],
  query: ParsedQuery,
  textsOf: (ranked: Ranked) => readonly RecordText[],
): readonly Ranked[] {
  const typed = query.tokens.filter(({ isStop }) => !isStop).map(({ text }) => text.toLowerCase())
  return ranked
    .map((one) => {
      if (one.by !== 'text') return one
      const worth = Math.max(0, ...textsOf(one).map((text) => worthOf(text, typed)))
      return { ...one, score: one.score + WORTH * worth }
    })
    .sort(compareRanked)
}

/** 0 to 1: the share of the typed words that the text has, and how often. */
function worthOf({ field, text }: RecordText, typed: readonly string[]): number {
  const lower = text.slice(0, LONGEST).toLowerCase()
  let worth = 0
  for (const word of typed) {
    const count = Math.min(lower.split(word).length - 1, 4)
    worth += count === 0 ? 0 : 0.6 + 0.1 * count
  }
  return typed.length === 0 ? 0 : ((FIELD[field] ?? OTHER) * worth) / typed.length
}
