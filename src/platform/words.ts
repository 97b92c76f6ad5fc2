import { stemmer } from 'stemmer'

/**
 * Turns texts into words, in the same way for everything that is searched: the index of rules in either database, the
 * index of the ontology, and the query. So both databases find the same.
 */

/** Characters of a word that count; nobody types more, and no index should hold more. */
const LONGEST = 64
/** Words that are remembered; a large library has no more different ones. */
const MOST_KNOWN = 50_000

/** Letters and digits, and what joins them; other characters only separate. */
const PLAIN = /[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*/g
const ANY = /[\p{L}\p{N}\p{M}]+(?:[-_][\p{L}\p{N}\p{M}]+)*/gu
const NOT_PLAIN = /[^\0-\x7f]/
const JOINTS = /[-_]/
/** `PermitRootLogin` → `Permit Root Login`, `TLSVersionOld` → `TLS Version Old`. */
const HUMPED = /[a-z][A-Z][a-z]/
const HUMPS = /([a-z0-9])(?=[A-Z][a-z])|([A-Z])(?=[A-Z][a-z])/g
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
  for (const run of text.match(NOT_PLAIN.test(text) ? ANY : PLAIN) ?? []) {
    const { stems, joined } = readWord(run)
    for (const stem of stems) words.push(stem)
    for (const compound of joined) compounds.push(compound)
  }
  return { words, compounds }
}

/**
 * An identifier as a word of the index, however it is written: `AC-2 (1)`, `ac2(1)` → `ac-2-1`;
 * `CCI-000366`, `cci 366` → `cci-366`; `RHEL-09-211010` → `rhel-9-211010`. Empty where there is nothing
 * to name.
 */
export function nameOf(text: string): string {
  const parts = fold(text).match(NAME_PARTS) ?? []
  return parts
    .map((part) => part.replace(/^0+(?=\p{N})/u, ''))
    .join('-')
    .slice(0, LONGEST)
}

/** A run of joined words, such as `multi-factor` or `sshd_config`, as stems and compounds. */
interface JoinedWords {
  readonly stems: readonly string[]
  readonly joined: readonly string[]
}

const runs = new Map<string, JoinedWords>()

/**
 * Reads one word, or several that are joined. Results are cached, because most words come again; longer runs are not
 * worth the memory.
 */
export function readWord(text: string): JoinedWords {
  if (text.length > LONGEST) return read(text)
  const found = runs.get(text)
  if (found !== undefined) return found
  // A copy, because a part of a text would keep all of it in memory.
  const own = Buffer.from(text, 'utf16le').toString('utf16le')
  const run = read(own)
  if (runs.size >= MOST_KNOWN) runs.clear()
  runs.set(own, run)
  return run
}

/** Forgets what is remembered of words: who has read all the texts there are will not see most of them again. */
export function forgetWords(): void {
  runs.clear()
}

function read(run: string): JoinedWords {
  const stems: string[] = []
  const joined: string[] = []
  const parts = run.split(JOINTS)
  if (parts.length > 1) joined.push(stemOf(parts.join('')))
  for (const part of parts) {
    const words = HUMPED.test(part) ? part.replace(HUMPS, '$1$2 ').split(' ') : [part]
    if (words.length > 1) joined.push(stemOf(part))
    for (const word of words) stems.push(stemOf(word))
  }
  return { stems: withoutEmpty(stems), joined: withoutEmpty(joined) }
}

const NONE: readonly string[] = []

/** All that are something, in an array that is no larger than they are: these are remembered, and most have one or none. */
function withoutEmpty(words: readonly string[]): readonly string[] {
  const found = words.filter((word) => word !== '')
  return found.length === 0 ? NONE : found.slice()
}

/** Empty for marks that stand alone. */
function stemOf(word: string): string {
  const folded = fold(word)
  if (LATIN.test(folded)) return stemmer(folded.slice(0, LONGEST))
  // The compatible form may have other characters: `⑴` has brackets, `ﷺ` several words.
  return folded.replace(NO_LETTER, '').slice(0, LONGEST)
}

const NAME_PARTS = /\p{L}+|\p{N}+/gu

/** Lower case without accents; compatible forms of a character are one. */
function fold(text: string): string {
  if (!NOT_PLAIN.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
