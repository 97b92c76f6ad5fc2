import type { Phrase } from '../../contracts/sources.ts'
import { wordsOf } from '../../platform/words.ts'
import type { OntologyIndex } from '../knowledge/knowledge.ts'

/** A way to say a term, and its weight beside the words that were typed. */
export interface TermWay extends Phrase {
  readonly by: 'itself' | 'joined' | 'name' | 'abbreviation' | 'synonym' | 'form' | 'spelling' | 'beginning'
  readonly weight: number
}

/** Word statistics for expanding a query. */
export interface Vocabulary extends Pick<OntologyIndex, 'alternatives' | 'spellings'> {
  /** In how many records a word is, or several in their order. */
  readonly count: (...words: readonly string[]) => number
}

/** Largest number of alternatives for one run of words. */
export const MOST_ALTERNATIVES = 4
const WEIGHT = {
  itself: 1,
  joined: 1,
  name: 1,
  abbreviation: 0.9,
  synonym: 0.75,
  form: 0.75,
  spelling: 0.75,
  beginning: 0.55,
}

export function wayOf(by: TermWay['by'], words: readonly string[]): TermWay {
  return { by, words, prefix: by === 'beginning', weight: WEIGHT[by] }
}

export function joined(text: string): readonly string[] {
  return wordsOf(text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase())
}
