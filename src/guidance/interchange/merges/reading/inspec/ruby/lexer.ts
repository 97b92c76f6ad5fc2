import { Cursor } from './cursor.ts'
import { RubyFault } from './fault.ts'
import { Frames, type Closing } from './frames.ts'
import { Heredocs } from './heredocs.ts'
import { quotation, quotationAt, readQuotation, type Quotation } from './quoted.ts'
import * as words from './words.ts'

/** A part of the code other than comments and blanks. */
export interface Token {
  readonly kind: 'word' | 'label' | 'string' | 'value' | 'sign' | 'end of statement'
  readonly start: number
  /** At the end of a statement, the index after the texts of its heredocs. */
  readonly end: number
  readonly text: string
  /** The number of brackets and blocks that are open before it. */
  readonly depth: number
  /** The content of a string; null if the content depends on code. */
  readonly value: string | null
}

const MAX_NESTED_CODE = 20

/** The tokens of a file. Throws a {@link RubyFault} for brackets, blocks or texts that are not closed. */
export function tokensOf(source: string): readonly Token[] {
  const lexer = new Lexer(source, { position: 0, nesting: 0, heredocs: new Heredocs() })
  lexer.run()
  return lexer.tokens
}

interface Start {
  readonly position: number
  /** The depth of strings with code in strings with code. */
  readonly nesting: number
  readonly heredocs: Heredocs
}

class Lexer {
  readonly tokens: Token[] = []
  readonly #cursor: Cursor
  readonly #nesting: number
  readonly #heredocs: Heredocs
  readonly #frames = new Frames()
  readonly #variables = new Set<string>()
  #expected: words.Expectation = 'value'
  #isInPipes = false
  /** Whether the next name is the name of a `def`. */
  #isDefining = false

  constructor(source: string, { position, nesting, heredocs }: Start) {
    this.#cursor = new Cursor(source, position)
    this.#nesting = nesting
    this.#heredocs = heredocs
  }

