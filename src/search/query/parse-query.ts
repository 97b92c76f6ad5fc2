import { nameOf, wordsOf } from '../../platform/words.ts'

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
  /** Tokens to search for. */
  readonly tokens: readonly Token[]
  /** Tokens that a record must have: `"between quotes"`, `title:telnet`. */
  readonly required: readonly FieldToken[]
  /** Tokens that a record must not have: `-windows`, `NOT windows`. */
  readonly excluded: readonly FieldToken[]
  /** The operators that were read in the text, as it has them. */
  readonly operators: readonly Operator[]
  /** Severities after `severity:`; empty: any. */
  readonly severities: readonly string[]
  /** Severity from words such as `CAT I` or `high severity`; rules with it come first. */
  readonly preferred: string | null
  /** The part of the text that is searched for; the rest of too many words is left out. */
  readonly used: string
}

/** A part of a query that leaves records out. */
export interface Operator {
  readonly effect: 'required' | 'excluded'
  readonly field: 'title' | 'fix' | 'check' | 'severity' | null
  readonly text: string
  /** The query without it. */
  readonly lifted: string
}

/** In characters; the rest of a longer text is ignored. */
const MAX_LENGTH = 10_000
/** Further words are ignored. The limit is high because the most specific word may come last. */
const MAX_WORDS = 24
/** Limit of a piece without a blank; no name is longer. */
const MAX_TOKEN_LENGTH = 300

const STOP_WORDS = new Set(
  `a about above after again all also am an and any are as at be been before being but by can could did do
  does done for from had has have how i if in into is it its may me must my no nor not of off on or our out
  over shall should so some such than that the their them then there these they this those through to too
  under until up upon us via was we were what when where which while who whom why will with without would
  you your`.split(/\s+/),
)

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}

