import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { nextTurn } from '../../../platform/concurrency/turns.ts'

/**
 * The number of guesses that a password must withstand, as a power of ten; fewer for short passwords, if an operator
 * allows them. Fewer than one in a thousand random passwords is below.
 */
const MIN_GUESSES_LOG10 = 11
const GUESSES_EACH = 0.73
/** Characters that are checked at a time: the library's time grows faster than the text. */
const CHUNK_LENGTH = 24
/** A shorter repetition is not counted. */
const MIN_REPEATED = 3
const MIN_DIFFERENT = 8
/** Limit of spellings with digits for letters, for one chunk; more would take too long. */
const SUBSTITUTIONS = 8
/** Limit of words about the person. */
const MAX_ABOUT = 30

const REASONS: Readonly<Record<string, string>> = {
  repeat: 'Password repeats a short pattern',
  sequence: 'Password is mostly a sequence such as abcd or 1234',
  spatial: 'Password is mostly keys beside each other',
  date: 'Password is mostly a date',
  dictionary: 'Password is mostly a commonly used one',
  about: 'Password is mostly a name or an address that belongs to you or to this service',
}

let loading: Promise<ZxcvbnFactory> | null = null

/**
 * Returns the reason why a password is easy to guess, as a sentence; null for a good one. Upper case, shifted keys and
 * repetitions do not make it better, because people add required capitals and special characters in this way, and
 * attackers know it. `about` are publicly known texts about the person and the service.
 */
export async function findGuessable(password: string, about: readonly string[]): Promise<string | null> {
  const text = password.normalize('NFKC').toLowerCase()
  const length = Array.from(text).length
  const withoutRepeats = withoutRepetitions(text)
  if (withoutRepeats.length < Math.min(MIN_DIFFERENT, length)) return REASONS['repeat'] ?? null
  const requiredGuesses = Math.min(MIN_GUESSES_LOG10, length * GUESSES_EACH)
  const personalWords = wordsOf(about)
  const withoutPersonal = withoutWords(withoutRepeats, personalWords)
  if (withoutPersonal.length < Math.min(MIN_DIFFERENT, withoutRepeats.length)) return REASONS['about'] ?? null
  for (const variant of new Set([withoutRepeats, withoutRepetitions(undoShift(text))])) {
    const weakness = await weaknessOf(variant, personalWords, requiredGuesses)
    if (weakness !== null) return weakness
  }
  return null
}

async function weaknessOf(
  text: string,
  personalWords: readonly string[],
  requiredGuesses: number,
): Promise<string | null> {
  loading ??= load()
  const library = await loading
  const parts: GuessablePart[] = []
  let guesses = 0
  for (let start = 0; start < text.length && guesses < requiredGuesses; start += CHUNK_LENGTH) {
    const { guessesLog10, sequence } = library.check(text.slice(start, start + CHUNK_LENGTH), [...personalWords])
    guesses += guessesLog10
    parts.push(...sequence)
    await nextTurn()
  }
  return guesses < requiredGuesses ? mostOf(parts) : null
}

/** A part of the password, and the reason why it is easy to guess. */
interface GuessablePart {
  readonly pattern: string
  readonly token: string
  readonly dictionaryName?: unknown
}

/** Returns the reason that covers most characters of the password. */
function mostOf(parts: readonly GuessablePart[]): string {
  const covered = new Map<string, number>()
  for (const { pattern, token, dictionaryName } of parts) {
    const reason = REASONS[dictionaryName === 'userInputs' ? 'about' : pattern]
    if (reason !== undefined) covered.set(reason, (covered.get(reason) ?? 0) + token.length)
  }
  const [commonest] = [...covered].sort(([, a], [, b]) => b - a)
  return commonest?.[0] ?? 'Password is too easy to guess'
}

/** Lets other requests run between the steps, each of which takes tens of milliseconds. */
async function load(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory: Factory } = await import('@zxcvbn-ts/core')
  await nextTurn()
  const { adjacencyGraphs: graphs, dictionary } = await import('@zxcvbn-ts/language-common')
  await nextTurn()
  // Ordinary words are allowed in passphrases, so only the list of common passwords is used.
  const { 'passwords-common': passwords } = dictionary
  return new Factory({ dictionary: { passwords }, graphs, l33tMaxSubstitutions: SUBSTITUTIONS })
}

/**
 * Removes words. Words of three letters occur by chance in many passwords, so they are removed only where they stand
 * alone.
 */
function withoutWords(text: string, words: readonly string[]): string {
  return words
    .filter((word) => word.length > 3)
    .reduce((remaining, word) => remaining.replaceAll(word, ' '), text)
    .split(/(?<=[^\p{L}\p{N}])|(?=[^\p{L}\p{N}])/u)
    .filter((part) => part !== ' ' && !words.includes(part))
    .join('')
}

/** Removes repetitions of earlier text, like compression. */
function withoutRepetitions(text: string): string {
  let remaining = ''
  let position = 0
  while (position < text.length) {
    const length = repeatedAt(text, position)
    if (length === 0) remaining += text.charAt(position)
    position += Math.max(1, length)
  }
  return remaining
}

/** Counts the characters from this position on that repeat earlier text. */
function repeatedAt(text: string, position: number): number {
  let length = 0
  for (let candidate = MIN_REPEATED; position + candidate <= text.length; candidate += 1) {
    if (text.indexOf(text.slice(position, position + candidate)) >= position) break
    length = candidate
  }
  return length
}

const SHIFTED = '!@#$%^&*()_+{}:"|<>?~'
const UNSHIFTED = "1234567890-=[];'\\,./`"

/** Returns the text as typed without the shift key, on a US keyboard. */
function undoShift(text: string): string {
  return Array.from(text, (letter) => UNSHIFTED[SHIFTED.indexOf(letter)] ?? letter).join('')
}

function wordsOf(about: readonly string[]): readonly string[] {
  const texts = about.map((text) => text.normalize('NFKC').toLowerCase())
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => word.length > 2 && word.length <= 64).slice(0, MAX_ABOUT)
}
