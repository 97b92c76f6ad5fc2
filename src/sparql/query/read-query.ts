import { Refusal } from '../../platform/errors.ts'
import { positionAt, tokensOf, type Token } from './lexer.ts'
import { NameResolver } from './names.ts'

export const QUERY_FORMS = ['SELECT', 'ASK', 'CONSTRUCT', 'DESCRIBE'] as const

export type QueryForm = (typeof QUERY_FORMS)[number]

/** Properties of a query that decide how it is run. */
export interface QueryProperties {
  /** The query with booleans in lower case, because some engines accept no others. All positions stay the same. */
  readonly text: string
  /** Null if it has none; the engine explains the error. */
  readonly form: QueryForm | null
  /** IRIs after FROM and FROM NAMED. */
  readonly from: readonly string[]
  readonly fromNamed: readonly string[]
  /** All IRIs in it. */
  readonly mentioned: ReadonlySet<string>
  /** False if it certainly reads no named graph; true as soon as the word GRAPH occurs. */
  readonly readsNamed: boolean
  /** True if the answer is always the same while the graphs are, so that it can be cached. */
  readonly isRepeatable: boolean
  /** Limits the query to so many rows; returns the text unchanged if that is impossible. */
  bounded(rows: number): string
}

/** The engine is recursive, so nested brackets have a limit. */
const MAX_NESTED = 100

const BOOLEANS: readonly string[] = ['TRUE', 'FALSE']

const UPDATES: readonly string[] = [
  'INSERT',
  'DELETE',
  'LOAD',
  'CLEAR',
  'DROP',
  'CREATE',
  'ADD',
  'MOVE',
  'COPY',
  'WITH',
]

/** An escape can stand for any letter. */
const MAY_SAY_GRAPH = /graph|\\u/i

/** Functions that give something else each time (SPARQL 1.1 Query, §17.4.2 to §17.4.5). */
const NON_DETERMINISTIC: readonly string[] = ['BNODE', 'NOW', 'RAND', 'STRUUID', 'UUID']

/**
 * Refuses updates, SERVICE, deep nesting, and empty queries. It does not check whether the query is well-formed.
 */
export function readQuery(text: string, baseIri: string): QueryProperties {
  const reader = new QueryReader(text, new NameResolver(baseIri))
  let isEmpty = true
  for (const token of tokensOf(text)) {
    reader.read(token)
    isEmpty = false
  }
  if (isEmpty) {
    const detail = 'The query is empty. It begins with SELECT, ASK, CONSTRUCT or DESCRIBE.'
    throw new Refusal('query_malformed', detail, { line: 1, column: 1 })
  }
  return reader.result()
}

class QueryReader {
  readonly #text: string
  readonly #names: NameResolver
  readonly #from: string[] = []
  readonly #fromNamed: string[] = []
  readonly #mentioned = new Set<string>()
  readonly #booleans: Token[] = []
  #form: QueryForm | null = null
  #nested = 0
  #depth = 0
  #hasGroup = false
  #limit: Token | null = null
  #values: Token | null = null
  #service: boolean | null = null
  #isRepeatable = true
  /** The last words, in capitals; empty after any other token. */
  #words: readonly string[] = []

  constructor(text: string, names: NameResolver) {
    this.#text = text
    this.#names = names
  }

  read(token: Token): void {
    if (token.kind === 'word') this.#readWord(token)
    else if (token.kind === 'iri' || token.kind === 'name') this.#readName(token)
    else this.#readOther(token)
  }

