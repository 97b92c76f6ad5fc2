import { stemmer } from 'stemmer'

/**
 * Texts as words, one way for everything that is searched: the index of rules in either database, the
 * index of the ontology, and the query. So both databases find the same.
 */

/** Of each word; nobody types more, and no index should hold more. */
const LONGEST = 64
/** Every text of a large library has no more different words than this. */
const MOST_KNOWN = 50_000

/** Letters and digits; what stands between them never counts. The first one is for plain texts: quicker. */
const PLAIN = { parts: /[A-Za-z0-9]+/g, compounds: /[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+/g }
const ANY = {
  parts: /[\p{L}\p{N}\p{M}]+/gu,
  compounds: /[\p{L}\p{N}\p{M}]+(?:[-_][\p{L}\p{N}\p{M}]+)+/gu,
}
const NOT_PLAIN = /[^\0-\x7f]/
/** `PermitRootLogin` → `Permit Root Login`, `TLSVersionOld` → `TLS Version Old`. */
const HUMPED = /[a-z][A-Z][a-z]/
const HUMPS = /([a-z0-9])(?=[A-Z][a-z])|([A-Z])(?=[A-Z][a-z])/g
const LATIN = /^[a-z]+$/

/** The words of a text in their order, folded and stemmed; names with humps are several words. */
export function wordsOf(text: string): readonly string[] {
  const words: string[] = []
  for (const part of text.match(formsOf(text).parts) ?? []) {
    const { stems } = known(part)
    for (const stem of stems) words.push(stem)
  }
  return words
}

/** What is several words in `wordsOf`, written as one: `multifactor`, `sshdconfig`, `permitrootlogin`. */
export function compoundsOf(text: string): readonly string[] {
  const { parts, compounds } = formsOf(text)
  const found = new Set<string>()
  for (const compound of text.match(compounds) ?? [])
    found.add(known(compound.replace(/[-_]/g, '')).whole)
  for (const part of text.match(parts) ?? []) {
    const { stems, whole } = known(part)
    if (stems.length > 1) found.add(whole)
  }
  return [...found]
}

/**
 * An identifier as a word of the index, however it is written: `AC-2 (1)`, `ac2(1)` → `ac-2-1`;
 * `CCI-000366`, `cci 366` → `cci-366`; `RHEL-09-211010` → `rhel-9-211010`. Empty where there is nothing
 * to name.
 */
export function nameOf(text: string): string {
  const parts = fold(text).match(/\p{L}+|\p{N}+/gu) ?? []
  return parts
    .map((part) => part.replace(/^0+(?=\p{N})/u, ''))
    .join('-')
    .slice(0, LONGEST)
}

function formsOf(text: string): typeof PLAIN {
  return NOT_PLAIN.test(text) ? ANY : PLAIN
}

interface Word {
  readonly stems: readonly string[]
  readonly whole: string
}

const words = new Map<string, Word>()

function known(part: string): Word {
  const found = words.get(part)
  if (found !== undefined) return found
  const whole = stemOf(part)
  const stems = HUMPED.test(part) ? part.replace(HUMPS, '$1$2 ').split(' ').map(stemOf) : [whole]
  if (words.size >= MOST_KNOWN) words.clear()
  words.set(part, { stems, whole })
  return { stems, whole }
}

function stemOf(word: string): string {
  const folded = fold(word).slice(0, LONGEST)
  return LATIN.test(folded) ? stemmer(folded) : folded
}

/** Lower case without accents; compatible forms of a character are one. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/**
 * Something that a record has to say, in any of several ways. A query is a list of these, all of which
 * have to be met.
 */
export interface Wanted {
  readonly ways: readonly Way[]
}

/** Words as `wordsOf` and `compoundsOf` give them, next to each other. */
export interface Way {
  readonly words: readonly string[]
  /** Whether the last word may be the beginning of a longer one. */
  readonly prefix: boolean
}
