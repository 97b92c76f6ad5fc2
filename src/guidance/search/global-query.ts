import type { Meaning, Phrase } from '../../contracts/sources.ts'
import { nameOf, wordsOf } from '../../platform/words.ts'
import { openJoints } from '../catalogue/abbreviations/terms.ts'

/** Words of a search text; later ones are ignored. */
const MOST_WORDS = 16
const TOKENS = /-?"[^"]*"|\S+/g
/** Words that nearly every text has. */
const STOP_WORDS = new Set(
  'a an and are as at be by for from if in into is it no not of on or such that the their then there these they this to was will with'.split(
    ' ',
  ),
)

export interface TextQuery {
  readonly wanted: readonly Meaning[]
  readonly unwanted: readonly Phrase[]
}

/**
 * A search text in words, all of which must occur, with any ending. With quotes it has the syntax of web searches:
 * `"exact phrase"`, `-without`, `this or that` (contract §4).
 */
export function textQuery(text: string): TextQuery {
  if (text.includes('"')) return webQuery(text)
  const words = text.split(/\s+/).map(openJoints).flatMap(wordsOf)
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  return {
    wanted: (telling.length === 0 ? words : telling)
      .slice(0, MOST_WORDS)
      .map((word) => ({ ways: [{ words: [word], prefix: true }] })),
    unwanted: [],
  }
}

/** An identifier that begins with the text. */
export function namesLike(text: string): readonly Meaning[] {
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
