import sparqljs from 'sparqljs'
import { z } from 'zod'
import { WELL_KNOWN_PREFIXES } from '../../graph/vocabulary.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { positionAt, tokensOf, type TextPosition } from './lexer.ts'
import { NameResolver } from './names.ts'

/** The parser's error for an unexpected token: where the one before ended, and which tokens are possible. */
const unexpectedToken = z.object({
  hash: z.object({
    loc: z.object({ last_line: z.int(), last_column: z.int() }),
    expected: z.array(z.string()).default([]),
  }),
})
const BLANKS = /(?:[\s\uFEFF]|#[^\r\n]*)*/y
/** The parser's names of tokens that are not keywords. */
const KINDS: Readonly<Record<string, string>> = {
  EOF: 'the end',
  INTEGER: 'a whole number',
  IRIREF: '<IRI>',
  PNAME_LN: 'prefix:name',
  PNAME_NS: 'prefix:',
  VAR: 'a variable',
}
const FIRST_KEYWORDS = ['PREFIX', 'BASE', 'SELECT', 'ASK', 'CONSTRUCT', 'DESCRIBE']
/** More of them help nobody. */
const MAX_EXPECTED = 6
/** The engine supports these, but the parser that explains errors does not. */
const EXTENSIONS: readonly string[] = ['LATERAL', '<<']
/** The engine's error for a function that it does not have. */
const UNKNOWN_FUNCTION = /The custom function <(.*)> is not supported/s
const MAX_MESSAGE_LENGTH = 400
const LONGEST_TOKEN = 60

/**
 * Explains why the engine rejects a query, and where. The engine's parser only says how far it has read, which is often
 * not the position of the error, so another parser is tried. Errors that only the engine finds keep its message.
 */
export function explainMalformed(text: string, message: string, baseIri: string): Refusal {
  const [, unknownFunction] = UNKNOWN_FUNCTION.exec(message) ?? []
  if (unknownFunction !== undefined) return unknownFunctionRefusal(text, unknownFunction, baseIri)
  try {
    new sparqljs.Parser({ sparqlStar: true }).parse(text)
    return engineRefusal(message)
  } catch (error) {
    return explainError(text, error) ?? engineRefusal(message)
  }
}

/** The functions of SPARQL have names; an IRI calls an extension, or a cast to a datatype of XML Schema. */
function unknownFunctionRefusal(text: string, iri: string, baseIri: string): Refusal {
  const position = findIri(text, iri, baseIri)
  const location = position === null ? '' : `Line ${position.line}, column ${position.column}: `
  const detail = `there is no function ${quoteText(iri)} here, only those of SPARQL 1.1 and the casts of XML Schema.`
  return new Refusal('query_not_supported', location + detail, position === null ? {} : { ...position })
}

function findIri(text: string, iri: string, baseIri: string): TextPosition | null {
  const names = new NameResolver(baseIri)
  let word: string | undefined
  for (const token of tokensOf(text)) {
    if ((token.kind === 'iri' || token.kind === 'name') && names.read(token, word) === iri)
      return positionAt(text, token.offset)
    word = token.kind === 'word' ? token.text.toUpperCase() : undefined
  }
  return null
}

function explainError(text: string, error: unknown): Refusal | null {
  const unknown = undeclaredName(text)
  if (messageOf(error).startsWith('Unknown prefix') && unknown !== null) return undeclaredPrefixRefusal(unknown)
  const parsed = unexpectedToken.safeParse(error)
  if (!parsed.success) return refusal([messageOf(error)])
  const { loc, expected } = parsed.data.hash
  const offset = nextTokenOffset(text, offsetOf(text, { line: loc.last_line, column: loc.last_column }))
  const [{ text: token } = { text: '' }] = tokensOf(text.slice(offset))
  if (EXTENSIONS.some((word) => token.toUpperCase().startsWith(word))) return null
  return refusal([unexpectedSentence(token), ...expectedTokensSentence(expected)], positionAt(text, offset))
}

function refusal(sentences: readonly string[], position: TextPosition | null = null): Refusal {
  const detail = `${sentences.map((text) => shortenText(text, MAX_MESSAGE_LENGTH)).join('. ')}.`
  if (position === null) return new Refusal('query_malformed', detail)
  const where = `Line ${position.line}, column ${position.column}: `
  return new Refusal('query_malformed', `${where}${detail}`, { ...position })
}

function engineRefusal(message: string): Refusal {
  const [, list = ''] = /^error at .*?expected (?:one of )?(.*)$/s.exec(message) ?? []
  const sentence = list.split(', ').find((item) => /^[A-Z].* [a-z]+ [a-z]/.test(item))
  return refusal([sentence ?? message.replaceAll(/\s+/g, ' ')])
}

interface NameInQuery {
  readonly name: string
  readonly place: TextPosition
}

/** The first name whose prefix is not declared before it. */
function undeclaredName(text: string): NameInQuery | null {
  const declared = new Set(['_'])
  let word = ''
  for (const token of tokensOf(text)) {
    if (token.kind === 'name') {
      if (word === 'PREFIX') declared.add(prefixOf(token.text))
      else if (!declared.has(prefixOf(token.text))) return { name: token.text, place: positionAt(text, token.offset) }
    }
    word = token.kind === 'word' ? token.text.toUpperCase() : ''
  }
  return null
}

function undeclaredPrefixRefusal({ name, place }: NameInQuery): Refusal {
  const prefix = prefixOf(name)
  const knownPrefixes: Readonly<Record<string, string>> = WELL_KNOWN_PREFIXES
  const iri = Object.hasOwn(knownPrefixes, prefix) ? knownPrefixes[prefix] : '…'
  const advice = `Begin the query with PREFIX ${shortenText(prefix, LONGEST_TOKEN)}: <${iri}>`
  return refusal([`no PREFIX says what ${quoteText(name)} stands for`, advice], place)
}

function prefixOf(name: string): string {
  return name.slice(0, name.indexOf(':'))
}

function unexpectedSentence(token: string): string {
  if (token === '') return 'the query ends too early'
  if (/^["']$/.test(token)) return 'the text that begins here does not end'
  if (token === '<') return 'what begins here with < is not an IRI'
  return `${quoteText(token)} cannot stand here`
}

function expectedTokensSentence(expected: readonly string[]): readonly string[] {
  const names = expected.map((quoted) => quoted.slice(1, -1))
  const expectedNames = names.includes('DESCRIBE') ? FIRST_KEYWORDS : names.map((name) => KINDS[name] ?? name)
  return expectedNames.length === 0 || expectedNames.length > MAX_EXPECTED
    ? []
    : [`Possible: ${expectedNames.map((name) => (/[,.]/.test(name) ? quoteText(name) : name)).join(', ')}`]
}

function nextTokenOffset(text: string, from: number): number {
  BLANKS.lastIndex = from
  return from + (BLANKS.exec(text)?.[0].length ?? 0)
}

function offsetOf(text: string, { line, column }: TextPosition): number {
  const before = text.split(/(?<=\r\n|[\r\n](?!(?<=\r)\n))/).slice(0, line - 1)
  return before.join('').length + column
}

function quoteText(text: string): string {
  return `“${shortenText(text, LONGEST_TOKEN)}”`
}

function shortenText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text.replace(/\.$/, '')
}
