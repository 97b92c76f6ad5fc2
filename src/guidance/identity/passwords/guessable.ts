import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { nextTurn } from '../../../platform/turns.ts'

/**
 * What it takes at least, as a power of ten; less for a short password, where an operator allows one. Of
 * passwords that are chosen by chance, fewer than one in a thousand falls below.
 */
const GUESSES = 11
const GUESSES_EACH = 0.73
/** The library's time grows faster than the text: it looks at so many characters at a time. */
const PIECE = 24
/** What was there before, to be noticed. */
const MIN_REPEATED = 3
const MIN_DIFFERENT = 8
/** Spellings with digits for letters that are tried for one piece; the time grows with them. */
const SUBSTITUTIONS = 8
/** Words about the person that are looked for. */
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
 * Why somebody who tries the usual things would soon find this password, as a sentence; null for one
 * that holds. Counts as a guesser would, for whom upper case, a shifted key and a second time cost
 * nothing: whoever has to use capitals and special characters does it in these ways. `about` are texts
 * that others know of the person and of the service.
 */
export async function findGuessable(
  password: string,
  about: readonly string[],
): Promise<string | null> {
  const text = password.normalize('NFKC').toLowerCase()
  const length = Array.from(text).length
  const once = withoutRepetitions(text)
  if (once.length < Math.min(MIN_DIFFERENT, length)) return REASONS['repeat'] ?? null
  const needed = Math.min(GUESSES, length * GUESSES_EACH)
  const known = wordsOf(about)
  const rest = withoutWords(once, known)
  if (rest.length < Math.min(MIN_DIFFERENT, once.length)) return REASONS['about'] ?? null
  for (const typed of new Set([once, withoutRepetitions(unshifted(text))])) {
    const weakness = await weaknessOf(typed, known, needed)
    if (weakness !== null) return weakness
  }
  return null
}

async function weaknessOf(
  text: string,
  known: readonly string[],
  needed: number,
): Promise<string | null> {
  loading ??= load()
  const library = await loading
  const found: GuessablePart[] = []
  let guesses = 0
  for (let start = 0; start < text.length && guesses < needed; start += PIECE) {
    const { guessesLog10, sequence } = library.check(text.slice(start, start + PIECE), [...known])
    guesses += guessesLog10
    found.push(...sequence)
    await nextTurn()
  }
  return guesses < needed ? mostOf(found) : null
}

/** A part of the password, and what it is. */
interface GuessablePart {
  readonly pattern: string
  readonly token: string
  readonly dictionaryName?: unknown
}

/** What most of the password is. */
function mostOf(found: readonly GuessablePart[]): string {
  const covered = new Map<string, number>()
  for (const { pattern, token, dictionaryName } of found) {
    const reason = REASONS[dictionaryName === 'userInputs' ? 'about' : pattern]
    if (reason !== undefined) covered.set(reason, (covered.get(reason) ?? 0) + token.length)
  }
  const [most] = [...covered].sort(([, a], [, b]) => b - a)
  return most?.[0] ?? 'Password is too easy to guess'
}

/** Each step takes tens of milliseconds, so that others have their turn between them. */
async function load(): Promise<ZxcvbnFactory> {
  const { ZxcvbnFactory: Factory } = await import('@zxcvbn-ts/core')
  await nextTurn()
  const { adjacencyGraphs: graphs, dictionary } = await import('@zxcvbn-ts/language-common')
  await nextTurn()
  // Words of passphrases are no weakness: only the passwords of others are.
  const { 'passwords-common': passwords } = dictionary
  return new Factory({ dictionary: { passwords }, graphs, l33tMaxSubstitutions: SUBSTITUTIONS })
}

/** Three letters are in many a password by chance: they count where they stand alone. */
function withoutWords(text: string, words: readonly string[]): string {
  const longerFirst = words.filter((word) => word.length > 3).sort((a, b) => b.length - a.length)
  return longerFirst
    .reduce((left, word) => left.replaceAll(word, ' '), text)
    .split(/(?<=[^\p{L}\p{N}])|(?=[^\p{L}\p{N}])/u)
    .filter((part) => part !== ' ' && !words.includes(part))
    .join('')
}

/** Drops whatever stood there before, as packing a file would. */
function withoutRepetitions(text: string): string {
  let kept = ''
  let position = 0
  while (position < text.length) {
    const length = repeatedAt(text, position)
    if (length === 0) kept += text.charAt(position)
    position += Math.max(1, length)
  }
  return kept
}

/** How many characters from here on stood there before. */
function repeatedAt(text: string, position: number): number {
  let length = 0
  for (let more = MIN_REPEATED; position + more <= text.length; more += 1) {
    if (text.indexOf(text.slice(position, position + more)) >= position) break
    length = more
  }
  return length
}

const SHIFTED = '!@#$%^&*()_+{}:"|<>?~'
const UNSHIFTED = "1234567890-=[];'\\,./`"

/** The keys that were pressed, on the keyboard that most have. */
function unshifted(text: string): string {
  return Array.from(text, (letter) => UNSHIFTED[SHIFTED.indexOf(letter)] ?? letter).join('')
}

function wordsOf(about: readonly string[]): readonly string[] {
  const texts = about.map((text) => text.normalize('NFKC').toLowerCase())
  const words = texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)]
    .filter((word) => word.length > 2 && word.length <= 64)
    .slice(0, MAX_ABOUT)
}
