import { nameOf, wordsOf } from '../platform/words.ts'

/** A piece of a query between blanks, or between quotes. */
export interface Token {
  readonly text: string
  readonly words: readonly string[]
  readonly quoted: boolean
  /** A word without meaning of its own: `how`, `the`. */
  readonly isStop: boolean
}

/** A query as tokens. */
export interface ParsedQuery {
  readonly text: string
  readonly tokens: readonly Token[]
  /** The part of the text that is searched for; the rest of too many words is left out. */
  readonly used: string
}

/** In characters; the rest of a longer text is ignored. */
const LONGEST = 10_000
/** Further words are ignored. */
const MOST_WORDS = 12
/** Of a piece without a blank; no name is longer. */
const LONGEST_TOKEN = 300

const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be been before being but by can could did do
  does done for from had has have how i if in into is it its may me must my no nor not of off on or our out
  over shall should so some such than that the their them then there these they this those through to too
  under until up upon us via was we were what when where which while who whom why will with without would
  you your`.split(/\s+/),
)

/** The part before the local name of an IRI or a prefixed name. */
const BEFORE_NAME = /^(?:https?:\/\/\S*[#/]|d3f:)(?=\S)/i

export function parseQuery(text: string): ParsedQuery {
  const tokens: Token[] = []
  let count = 0
  for (const piece of piecesOf(text.slice(0, LONGEST))) {
    const words = wordsOf(piece.text).slice(0, MOST_WORDS - count)
    if (words.length === 0) continue
    const isStop = !piece.quoted && STOP_WORDS.has(piece.text.toLowerCase())
    tokens.push({ ...piece, words, isStop })
    if (!isStop) count += words.length
    if (count >= MOST_WORDS || tokens.length >= MOST_TOKENS) break
  }
  const kept = tokens.every(({ isStop }) => isStop)
    ? tokens.slice(0, MOST_WORDS).map((token) => ({ ...token, isStop: false }))
    : tokens
  return { text, tokens: kept, used: kept.map(({ text: word }) => word).join(' ') }
}

/** Stop words included. */
const MOST_TOKENS = 40

function piecesOf(text: string): readonly Pick<Token, 'text' | 'quoted'>[] {
  const pieces: Pick<Token, 'text' | 'quoted'>[] = []
  for (const [, quoted, plain] of text.matchAll(/["“”]([^"“”]*)["“”]|([^\s"“”]+)/g)) {
    const isQuoted = quoted !== undefined
    const piece = (quoted ?? plain ?? '').slice(0, LONGEST_TOKEN)
    pieces.push({ text: isQuoted ? piece : bare(piece), quoted: isQuoted })
    if (pieces.length > 4 * MOST_TOKENS) break
  }
  return pieces
}

/** `d3f:FileHashing` and its full IRI are `FileHashing`; punctuation at the end is dropped. */
function bare(piece: string): string {
  return piece.replace(BEFORE_NAME, '').replace(/[?!,;:]+$/, '')
}

/** No name has more parts. */
const MOST_PARTS = 8
const MOST_NAMES = 40

/** A part of a query that may be the name of a record, as `nameOf` writes it. */
export interface PossibleName {
  readonly name: string
  /** The share of the query that it is, 0 to 1. */
  readonly share: number
}

/** The whole query, and every run in it that has a number; the longest first. */
export function possibleNames({ tokens }: ParsedQuery): readonly PossibleName[] {
  const parts = nameOfParts(tokens.map(({ text }) => text).join(' '))
  const shares = new Map<string, number>()
  for (const run of runsOf(parts)) {
    const name = run.join('-')
    const names = isNumber(run) ? [name, `sv-${name}`, `v-${name}`] : [name]
    for (const one of names) if (!shares.has(one)) shares.set(one, run.length / parts.length)
    if (shares.size >= MOST_NAMES) break
  }
  return Array.from(shares, ([name, share]) => ({ name, share }))
}

/** Neighbouring parts that may be a name, the longest first. */
function* runsOf(parts: readonly string[]): Generator<readonly string[]> {
  for (let length = Math.min(parts.length, MOST_PARTS); length > 0; length -= 1) {
    for (let from = 0; from + length <= parts.length; from += 1) {
      const run = parts.slice(from, from + length)
      if (length === parts.length || isNumbered(run) || isNumber(run)) yield run
    }
  }
}

/** Names begin with a letter and have a number. */
function isNumbered([first = '', ...rest]: readonly string[]): boolean {
  return /^\p{L}/u.test(first) && rest.some((part) => /^\d/.test(part))
}

/** An id without its letters: `257777`. */
function isNumber([first = '', ...rest]: readonly string[]): boolean {
  return rest.length === 0 && /^\d{4,}$/.test(first)
}

function nameOfParts(text: string): readonly string[] {
  return text.split(/\s+/).flatMap((piece) => {
    const name = nameOf(piece)
    return name === '' ? [] : name.split('-')
  })
}
