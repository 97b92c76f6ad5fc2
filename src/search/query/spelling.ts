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
  const guesses: { readonly word: string; readonly meant: readonly string[] }[] = []
  for (const word of wrong.slice(0, MAX_WRONG)) {
    const place = written.indexOf(word)
    const before = written[place - 1] ?? ''
    const known = guesses.find((guess) => guess.word === before)?.meant[0] ?? before
    guesses.push({ word, meant: nearestWords(word, library, [known, written[place + 1] ?? '']) })
  }
  const corrected = guesses.filter(({ meant }) => meant.length > 0)
  if (corrected.length === 0) return []
  const corrections = Array.from({ length: MAX_GUESSES }, (_, place) => {
    const chosen = corrected.map(({ word, meant: meaning }) => ({
      word,
      meant: meaning[Math.min(place, meaning.length - 1)],
    }))
    return {
      text: chosen.reduce((query, { word, meant }) => replaceWord(query, word, meant), text),
      isSure: chosen.every(({ word, meant = word }) => !differsInFirstLetter(word, meant)),
    }
  })
  return corrections.filter((one, place) => corrections.findIndex((other) => other.text === one.text) === place)
}

function differsInFirstLetter(word: string, meant: string): boolean {
  return word.length <= SHORT && word.slice(1) === meant.slice(1)
}

function replaceWord(text: string, word: string, meaning = word): string {
  const place = text.toLowerCase().indexOf(word)
  return place === -1 ? text : text.slice(0, place) + meaning + text.slice(place + word.length)
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
  const near = nearWords(word, library, word.length <= SHORT ? 1 : 2)
  const [best] = near
  const isEquallyNear = (one: NearWord): boolean => one.wrong === best?.wrong && one.isAlike === best.isAlike
  const countBeside = ({ known }: NearWord): number =>
    countTogether(before, known, library) + countTogether(known, after, library)
  // Sorting is stable: words that are as frequent stay in order.
  const equallyNear = near.filter(isEquallyNear).slice(0, MAX_COMPARED)
  const beside = new Map(equallyNear.map((one) => [one, countBeside(one)]))
  equallyNear.sort((a, b) => (beside.get(b) ?? 0) - (beside.get(a) ?? 0))
  const others = near.filter((one) => !beside.has(one))
  return [...equallyNear, ...others].slice(0, MAX_GUESSES).map(({ known }) => known)
}

/** Number of records that have one word directly before the other. */
function countTogether(first: string, second: string, library: Library): number {
  return first === '' || second === '' ? 0 : library.count(...wordsOf(first), ...wordsOf(second))
}

/** Known words with at most this many mistakes, the likeliest first. */
function nearWords(word: string, library: Library, maxMistakes: number): readonly NearWord[] {
  const near = new Map<string, NearWord>()
  for (const writtenWords of library.spellings)
    for (const one of nearIn(writtenWords, word, maxMistakes)) {
      near.set(one.known, { ...one, count: one.count + (near.get(one.known)?.count ?? 0) })
    }
  return [...near.values()].sort(
    (a, b) =>
      a.wrong - b.wrong ||
      Number(b.isAlike) - Number(a.isAlike) ||
      b.count - a.count ||
      compareCodeUnits(a.known, b.known),
  )
}

function nearIn({ words, countOf }: WrittenWords, word: string, maxMistakes: number): readonly NearWord[] {
  const letters = lettersOf(word)
  const near: NearWord[] = []
  for (const { word: knownWord, letters: otherLetters, place } of words) {
    if (Math.abs(knownWord.length - word.length) > maxMistakes || knownWord === word) continue
    // This quick test excludes most words.
    if (differentLetters(letters, otherLetters) > 2 * maxMistakes) continue
    const wrong = mistakesIn(word, knownWord)
    const count = wrong > maxMistakes ? 0 : countOf(place)
    if (count > 0) near.push({ known: knownWord, wrong, isAlike: isAlike(word, knownWord), count })
  }
  return near
}

function isAlike(word: string, known: string): boolean {
  return known.startsWith(word.slice(0, 1))
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
  let at = 0
  for (const letter of other) if (letter === word[at]) at += 1
  return at === word.length
}

/** Two swapped neighbouring letters are one mistake (Damerau). */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
