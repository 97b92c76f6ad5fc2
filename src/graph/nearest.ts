import { distance } from 'fastest-levenshtein'
import { compareCodeUnits } from './term.ts'

const MAX_SUGGESTIONS = 5
/** Longer names are not compared, because that takes too long. */
const MAX_NAME_LENGTH = 100

/** A name of a record, and its folded form for comparisons. */
export interface Spelling {
  readonly folded: string
  readonly name: string
}

export interface NearName {
  readonly name: string
  /** Number of letters that differ. */
  readonly differences: number
}

/**
 * Known names that are similar to an unknown one, the most similar first: at most a quarter of the letters may differ.
 * The unknown name is folded like the spellings.
 */
export function nearestNames(folded: string, spellings: readonly Spelling[]): readonly NearName[] {
  if (folded === '' || folded.length > MAX_NAME_LENGTH) return []
  const bound = Math.max(1, Math.floor(folded.length / 4))
  const best = new Map<string, number>()
  for (const spelling of spellings) {
    if (Math.abs(spelling.folded.length - folded.length) > bound) continue
    const differences = distance(spelling.folded, folded)
    if (differences <= bound && differences < (best.get(spelling.name) ?? Infinity))
      best.set(spelling.name, differences)
  }
  return Array.from(best, ([name, differences]) => ({ name, differences }))
    .sort((a, b) => a.differences - b.differences || compareCodeUnits(a.name, b.name))
    .slice(0, MAX_SUGGESTIONS)
}