/** The part before the local name of an IRI or a prefixed name. */
const BEFORE_NAME = /^(?:https?:\/\/\S*[#/]|d3f:)(?=\S)/i

export function parseQuery(text: string): ParsedQuery {
  const { rest, preferred } = withoutSeverity(text.slice(0, MAX_LENGTH))
  const tokenLists: TokenLists = { tokens: [], required: [], excluded: [], severities: [], restricting: [] }
  let count = 0
  for (const piece of isCommand(rest) ? piecesOfCommand(rest) : piecesOf(rest)) {
    count += addPiece(piece, tokenLists, MAX_WORDS - count)
    if (count >= MAX_WORDS || tokenLists.tokens.length >= MAX_TOKENS) break
  }
  const tokens = withContent(tokenLists.tokens)
  // Without other words, `CAT I` is a filter and not a preference.
  if (tokens.length === 0 && preferred !== null) tokenLists.severities.push(preferred)
  const used = tokens.map(({ text: word }) => word).join(' ')
  const { restricting, ...lists } = tokenLists
  const operators = restricting.map((piece) => operatorOf(piece, text))
  return { text, ...lists, operators, tokens, preferred, used }
}

/** Returns the number of words that are not stop words. */
function addPiece(piece: Piece, lists: TokenLists, maxWords: number): number {
  const { text, quoted, field, isExcluded } = piece
  if (field === 'severity') {
    lists.severities.push(text.toLowerCase())
    lists.restricting.push(piece)
    return 0
  }
  const words = wordsOf(text).slice(0, maxWords)
  if (words.length === 0) return 0
  const isStop = !quoted && isStopWord(text.toLowerCase())
  const token = { text, words, quoted, isStop }
  if (!isExcluded) lists.tokens.push(token)
  if (isExcluded || quoted || field !== null) {
    lists[isExcluded ? 'excluded' : 'required'].push({ token, field })
    lists.restricting.push(piece)
  }
  return isStop ? 0 : words.length
}

interface TokenLists {
  readonly tokens: Token[]
  readonly required: FieldToken[]
  readonly excluded: FieldToken[]
  readonly severities: string[]
  /** The pieces that leave records out. */
  readonly restricting: Piece[]
}

/** A query of nothing but stop words is searched for as it is. */
function withContent(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.every(({ isStop }) => isStop)) return tokens
  return tokens.slice(0, MAX_WORDS).map((token) => ({ ...token, isStop: false }))
}

/** Phrases for a severity, beside other words. */
const SEVERITY_WORDS =
  /(?<![\p{L}\p{N}:"-])(?:cat(?:egory)?[ -]?(?<cat>i{1,3}|[123])|(?<level>high|medium|low)[ -]severity|severity (?<after>high|medium|low))(?![\p{L}\p{N}])/iu
const CATEGORIES: Readonly<Record<string, string>> = {
  i: 'high',
  1: 'high',
  ii: 'medium',
  2: 'medium',
  iii: 'low',
  3: 'low',
}

function withoutSeverity(text: string): {
  readonly rest: string
  readonly preferred: string | null
} {
  const { groups, 0: words = '' } = SEVERITY_WORDS.exec(text) ?? {}
  if (groups === undefined) return { rest: text, preferred: null }
  const { cat, level, after } = groups
  const preferred = CATEGORIES[(cat ?? '').toLowerCase()] ?? (level ?? after ?? '').toLowerCase()
  return { rest: text.replace(words, ' '), preferred }
}

/** Stop words included. */
const MAX_TOKENS = 40

/** A token that has to be, or must not be, in a field; null: in any. */
export interface FieldToken {
  readonly token: Token
  readonly field: 'title' | 'fix' | 'check' | null
}

interface Piece {
  readonly text: string
  /** With its operator, as it was typed. */
  readonly typed: string
  readonly quoted: boolean
  readonly isExcluded: boolean
  readonly field: FieldToken['field'] | 'severity'
}

/**
 * A dash before fewer than three letters, or after another dash, is an option of a command (`-w /etc/passwd -p wa`) and
 * excludes nothing. Typographic quotes count as quotes.
 */
const PIECES =
  /(?<not>(?<![^\s(])-(?=["“”]|\p{L}{3})|(?<![^\s(])NOT\s+)?(?:(?<field>[Tt]itle|[Ff]ix|[Cc]heck|[Ss]everity):(?=\S))?(?:["“”](?<quoted>[^"“”]*)["“”]|(?<plain>[^\s"“”]+))/gu

function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  for (const { 0: typed, groups = {} } of text.matchAll(PIECES)) {
    const { not, field, quoted, plain = '' } = groups
    const token = (quoted ?? plain).slice(0, MAX_TOKEN_LENGTH)
    const marks = { typed, isExcluded: not !== undefined, field: fieldOf(field) }
    pieces.push(
      quoted === undefined
        ? { text: bareName(token), quoted: false, ...marks }
        : { text: token, quoted: true, ...marks },
    )
    if (pieces.length > 4 * MAX_TOKENS) break
  }
  return pieces
}

/** Without the operator, a required word stays in the query; an excluded word and a severity are removed. */
function operatorOf({ text, typed, field, isExcluded }: Piece, query: string): Operator {
  const keptText = isExcluded || field === 'severity' ? '' : text
  const lifted = query
    .replace(typed, () => keptText)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return { effect: isExcluded ? 'excluded' : 'required', field, text, lifted }
}

/**
 * Patterns of commands and lines of configuration, outside of quotes: operators of a shell, a short option, a long
 * option, a PowerShell cmdlet with an option. A path with any option counts as well.
 */
const COMMAND_SIGNS = [
  /[|=$<>*\\{}`]/,
  /(?<!\S)-[\p{L}\d]{1,2}(?!\S)/u,
  /(?<!\S)--\p{L}/u,
  /(?<!\S)(?:Add|Clear|Disable|Enable|Export|Find|Format|Get|Import|Install|Invoke|New|Out|Remove|Select|Set|Start|Stop|Test|Where|Write)-\p{Lu}\p{L}+\s+-/u,
]

const PATH = /(?<!\S)~?\.{0,2}\//
const OPTION = /(?<!\S)-\p{L}/u

/** Whether a query is a pasted command, in which dashes and quotes are no operators. */
function isCommand(text: string): boolean {
  const unquoted = text.replaceAll(/["“”][^"“”]*["“”]/g, ' ')
  if (COMMAND_SIGNS.some((sign) => sign.test(unquoted)) || (PATH.test(unquoted) && OPTION.test(unquoted))) return true
  return isSentenceWithOption(unquoted)
}

/** Words after which a sentence continues. They do not follow an excluded word in queries. */
const CONTINUING = /^(?:after|are|before|by|is|that|to|was|were|when|which)$/

/** `netstat -ano to list connections` */
function isSentenceWithOption(text: string): boolean {
  const words = text.toLowerCase().split(/\s+/)
  const option = words.findIndex((word) => OPTION.test(word))
  return option > 0 && words.slice(option + 1).some((word) => CONTINUING.test(word))
}

function piecesOfCommand(text: string): readonly Piece[] {
  const words = text.split(/[\s"“”]+/).slice(0, 4 * MAX_TOKENS)
  return words.map((typed) => {
    const bare = bareName(typed.slice(0, MAX_TOKEN_LENGTH))
    return { text: bare, typed, quoted: false, isExcluded: false, field: null }
  })
}

function fieldOf(name: string | undefined): Piece['field'] {
  const lower = name?.toLowerCase()
  return lower === 'title' || lower === 'fix' || lower === 'check' || lower === 'severity' ? lower : null
}

/** `d3f:FileHashing` and its full IRI are `FileHashing`; punctuation at the end is dropped. */
function bareName(piece: string): string {
  return piece.replace(BEFORE_NAME, '').replace(/[?!,;:]+$/, '')
}

/** No name has more parts. */
const MAX_PARTS = 8
const MAX_NAMES = 40

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
    for (const possibleName of names) if (!shares.has(possibleName)) shares.set(possibleName, run.length / parts.length)
    if (shares.size >= MAX_NAMES) break
  }
  return Array.from(shares, ([name, share]) => ({ name, share }))
}

/** Neighbouring parts that may be a name, the longest first. */
function* runsOf(parts: readonly string[]): Generator<readonly string[]> {
  for (let length = Math.min(parts.length, MAX_PARTS); length > 0; length -= 1) {
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

/** Letters and numbers as identifiers have them: `SV-999999`, `RHEL-09-999999`, `T9999.001`, `CCI-999999`, `D3-ZZZ`. */
const IDENTIFIER =
  /^(?:D3-[A-Z]{2,8}|(?:SV|V|CCI|CWE|CVE|D3|TA?|SRG|[A-Z]{2}|[A-Z]{3,10}(?=\d{6})|[A-Z0-9]{2,10}-[A-Z0-9]{2,4})-?\d{2,}[\w.()-]*)$/i

/** The query, where it is an identifier and nothing else; null: it is words. */
export function identifierIn({ tokens }: ParsedQuery): string | null {
  const [only, ...others] = tokens
  if (only === undefined || others.length > 0 || only.quoted) return null
  return IDENTIFIER.test(only.text) ? only.text : null
}
