import type { Phrase } from '../../contracts/guidance-records.ts'
import { wordsOf } from '../../platform/words.ts'
import type { OntologyIndex } from '../knowledge/ontology-index.ts'

/** A variant of a term, with its weight compared to the words that were typed. */
export interface TermVariant extends Phrase {
  readonly by: 'itself' | 'joined' | 'name' | 'abbreviation' | 'synonym' | 'beginning' | 'associate'
  readonly weight: number
}

/** Word statistics for expanding a query. */
export interface Vocabulary extends Pick<OntologyIndex, 'alternatives' | 'spellings'> {
  /** Number of records that have a word, or several words in this order. */
  readonly count: (...words: readonly string[]) => number
}

/** Largest number of alternatives for one run of words. */
export const MAX_ALTERNATIVES = 4
const WEIGHT = {
  itself: 1,
  joined: 1,
  name: 1,
  abbreviation: 1,
  synonym: 0.75,
  beginning: 0.55,
  associate: 0.2,
}

export function termVariant(by: TermVariant['by'], words: readonly string[]): TermVariant {
  return { by, words, prefix: by === 'beginning', weight: WEIGHT[by] }
}

export function joined(text: string): readonly string[] {
  return wordsOf(text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase())
}
