import { RubyFault } from './fault.ts'
import { CLOSING, PERCENT } from './words.ts'

/** A literal between two delimiters: `'…'`, `%q{…}`, `/…/`. */
export interface Quotation {
  /** The index of the first character after the opening delimiter. */
  readonly from: number
  readonly opening: string
  readonly closing: string
  /** Whether `#{…}` in it is code. */
  readonly isInterpolated: boolean
  /** Whether letters may follow it, as in `/…/i`. */
  readonly isPattern: boolean
}

export function quotation(from: number, opening: string, kind = ''): Quotation {
  const closing = opening === '<' ? '>' : (CLOSING[opening] ?? opening)
  return { from, opening, closing, isInterpolated: opening !== "'" && !/[qwis]/.test(kind), isPattern: kind === 'r' }
}

/** The literal that begins at an index; null if none begins there. */
export function quotationAt(source: string, at: number, mayBeLiteral: boolean): Quotation | null {
  const character = source.charAt(at)
  if (/["'`]/.test(character)) return quotation(at + 1, character)
  if (!mayBeLiteral) return null
  if (character === '/') return quotation(at + 1, '/', 'r')
  PERCENT.lastIndex = at
  const [whole, kind, opening] = PERCENT.exec(source) ?? []
  return whole === undefined || opening === undefined ? null : quotation(at + whole.length, opening, kind)
}

export interface ReadQuotation {
  /** The index after the closing delimiter. */
  readonly end: number
  /** The content; null if it depends on code. */
  readonly value: string | null
}

/** Reads to the end of a quotation. `skipCode` gets the index after `#{` and returns the index after `}`. */
export function readQuotation(source: string, quoted: Quotation, skipCode: (from: number) => number): ReadQuotation {
  const { from, isInterpolated } = quoted
  let [at, depth, hasCode] = [from, 1, false]
  while (at < source.length) {
    if (source.charAt(at) === '\\') at += 2
    else if (isInterpolated && source.startsWith('#{', at)) {
      hasCode = true
      at = skipCode(at + 2)
    } else {
      depth += stepOf(source.charAt(at), quoted)
      at += 1
      if (depth === 0) return { end: at, value: hasCode ? null : unescaped(source.slice(from, at - 1), quoted) }
    }
  }
  throw new RubyFault(`The text that begins here with ${source.charAt(from - 1)} has no end`, from - 1)
}

function stepOf(character: string, { opening, closing }: Quotation): number {
  if (character === closing) return -1
  return character === opening ? 1 : 0
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', s: ' ', 0: '\0', '\n': '' }

function unescaped(text: string, { opening, closing, isInterpolated }: Quotation): string {
  if (!text.includes('\\')) return text
  if (isInterpolated) return text.replaceAll(/\\(.)/gsu, (_match, one: string) => ESCAPES[one] ?? one)
  return text.replaceAll(/\\(.)/gsu, (match, one: string) => (['\\', opening, closing].includes(one) ? one : match))
}
