import { xsd } from '../../graph/vocabulary.ts'
import { tokensOf, type Token } from '../query/lexer.ts'
import { NameResolver } from '../query/names.ts'
import { readQuery } from '../query/read-query.ts'
import { KEYWORDS } from './keywords.ts'

/** A query that every engine reads in the same way, and that reads nothing but its default graph. */
export interface PortableQuery {
  /** With the base of the service, without `FROM` and comments. */
  readonly text: string
  /** Counts the rows, or the solutions behind a graph; null if there is nothing to count. */
  readonly count: string | null
}

interface PortableOptions {
  readonly baseIri: string
  readonly maxRows: number
  /** Allows paths that repeat (`*`, `+`); Virtuoso 7 answers two of them wrongly without an error. */
  readonly paths: boolean
}

/** IRIs of these schemes are plain names; `bif:`, `sql:` or `java:` call functions inside engines. */
const SCHEME = /^(?:https?|urn|tag|mailto|doi):/i
/** A code point may be replaced before a query is read, or after. */
const ESCAPED = /\\u/i
/** Such a token may begin a literal in one parser and not in another, or start the engine's own language. */
const NON_PORTABLE_TOKEN = /^["'`\\]/
const QUERY_FORMS = ['SELECT', 'ASK', 'CONSTRUCT', 'DESCRIBE']

/**
 * Rewrites a query for an engine that others use, too; null if it may not be sent there. Engines have functions that
 * reach the network, and graphs that are private. So only queries in plain SPARQL 1.1 that name no graph are sent.
 */
export function portableQuery(text: string, { baseIri, maxRows, paths }: PortableOptions): PortableQuery | null {
  if (ESCAPED.test(text)) return null
  const check = new PortabilityCheck(baseIri)
  let withoutComments = ''
  for (const token of tokensOf(text)) {
    if (!check.passes(token) || (check.hasPath && !paths)) return null
    // Blanks replace the comments, so that all positions stay the same.
    withoutComments = withoutComments.padEnd(token.offset) + token.text
  }
  const plain = blankOut(withoutComments, check.fromClauses)
  const base = `BASE <${baseIri}>\n`
  const bounded = readQuery(plain, baseIri).bounded(maxRows)
  return { text: base + bounded, count: countQuery(base, bounded, check) }
}

/** Checks a query token by token. */
class PortabilityCheck {
  readonly #names: NameResolver
  /** Ranges of the `FROM` and `FROM NAMED` clauses, IRIs included. */
  readonly fromClauses: { readonly begin: number; readonly end: number }[] = []
  form: Token | null = null
  hasPath = false
  /** Offset at which the pattern of the whole query begins. */
  pattern: number | null = null
  #templates = 0
  #last: Token | null = null
  #word = ''
  #from: Token | null = null

  constructor(baseIri: string) {
    this.#names = new NameResolver(baseIri)
  }

  passes(token: Token): boolean {
    const passes = this.#looksPlain(token) && !this.#isCall(token)
    if (token.depth === 0) this.#findPattern(token)
    this.hasPath ||= this.#repeats(token)
    this.#word = token.kind === 'word' ? token.text.toUpperCase() : ''
    this.#last = token
    return passes
  }

  #looksPlain(token: Token): boolean {
    if (token.kind === 'word') return this.#isKnown(token)
    if (token.kind === 'iri' || token.kind === 'name') return this.#isNamed(token)
    return token.kind !== 'other' || !NON_PORTABLE_TOKEN.test(token.text)
  }

  #isKnown(token: Token): boolean {
    const word = token.text.toUpperCase()
    if (word === 'FROM') {
      if (token.depth !== 0 || this.#from !== null) return false
      this.#from = token
    }
    if (QUERY_FORMS.includes(word)) this.form ??= token
    return KEYWORDS.has(word) && (this.form !== null || word === 'PREFIX' || word === 'BASE')
  }

  #isNamed(token: Token): boolean {
    const { text, offset } = token
    const isDeclaration = this.form === null
    const iri = this.#names.read(token, this.#word === '' ? undefined : this.#word)
    if (this.#from !== null) {
      this.fromClauses.push({ begin: this.#from.offset, end: offset + text.length })
      this.#from = null
    }
    if (text.includes("'")) return false
    if (iri === null) return isDeclaration || text.startsWith('_:')
    return SCHEME.test(iri)
  }

  /** Recognises a name that is called as a function. Casts are allowed, because they are in the standard. */
  #isCall({ text }: Token): boolean {
    const last = this.#last
    if (text !== '(' || last === null || (last.kind !== 'iri' && last.kind !== 'name')) return false
    return this.#names.read(last, undefined)?.startsWith(xsd.namespace) !== true
  }

  /** Recognises a path that repeats. A multiplication may look the same. */
  #repeats({ text }: Token): boolean {
    const last = this.#last
    if (last === null || (text !== '*' && text !== '+')) return false
    return ['iri', 'name'].includes(last.kind) || [')', 'a'].includes(last.text)
  }

  #findPattern({ kind, text, offset }: Token): void {
    const form = this.form?.text.toUpperCase()
    if (form === undefined || this.pattern !== null) return
    if (kind === 'word' && text.toUpperCase() === 'WHERE') this.pattern = offset
    if (text !== '{') return
    const isTemplate = form === 'CONSTRUCT' && this.#templates === 0
    this.#templates += 1
    if (!isTemplate) this.pattern = offset
  }
}

function blankOut(text: string, ranges: PortabilityCheck['fromClauses']): string {
  let plain = text
  for (const { begin, end } of ranges) plain = plain.slice(0, begin) + ' '.repeat(end - begin) + plain.slice(end)
  return plain
}

function countQuery(base: string, text: string, { form, pattern }: PortabilityCheck): string | null {
  if (form === null || pattern === null || form.text.toUpperCase() === 'ASK') return null
  const isSelect = form.text.toUpperCase() === 'SELECT'
  const rows = isSelect ? text.slice(form.offset) : `SELECT * ${text.slice(pattern)}`
  const prologue = base + text.slice(0, form.offset)
  return `${prologue}\nSELECT (COUNT(*) AS ?parapetRows) WHERE { { ${rows}\n} }`
}
