import { distance } from 'fastest-levenshtein'
import { compareCodeUnits } from './term.ts'

const MOST = 5
/** A longer name is no typing mistake, and comparing it costs too much. */
const LONGEST = 100

/** A way to write the name of a record, without what people leave out. */
export interface Spelling {
  readonly folded: string
  readonly name: string
}

export interface NearName {
  readonly name: string
  /** Number of letters that differ. */
  readonly apart: number
}

/**
 * Names near to one that does not exist, best first: at most a quarter of the letters may differ. What is
 * asked for is folded as the spellings are.
 */
export function nearestNames(folded: string, spellings: readonly Spelling[]): readonly NearName[] {
  if (folded === '' || folded.length > LONGEST) return []
  const bound = Math.max(1, Math.floor(folded.length / 4))
  const best = new Map<string, number>()
  for (const spelling of spellings) {
    if (Math.abs(spelling.folded.length - folded.length) > bound) continue
    const apart = distance(spelling.folded, folded)
    if (apart <= bound && apart < (best.get(spelling.name) ?? Infinity)) best.set(spelling.name, apart)
  }
  return Array.from(best, ([name, apart]) => ({ name, apart }))
    .sort((a, b) => a.apart - b.apart || compareCodeUnits(a.name, b.name))
    .slice(0, MOST)
}