  run(): void {
    this.#cursor.skipDocuments()
    while (!this.#cursor.isAtEnd) this.#step()
    this.#frames.requireClosed()
    this.#heredocs.requireRead()
  }

  /** Reads the code of `#{…}`. Returns the index after the bracket. */
  runNested(): number {
    const start = this.#cursor.position
    while (!this.#cursor.isAtEnd) {
      if (this.#frames.depth === 0 && this.#cursor.character === '}') return this.#cursor.position + 1
      this.#step()
    }
    throw new RubyFault('The code in a text has no "}"', start)
  }

  /** Whether a character that may also be an operator begins a literal here. */
  #mayBegin(): boolean {
    if (this.#expected === 'value' || this.#expected === 'returned') return true
    const isApart = /\s/.test(this.#cursor.preceding) && !/[\s=]/.test(this.#cursor.following)
    return this.#expected === 'argument' && isApart
  }

  /** Reads one token, comment or blank. */
  #step(): void {
    const character = this.#cursor.character
    if (character === '\n') this.#readLineEnd()
    else if (/\s/.test(character)) this.#cursor.position += 1
    else if (character === '\\' && this.#cursor.following === '\n') this.#cursor.position += 2
    else if (character === '#') this.#cursor.skipToLineEnd()
    else if (words.isStart(character)) this.#readWord()
    else this.#readOther(character)
  }

  #add(kind: Token['kind'], end: number, value: string | null = null): void {
    const text = kind === 'string' ? '' : this.#cursor.textTo(end)
    this.tokens.push({ kind, start: this.#cursor.position, end, text, depth: this.#frames.depth, value })
    this.#cursor.position = end
  }

  // Literals

  #readOther(character: string): void {
    const name = this.#isNameNext ? this.#cursor.match(words.OPERATOR_NAME) : null
    if (name !== null) this.#readName(name[0].length)
    else if (/\d/.test(character)) this.#readPattern(words.NUMBER)
    else if (character === '@' || character === '$') this.#readPattern(words.VARIABLE)
    else if (!this.#readAmbiguous(character)) this.#readSign(character)
  }

  get #isNameNext(): boolean {
    return this.#isDefining || this.#expected === 'name'
  }

  #readPattern(pattern: RegExp): void {
    this.#add('value', this.#cursor.position + (this.#cursor.match(pattern)?.[0].length ?? 1))
    this.#expected = 'operator'
  }

  /** Reads a literal that begins like an operator. False if it is an operator. */
  #readAmbiguous(character: string): boolean {
    if (character === ':') return this.#readSymbol()
    if (character === '?') return this.#readCharacter()
    if (character === '<') return this.#readHeredoc()
    const quoted = quotationAt(this.#cursor.source, this.#cursor.position, this.#mayBegin())
    if (quoted !== null) this.#quote(quoted)
    return quoted !== null
  }

  #quote(quoted: Quotation): void {
    const { end, value } = readQuotation(this.#cursor.source, quoted, (start) => this.#skipCode(start))
    this.#addString(end, value)
    if (quoted.isPattern) this.#cursor.position += this.#cursor.match(/[a-z]*/y)?.[0].length ?? 0
  }

  #addString(end: number, value: string | null): void {
    this.#add('string', end, value)
    this.#expected = 'operator'
  }

  #skipCode(position: number): number {
    if (this.#nesting === MAX_NESTED_CODE) throw new RubyFault('Texts with code are nested too deeply', position)
    const start = { position, nesting: this.#nesting + 1, heredocs: this.#heredocs }
    return new Lexer(this.#cursor.source, start).runNested()
  }

  #readSymbol(): boolean {
    const next = this.#cursor.following
    const before = this.tokens.at(-1)
    // In `{"a":1}`, the colon belongs to the string before it.
    if (next === ':' || (before?.kind === 'string' && before.end === this.#cursor.position)) return false
    if (next === '"' || next === "'") {
      this.#quote(quotation(this.#cursor.position + 2, next))
      return true
    }
    const symbol = this.#expected === 'operator' ? words.SYMBOL_WORD : words.SYMBOL
    if (this.#cursor.match(symbol) === null) return false
    this.#readPattern(symbol)
    return true
  }

  #readCharacter(): boolean {
    const literal = this.#mayBegin() ? this.#cursor.match(words.CHARACTER) : null
    if (literal === null) return false
    this.#addString(this.#cursor.position + literal[0].length, null)
    return true
  }

  #readHeredoc(): boolean {
    const opener = this.#mayBegin() ? this.#cursor.match(words.HEREDOC) : null
    const before = this.tokens.at(-1)
    if (opener === null || (before?.text === 'class' && before.kind === 'word')) return false
    const [text, mark, , quoted, bare] = opener
    this.#heredocs.add({ start: this.#cursor.position, id: quoted ?? bare ?? '', mayBeIndented: mark !== '' })
    this.#addString(this.#cursor.position + text.length, null)
    return true
  }

  // Lines

  #readLineEnd(): void {
    const start = this.#cursor.position
    this.#cursor.position = this.#heredocs.skip(this.#cursor.source, start + 1)
    this.#cursor.skipDocuments()
    if (!this.#continues()) {
      const end = this.#cursor.position
      this.#cursor.position = start
      this.#add('end of statement', end)
      this.#endStatement()
    }
  }

  #endStatement(): void {
    this.#expected = 'value'
    this.#frames.endStatement()
  }

  /** Whether the statement continues in the next line. */
  #continues(): boolean {
    const last = this.tokens.at(-1)
    if (last === undefined || last.kind === 'end of statement' || this.#expected === 'name') return true
    if (this.#frames.areLinesJoined || this.#cursor.skipToDot()) return true
    if (last.kind === 'word') return words.CONNECTIVES.has(last.text)
    return this.#expected === 'value' && last.kind === 'sign' && !words.ENDS.has(last.text)
  }

  // Words

  #readWord(): void {
    const length = this.#cursor.match(words.WORD)?.[0].length ?? 1
    if (this.#isNameNext) this.#readName(length)
    else if (this.#isLabel(this.#cursor.position + length)) {
      this.#noteParameter(this.#cursor.textTo(this.#cursor.position + length))
      this.#add('label', this.#cursor.position + length + 1)
      this.#expected = 'value'
    } else this.#readKeyword(this.#cursor.textTo(this.#cursor.position + length))
  }

  #isLabel(end: number): boolean {
    const isColon = this.#cursor.source.charAt(end) === ':' && this.#cursor.source.charAt(end + 1) !== ':'
    return isColon && this.tokens.at(-1)?.text !== '?'
  }

  /** Reads a name that is not a keyword: after a dot, of a method definition, or of an alias. */
  #readName(length: number): void {
    const isMethod = this.#isDefining
    const isWord = words.isStart(this.#cursor.character)
    this.#add('value', this.#cursor.position + length)
    const before = this.tokens.at(-2)
    this.#expected = before?.kind === 'word' && before.text === 'alias' ? 'name' : 'argument'
    if (!isMethod || this.#cursor.character === '.') return
    this.#isDefining = false
    // `def size=(size)`
    if (isWord && this.#cursor.match(/=(?![=~>])/y) !== null) this.#cursor.position += 1
    if (this.#cursor.match(/[ \t]*=(?![=~>])/y) !== null) this.#frames.closeEndless()
  }

  #readKeyword(word: string): void {
    const start = this.#cursor.position
    if (word === 'end') {
      this.#close('end')
      return
    }
    const isModifier = this.#expected !== 'value'
    this.#add('word', start + word.length)
    if (words.OPENING.has(word) || (words.CONDITIONS.has(word) && !isModifier)) this.#frames.openBlock(start, word)
    this.#expected = words.EXPECTED_AFTER.get(word) ?? this.#afterName(word)
    if (word === 'def') this.#isDefining = true
  }

  #afterName(word: string): words.Expectation {
    this.#noteParameter(word)
    if (this.#cursor.match(words.ASSIGNMENT) !== null) this.#variables.add(word)
    return this.#variables.has(word) ? 'operator' : 'argument'
  }

  #noteParameter(word: string): void {
    if (this.#isInPipes || this.#frames.areParameters) this.#variables.add(word)
  }

  #close(closing: Closing): void {
    const { isParameters } = this.#frames.close(closing, this.#cursor.position)
    this.#add(closing === 'end' ? 'word' : 'sign', this.#cursor.position + closing.length)
    this.#expected = 'operator'
    if (isParameters && this.#cursor.match(/[ \t]*=(?![=~>])/y) !== null) this.#frames.closeEndless()
  }

  // Signs

  #readSign(character: string): void {
    if (character === ')' || character === ']' || character === '}') this.#close(character)
    else this.#readOperator(character)
  }

  #readOperator(character: string): void {
    const sign = this.#cursor.match(words.SIGN)?.[0] ?? character
    if (sign === '|') this.#isInPipes = !this.#isInPipes && this.#opensParameters()
    const isParameters = character === '(' && this.#isAfterDefinedName()
    const start = this.#cursor.position
    this.#add('sign', start + sign.length)
    const closing = words.CLOSING[character]
    if (closing !== undefined) this.#frames.open(start, closing, isParameters)
    if (sign === ';') this.#endStatement()
    this.#expected = words.BEFORE_NAMES.has(sign) ? 'name' : 'value'
  }

  #opensParameters(): boolean {
    const before = this.tokens.at(-1)
    return before?.text === '{' || (before?.text === 'do' && before.kind === 'word')
  }

  #isAfterDefinedName(): boolean {
    for (const token of this.tokens.slice(-4).reverse()) {
      if (token.kind === 'word' && token.text === 'def') return true
      if (token.kind !== 'value' && token.text !== '.') return false
    }
    return false
  }
}
