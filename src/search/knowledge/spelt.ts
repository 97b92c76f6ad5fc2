/** A word as it is written, in lower case. */
export interface SpeltWord {
  readonly word: string
  /** The letters that it has, as bits. */
  readonly letters: number
  /** Position in its list. */
  readonly place: number
}

export interface SpeltWords {
  readonly words: readonly SpeltWord[]
  /** In how many records a word is. */
  readonly countOf: (place: number) => number
}

export function speltWord(word: string, place: number): SpeltWord {
  return { word, letters: lettersOf(word), place }
}

export function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

/** How many letters only one of two words has: a mistake changes two of them at most. */
export function lettersApart(a: number, b: number): number {
  let count = 0
  for (let left = a ^ b; left !== 0; left &= left - 1) count += 1
  return count
}
