import type { PhraseAlternatives, Phrase } from '../../contracts/guidance-records.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import { splitCompounds } from '../catalogue/abbreviations/terms.ts'

/** Nearly every text has shorter parts of words. */
const MIN_PART_LENGTH = 3
const PARTS = /[\p{L}\p{N}\p{M}]+/gu
/** Words of a search text; later ones are ignored. */
const MAX_WORDS = 16
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
  readonly required: readonly PhraseAlternatives[]
  readonly excluded: readonly Phrase[]
}

/**
 * A search text in words, all of which must occur, with any ending. With quotes it has the syntax of web searches:
 * `"exact phrase"`, `-without`, `this or that` (docs/contract.md, Global search).
 */
export function textQuery(text: string): TextQuery {
  const quoted = withDoubleQuotes(text)
  if (quoted.includes('"')) return webQuery(quoted)
  const words = text.split(/\s+/).flatMap(meaningsOf)
  const significant = words.filter(({ word }) => !STOP_WORDS.has(word))
  return {
    required: (significant.length === 0 ? words : significant)
      .slice(0, MAX_WORDS)
      .map(({ alternatives }) => ({ alternatives })),
    excluded: [],
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
 * Splits a typed word where letters and digits meet: `RHEL9` is `rhel` and `9`. A text that has it unsplit, such as `IPv6` or
 * `kq12v2`, matches all its parts.
 */
function meaningsOf(text: string): readonly WordMeaning[] {
  const typedWords = wordsOf(text)
  const splitWords = wordsOf(splitCompounds(text))
  const wholeText = splitWords.join(' ') === typedWords.join(' ') ? [] : [{ words: typedWords, prefix: true }]
  return splitWords.map((word, index) => {
    // Hundreds of words begin with a single letter, so only the last one counts as a beginning.
    const prefix = word.length > 1 || index === splitWords.length - 1
    return { word, alternatives: [{ words: [word], prefix }, ...wholeText] }
  })
}

function withDoubleQuotes(text: string): string {
  return text.replaceAll(SINGLE_QUOTED, '"$1"')
}

/** The text as a whole identifier. */
export function exactIdentifier(text: string): readonly PhraseAlternatives[] {
  return [{ alternatives: [{ words: [nameOf(text)], prefix: false }] }]
}

export function identifiersContaining(text: string): readonly PhraseAlternatives[] {
  return [{ alternatives: [{ words: [nameOf(text)], prefix: false, inside: true }] }]
}

/**
 * Texts that may contain the term, also within words: its first and its last part may be parts of longer words, those between
 * them are whole words. Because words are compared by their stems, some of these texts do not contain it.
 */
export function textsContaining(term: string): readonly PhraseAlternatives[] {
  const parts: readonly string[] = term.toLowerCase().match(PARTS) ?? []
  const innerParts = parts.slice(1, -1)
  const outerParts = [...new Set([...parts.slice(0, 1), ...parts.slice(-1)])]
  const longOuterParts = outerParts.filter((part) => part.length >= MIN_PART_LENGTH)
  // Nearly every word has a single letter in it, so such parts are looked for only where there are no others.
  const partsInWords = longOuterParts.length + innerParts.length > 0 ? longOuterParts : outerParts
  // Fewer words have a long part.
  const rarestFirst = partsInWords.toSorted((a, b) => b.length - a.length)
  return [
    ...innerParts.map((part) => ({ alternatives: [{ words: wordsOf(part), prefix: false }] })),
    ...rarestFirst.map((part) => ({ alternatives: textsInside(part) })),
  ]
}

/** Every word that contains a part contains its stem as well. */
function textsInside(part: string): PhraseAlternatives['alternatives'] {
  const stems = wordsOf(part)
  const texts = stems.some((stem) => part.includes(stem)) ? stems : [part, ...stems]
  return texts.map((word) => ({ words: [word], prefix: false, inside: true }))
}

/** Identifiers that begin with the text. */
export function identifiersStartingWith(text: string): readonly PhraseAlternatives[] {
  return [{ alternatives: [{ words: [nameOf(text)], prefix: true }] }]
}

function webQuery(text: string): TextQuery {
  const phrases: Phrase[][] = []
  const excluded: Phrase[] = []
  let isAlternative = false
  for (const token of (text.match(TOKENS) ?? []).slice(0, MAX_WORDS)) {
    const phrase = { words: wordsOf(token), prefix: false }
    if (/^or$/i.test(token)) {
      isAlternative = true
      continue
    }
    if (phrase.words.length === 0) continue
    const before = phrases.at(-1)
    if (token.startsWith('-')) excluded.push(phrase)
    else if (isAlternative && before !== undefined) before.push(phrase)
    else phrases.push([phrase])
    isAlternative = false
  }
  return { required: phrases.map((alternatives) => ({ alternatives })), excluded }
}
