import { distance } from 'fastest-levenshtein'
import { compareCodeUnits } from '../../graph/term.ts'
import { wordsOf } from '../../platform/words.ts'
import type { Library } from '../index/library.ts'
import { spellingsOf } from '../knowledge/ontology-index-builder.ts'
import { differentLetters, lettersOf, type WrittenWords } from '../knowledge/written-words.ts'
import type { Term } from './terms.ts'

/** Words up to this length may have one mistake, longer ones two. */
const SHORT = 5
/** In words of at least this length, two mistakes may be any two letters. */
const LONG = 8
const MAX_WRONG = 3
const MAX_GUESSES = 3
/** Among equally near words, this many of the commonest are compared by their neighbours. */
const MAX_COMPARED = 4

/** The query with its unknown words corrected. */
export interface Correction {
  readonly text: string
  /** A short word that begins otherwise may be a word of its own: `night` for `right`. */
  readonly isSure: boolean
}

/** The likeliest first. */
export function correctQuery(text: string, unknown: readonly Term[], library: Library): readonly Correction[] {
  const stems = new Set(unknown.flatMap(({ variants }) => variants.flatMap(({ words }) => words)))
  const written = [...new Set(spellingsOf(text))]
  const wrong = written.filter((word) => wordsOf(word).some((stem) => stems.has(stem)))
  const guesses: { readonly word: string; readonly meanings: readonly string[] }[] = []
  for (const word of wrong.slice(0, MAX_WRONG)) {
    const index = written.indexOf(word)
    const before = written[index - 1] ?? ''
    const previous = guesses.find((guess) => guess.word === before)?.meanings[0] ?? before
    guesses.push({ word, meanings: nearestWords(word, library, [previous, written[index + 1] ?? '']) })
  }
  const corrected = guesses.filter(({ meanings }) => meanings.length > 0)
  if (corrected.length === 0) return []
  const corrections = Array.from({ length: MAX_GUESSES }, (_, rank) => {
    const chosen = corrected.map(({ word, meanings }) => ({
      word,
      meaning: meanings[Math.min(rank, meanings.length - 1)],
    }))
    return {
      text: chosen.reduce((query, { word, meaning }) => replaceWord(query, word, meaning), text),
      isSure: chosen.every(({ word, meaning = word }) => !differsInFirstLetter(word, meaning)),
    }
  })
  return corrections.filter(
    (correction, index) => corrections.findIndex((other) => other.text === correction.text) === index,
  )
}

function differsInFirstLetter(word: string, meaning: string): boolean {
  return word.length <= SHORT && word.slice(1) === meaning.slice(1)
}

function replaceWord(text: string, word: string, meaning = word): string {
  const position = text.toLowerCase().indexOf(word)
  return position === -1 ? text : text.slice(0, position) + meaning + text.slice(position + word.length)
}

interface NearWord {
  readonly known: string
  /** Number of wrong letters. */
  readonly wrong: number
  /** True if it begins with the same letter. */
  readonly isAlike: boolean
  /** Number of records that have it. */
  readonly count: number
}

/** Among the words of titles and names that everybody may read. */
function nearestWords(word: string, library: Library, [before, after]: readonly [string, string]): readonly string[] {
  const candidates = nearWords(word, library, word.length <= SHORT ? 1 : 2)
  const [best] = candidates
  const isEquallyNear = (candidate: NearWord): boolean =>
    candidate.wrong === best?.wrong && candidate.isAlike === best.isAlike
  const countBeside = ({ known }: NearWord): number =>
    countTogether(before, known, library) + countTogether(known, after, library)
  // Sorting is stable: words that are as frequent stay in order.
  const equallyNear = candidates.filter(isEquallyNear).slice(0, MAX_COMPARED)
  const countsBeside = new Map(equallyNear.map((candidate) => [candidate, countBeside(candidate)]))
  equallyNear.sort((a, b) => (countsBeside.get(b) ?? 0) - (countsBeside.get(a) ?? 0))
  const others = candidates.filter((candidate) => !countsBeside.has(candidate))
  return [...equallyNear, ...others].slice(0, MAX_GUESSES).map(({ known }) => known)
}

/** Number of records that have one word directly before the other. */
function countTogether(first: string, second: string, library: Library): number {
  return first === '' || second === '' ? 0 : library.count(...wordsOf(first), ...wordsOf(second))
}

/** Known words with at most this many mistakes, the likeliest first. */
function nearWords(word: string, library: Library, maxMistakes: number): readonly NearWord[] {
  const byWord = new Map<string, NearWord>()
  for (const writtenWords of library.spellings)
    for (const candidate of nearIn(writtenWords, word, maxMistakes)) {
      byWord.set(candidate.known, { ...candidate, count: candidate.count + (byWord.get(candidate.known)?.count ?? 0) })
    }
  return [...byWord.values()].sort(
    (a, b) =>
      a.wrong - b.wrong ||
      Number(b.isAlike) - Number(a.isAlike) ||
      b.count - a.count ||
      compareCodeUnits(a.known, b.known),
  )
}

function nearIn({ words, countOf }: WrittenWords, word: string, maxMistakes: number): readonly NearWord[] {
  const letters = lettersOf(word)
  const candidates: NearWord[] = []
  for (const { word: knownWord, letters: otherLetters, index } of words) {
    if (Math.abs(knownWord.length - word.length) > maxMistakes || knownWord === word) continue
    // This quick test excludes most words.
    if (differentLetters(letters, otherLetters) > 2 * maxMistakes) continue
    const wrong = mistakesIn(word, knownWord)
    const count = wrong > maxMistakes ? 0 : countOf(index)
    if (count > 0) candidates.push({ known: knownWord, wrong, isAlike: isAlike(word, knownWord), count })
  }
  return candidates
}

function isAlike(word: string, knownWord: string): boolean {
  return knownWord.startsWith(word.slice(0, 1))
}

/**
 * Infinity if too little of the word is left to recognise it: `recipe` is not `receive`, but `firwal` is `firewall`.
 */
function mistakesIn(word: string, knownWord: string): number {
  if (isSwapped(word, knownWord)) return 1
  const wrong = distance(word, knownWord)
  const isDistinctive = word.length >= LONG || isWithin(word, knownWord) || isWithin(knownWord, word)
  return wrong <= 1 || (isDistinctive && isAlike(word, knownWord)) ? wrong : Infinity
}

/** True if the letters of a word are in another one, in their order. */
function isWithin(word: string, other: string): boolean {
  let matched = 0
  for (const letter of other) if (letter === word[matched]) matched += 1
  return matched === word.length
}

/** Two swapped neighbouring letters are one mistake (Damerau). */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  return a[start] === b[start + 1] && a[start + 1] === b[start] && a.slice(start + 2) === b.slice(start + 2)
}