  result(): QueryProperties {
    const text = lowerCaseTokens(this.#text, this.#booleans)
    return {
      text,
      form: this.#form,
      from: this.#from,
      fromNamed: this.#fromNamed,
      mentioned: this.#mentioned,
      readsNamed: MAY_SAY_GRAPH.test(this.#text),
      isRepeatable: this.#isRepeatable,
      bounded: (rows) => this.#bounded(text, rows),
    }
  }

  #readWord(token: Token): void {
    const word = token.text.toUpperCase()
    if (word === 'SERVICE') throw notSupported('SERVICE', describePosition(this.#text, token.offset))
    if (NON_DETERMINISTIC.includes(word)) this.#isRepeatable = false
    if (BOOLEANS.includes(word)) this.#booleans.push(token)
    if (this.#form === null) this.#begin(word, token)
    else if (token.depth === 0 && word === 'VALUES' && this.#hasGroup) this.#values ??= token
    this.#words = [...this.#words.slice(-1), word]
  }

  /** The first word after the prologue is the form of the query. */
  #begin(word: string, { offset }: Token): void {
    this.#form = QUERY_FORMS.find((form) => form === word) ?? null
    if (UPDATES.includes(word)) throw notSupported(word, describePosition(this.#text, offset))
  }

  #readName(token: Token): void {
    // In an expression, another parser may read the apostrophe as the beginning of a text.
    if (token.kind === 'iri' && token.text.includes("'") && this.#saysService())
      throw notSupported('SERVICE', 'a query that also has an apostrophe in an IRI')
    const [before, last] = [this.#words.at(-2), this.#words.at(-1)]
    this.#words = []
    const iri = this.#names.read(token, last)
    if (iri === null) return
    this.#mentioned.add(iri)
    if (token.depth === 0 && last === 'FROM') this.#from.push(iri)
    if (token.depth === 0 && before === 'FROM' && last === 'NAMED') this.#fromNamed.push(iri)
  }

  #saysService(): boolean {
    this.#service ??= /\bservice\b/i.test(this.#text)
    return this.#service
  }

  #readOther(token: Token): void {
    const { text, depth, kind } = token
    if (kind === 'number' && depth === 0 && this.#words.at(-1) === 'LIMIT') this.#limit = token
    if (kind === 'other') this.#readBracket(token)
    this.#hasGroup ||= text === '{'
    this.#words = []
  }

  #readBracket({ text, depth, offset }: Token): void {
    this.#depth = text === '{' ? depth + 1 : depth
    if ('{(['.includes(text)) this.#nested += 1
    if ('})]'.includes(text)) this.#nested -= 1
    if (this.#nested <= MAX_NESTED) return
    const where = describePosition(this.#text, offset)
    const detail = `At ${where}, more than ${MAX_NESTED} brackets are open inside each other.`
    throw new Refusal('query_too_demanding', detail)
  }

  #bounded(text: string, rows: number): string {
    if (this.#form !== 'SELECT' || !this.#hasGroup || this.#depth !== 0) return text
    if (this.#limit !== null) {
      const { offset, text: number } = this.#limit
      if (Number(number) <= rows) return text
      return `${text.slice(0, offset)}${rows}${text.slice(offset + number.length)}`
    }
    const end = this.#values?.offset ?? text.length
    // The limit is on a line of its own, because the last line may be a comment.
    return `${text.slice(0, end)}\nLIMIT ${rows}\n${text.slice(end)}`
  }
}

/** In one pass, because a query may have thousands of tokens. */
function lowerCaseTokens(text: string, tokens: readonly Token[]): string {
  let written = ''
  let end = 0
  for (const token of tokens) {
    written += text.slice(end, token.offset) + token.text.toLowerCase()
    end = token.offset + token.text.length
  }
  return written + text.slice(end)
}

function describePosition(text: string, offset: number): string {
  const { line, column } = positionAt(text, offset)
  return `line ${line}, column ${column}`
}

function notSupported(feature: string, location: string): Refusal {
  const why =
    feature === 'SERVICE'
      ? 'this endpoint does not query others. Query each by itself, or federate with a client'
      : 'this endpoint is read-only: use SELECT, ASK, CONSTRUCT or DESCRIBE'
  return new Refusal('query_not_supported', `${feature} (${location}): ${why}.`)
}
