import { stemmer } from 'stemmer'

/** Splits texts into words, in the same way for indexes and queries, so that both databases find the same records. */

/** Maximum length of a word in the index and in queries. */
const MAX_WORD_LENGTH = 64
/** Limit of the cached words; a large library has no more different ones. */
const MAX_KNOWN = 50_000

/** Letters and digits, and what joins them; other characters only separate. */
const PLAIN = /[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*/g
const WORD = /[\p{L}\p{N}\p{M}]+(?:[-_][\p{L}\p{N}\p{M}]+)*/gu
const NOT_PLAIN = /[^\0-\x7f]/
const WORD_JOINTS = /[-_]/
/** `PermitRootLogin` → `Permit Root Login`, `TLSVersionOld` → `TLS Version Old`. */
const CAMEL_CASE = /[a-z][A-Z][a-z]/
const CAMEL_CASE_PARTS = /([a-z0-9])(?=[A-Z][a-z])|([A-Z])(?=[A-Z][a-z])/g
const LATIN = /^[a-z]+$/
const NO_LETTER = /[^\p{L}\p{N}]/gu

/** The words of a text in their order, folded and stemmed; names with humps are several words. */
export function wordsOf(text: string): readonly string[] {
  return readText(text).words
}

/**
 * Reads the words of a text, and its split words written as one: `multifactor`, `sshdconfig`, `permitrootlogin`.
 * Compounds are repeated as they occur.
 */
export function readText(text: string): {
  readonly words: readonly string[]
  readonly compounds: readonly string[]
} {
  const words: string[] = []
  const compounds: string[] = []
  for (const run of text.match(NOT_PLAIN.test(text) ? WORD : PLAIN) ?? []) {
    const { stems, joined } = readWord(run)
    for (const stem of stems) words.push(stem)
    for (const compound of joined) compounds.push(compound)
  }
  return { words, compounds }
}

/**
 * Normalises an identifier for the index: `AC-2 (1)`, `ac2(1)` → `ac-2-1`; `CCI-000366`, `cci 366` → `cci-366`;
 * `RHEL-09-211010` → `rhel-9-211010`. Empty for a text without letters and digits.
 */
export function nameOf(text: string): string {
  const parts = fold(text).match(NAME_PARTS) ?? []
  return parts
    .map((part) => part.replace(/^0+(?=\p{N})/u, ''))
    .join('-')
    .slice(0, MAX_WORD_LENGTH)
}

/** A run of joined words, such as `multi-factor` or `sshd_config`, as stems and compounds. */
interface JoinedWords {
  readonly stems: readonly string[]
  readonly joined: readonly string[]
}

const runs = new Map<string, JoinedWords>()

/**
 * Reads one word, or several that are joined. Results are cached, because most words occur often; longer ones are not
 * worth the memory.
 */
export function readWord(text: string): JoinedWords {
  if (text.length > MAX_WORD_LENGTH) return splitRun(text)
  const cached = runs.get(text)
  if (cached !== undefined) return cached
  // Copied, because a substring would keep the whole text in memory.
  const wellFormed = Buffer.from(text, 'utf16le').toString('utf16le')
  const run = splitRun(wellFormed)
  if (runs.size >= MAX_KNOWN) runs.clear()
  runs.set(wellFormed, run)
  return run
}

/** Clears the cache of words, for threads that have read all texts and will not see most words again. */
export function forgetWords(): void {
  runs.clear()
}

function splitRun(run: string): JoinedWords {
  const stems: string[] = []
  const joined: string[] = []
  const parts = run.split(WORD_JOINTS)
  if (parts.length > 1) joined.push(stemOf(parts.join('')))
  for (const part of parts) {
    const words = CAMEL_CASE.test(part) ? part.replace(CAMEL_CASE_PARTS, '$1$2 ').split(' ') : [part]
    if (words.length > 1) joined.push(stemOf(part))
    for (const word of words) stems.push(stemOf(word))
  }
  return { stems: withoutEmpty(stems), joined: withoutEmpty(joined) }
}

const NO_WORDS: readonly string[] = []

/** Removes empty words. The array has no spare capacity, because it is cached, and most have one word or none. */
function withoutEmpty(words: readonly string[]): readonly string[] {
  const filled = words.filter((word) => word !== '')
  return filled.length === 0 ? NO_WORDS : filled.slice()
}

/** Empty for marks that stand alone. */
function stemOf(word: string): string {
  const folded = fold(word)
  if (LATIN.test(folded)) return stemmer(folded.slice(0, MAX_WORD_LENGTH))
  // The compatible form may have other characters: `⑴` has brackets, `ﷺ` several words.
  return folded.replace(NO_LETTER, '').slice(0, MAX_WORD_LENGTH)
}

const NAME_PARTS = /\p{L}+|\p{N}+/gu

/** Lower case without accents; compatible forms of a character are one. */
function fold(text: string): string {
  if (!NOT_PLAIN.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
