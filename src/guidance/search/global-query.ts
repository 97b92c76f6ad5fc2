import type { PhraseAlternatives, Phrase } from '../../contracts/sources.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import { openJoints } from '../catalogue/abbreviations/terms.ts'

/** Shorter parts of words are in nearly every text. */
const TELLING = 3
const PARTS = /[\p{L}\p{N}\p{M}]+/gu
/** Words of a search text; later ones are ignored. */
const MOST_WORDS = 16
const TOKENS = /-?"[^"]*"|\S+/g
/** A phrase between single quotes. The apostrophe within a word does not begin one. */
const SINGLE_QUOTED = /(?<!\S)'([^'"]+)'(?!\S)/g
/** Words that nearly every text has. */
const STOP_WORDS = new Set(
  'a an and are as at be by for from if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)

export interface TextQuery {
  readonly wanted: readonly PhraseAlternatives[]
  readonly unwanted: readonly Phrase[]
}

/**
 * A search text in words, all of which must occur, with any ending. With quotes it has the syntax of web searches:
 * `"exact phrase"`, `-without`, `this or that` (docs/contract.md, Global search).
 */
export function textQuery(text: string): TextQuery {
  const quoted = withDoubleQuotes(text)
  if (quoted.includes('"')) return webQuery(quoted)
  const words = text.split(/\s+/).flatMap(meaningsOf)
  const telling = words.filter(({ word }) => !STOP_WORDS.has(word))
  return {
    wanted: (telling.length === 0 ? words : telling).slice(0, MOST_WORDS).map(({ ways }) => ({ ways })),
    unwanted: [],
  }
}

interface TermQuery extends TextQuery {
  /** Rules whose check has these terms literally come before others. */
  readonly terms: readonly string[]
}

/** Whether a text has the syntax of web searches. */
export function isQuoted(text: string): boolean {
  return withDoubleQuotes(text).includes('"')
}

/** A query for each term of a text. A text with quotes is one query as it stands, so that a phrase stays one. */
export function termQueries(text: string, terms: readonly string[]): readonly TermQuery[] {
  if (isQuoted(text)) return [{ ...textQuery(text), terms }]
  return terms.map((term) => ({ ...textQuery(term), terms: [term] }))
}

interface WordMeaning extends PhraseAlternatives {
  readonly word: string
}

/**
 * A typed word as the words at its joints, `RHEL9` as `rhel` and `9`. Where a text has it as it was typed, as `IPv6` or
 * `kq12v2`, that stands for each of them.
 */
function meaningsOf(typed: string): readonly WordMeaning[] {
  const whole = wordsOf(typed)
  const opened = wordsOf(openJoints(typed))
  const asTyped = opened.join(' ') === whole.join(' ') ? [] : [{ words: whole, prefix: true }]
  return opened.map((word) => ({ word, ways: [{ words: [word], prefix: true }, ...asTyped] }))
}

function withDoubleQuotes(text: string): string {
  return text.replaceAll(SINGLE_QUOTED, '"$1"')
}

/** The text as a whole identifier. */
export function named(text: string): readonly PhraseAlternatives[] {
  return [{ ways: [{ words: [nameOf(text)], prefix: false }] }]
}

/** An identifier that contains the text. */
export function namesWith(text: string): readonly PhraseAlternatives[] {
  return [{ ways: [{ words: [nameOf(text)], prefix: false, inside: true }] }]
}

/**
 * Texts that may contain the term, also within words: all that have its longer words as parts of theirs. Words are
 * compared by their stems, so some of these texts do not contain it.
 */
export function partsOf(term: string): readonly PhraseAlternatives[] {
  const parts = term.toLowerCase().match(PARTS) ?? []
  const longer = parts.filter((part) => part.length >= TELLING)
  return (longer.length === 0 ? parts : longer).map((part) => ({
    ways: [part, ...wordsOf(part)].map((word) => ({ words: [word], prefix: false, inside: true })),
  }))
}

/** An identifier that begins with the text. */
export function namesLike(text: string): readonly PhraseAlternatives[] {
  return [{ ways: [{ words: [nameOf(text)], prefix: true }] }]
}

function webQuery(text: string): TextQuery {
  const wanted: Phrase[][] = []
  const unwanted: Phrase[] = []
  let isAlternative = false
  for (const token of (text.match(TOKENS) ?? []).slice(0, MOST_WORDS)) {
    const way = { words: wordsOf(token), prefix: false }
    if (/^or$/i.test(token)) {
      isAlternative = true
      continue
    }
    if (way.words.length === 0) continue
    const before = wanted.at(-1)
    if (token.startsWith('-')) unwanted.push(way)
    else if (isAlternative && before !== undefined) before.push(way)
    else wanted.push([way])
    isAlternative = false
  }
  return { wanted: wanted.map((ways) => ({ ways })), unwanted }
}
