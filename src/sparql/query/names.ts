import type { Token } from './lexer.ts'

const ESCAPED = /\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})/g
const HAS_SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/
const LAST_CODE_POINT = 0x10ffff

/** Resolving one takes microseconds, and a query has no use for more. */
const MAX_RELATIVE = 200

/** The prefixes and the base of a query, as it declares them from top to bottom. */
export class NameResolver {
  readonly #prefixes = new Map<string, string>()
  #base: string
  /** The prefix of a PREFIX whose IRI has not been read yet. */
  #declared: string | null = null
  #relative = 0

  constructor(base: string) {
    this.#base = base
  }

  /**
   * The IRI that a token stands for, after the given word. Null for blank nodes, unknown prefixes, and names in
   * declarations.
   */
  read({ kind, text }: Token, word: string | undefined): string | null {
    if (kind === 'name') return this.#expand(text, word)
    const iri = this.#resolve(text.slice(1, -1).replace(ESCAPED, unescapeName))
    const isDeclared = this.#declared !== null || word === 'BASE'
    if (this.#declared !== null) this.#prefixes.set(this.#declared, iri)
    if (word === 'BASE') this.#base = iri
    this.#declared = null
    return isDeclared ? null : iri
  }

  #expand(text: string, word: string | undefined): string | null {
    const colon = text.indexOf(':')
    const prefix = text.slice(0, colon)
    if (word === 'PREFIX') {
      this.#declared = prefix
      return null
    }
    const start = this.#prefixes.get(prefix)
    if (start === undefined || prefix === '_') return null
    return start + text.slice(colon + 1).replace(/\\(.)/g, '$1')
  }

  #resolve(reference: string): string {
    if (HAS_SCHEME.test(reference)) return reference
    this.#relative += 1
    if (this.#relative > MAX_RELATIVE || !URL.canParse(reference, this.#base)) return reference
    return new URL(reference, this.#base).href
  }
}

function unescapeName(_: string, short?: string, long?: string): string {
  const code = Number.parseInt(short ?? long ?? '', 16)
  return code > LAST_CODE_POINT ? '' : String.fromCodePoint(code)
}
