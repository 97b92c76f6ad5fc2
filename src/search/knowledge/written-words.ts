/** A written word, in lower case and not stemmed. */
export interface WrittenWord {
  readonly word: string
  /** The set of its letters, as bits. */
  readonly letters: number
  /** Position in its list. */
  readonly index: number
}

export interface WrittenWords {
  readonly words: readonly WrittenWord[]
  /** Number of records that have a word. */
  readonly countOf: (index: number) => number
}

export function writtenWord(word: string, index: number): WrittenWord {
  return { word, letters: lettersOf(word), index }
}

export function lettersOf(word: string): number {
  let letters = 0
  for (let position = 0; position < word.length; position += 1) letters |= 1 << (word.charCodeAt(position) & 31)
  return letters
}

/** Counts letters that only one of two words has. A mistake changes at most two of them. */
export function differentLetters(a: number, b: number): number {
  let count = 0
  for (let remaining = a ^ b; remaining !== 0; remaining &= remaining - 1) count += 1
  return count
}

/** `XSS` for cross-site scripting, which the ontology and the thesaurus list among synonyms. */
export function isShortForm(text: string, other: string): boolean {
  return /^[A-Z][A-Za-z]?[A-Z0-9]{1,4}$/.test(text) && text.length < other.length
}
