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
export function quotationAt(source: string, position: number, mayBeLiteral: boolean): Quotation | null {
  const character = source.charAt(position)
  if (/["'`]/.test(character)) return quotation(position + 1, character)
  if (!mayBeLiteral) return null
  if (character === '/') return quotation(position + 1, '/', 'r')
  PERCENT.lastIndex = position
  const [text, kind, opening] = PERCENT.exec(source) ?? []
  return text === undefined || opening === undefined ? null : quotation(position + text.length, opening, kind)
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
  let [position, depth, hasCode] = [from, 1, false]
  while (position < source.length) {
    if (source.charAt(position) === '\\') position += 2
    else if (isInterpolated && source.startsWith('#{', position)) {
      hasCode = true
      position = skipCode(position + 2)
    } else {
      depth += stepOf(source.charAt(position), quoted)
      position += 1
      if (depth === 0)
        return { end: position, value: hasCode ? null : unescaped(source.slice(from, position - 1), quoted) }
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
  if (isInterpolated) return text.replaceAll(/\\(.)/gsu, (_match, escaped: string) => ESCAPES[escaped] ?? escaped)
  return text.replaceAll(/\\(.)/gsu, (match, escaped: string) =>
    ['\\', opening, closing].includes(escaped) ? escaped : match,
  )
}
