import type { IndexPart } from '../index/record-index.ts'
import type { StringList } from '../index/string-list.ts'
import type { ParsedQuery, PossibleName } from './parse-query.ts'

/** Shorter texts are words, not identifiers. */
const MIN_LENGTH = 8
const MAX_LENGTH = 40
const IDENTIFIER = /^[a-z]{2}[a-z\d]*\d[a-z\d]*$/
const [DASH, ZERO] = [0x2d, 0x30]

/** Names that a query has without hyphens: `rhel09255045` for `rhel-9-255045`. */
export function unseparatedNames({ tokens }: ParsedQuery, parts: readonly IndexPart[]): readonly PossibleName[] {
  const texts = tokens.map(({ text }) => text.toLowerCase().replace(/[^a-z\d]/g, ''))
  const share = 1 / Math.max(1, texts.length)
  const sought = new Map([...texts.map((text) => [text, share] as const), [texts.join(''), 1]])
  return [...sought].flatMap(([text, weight]) => {
    if (text.length < MIN_LENGTH || text.length > MAX_LENGTH || !IDENTIFIER.test(text)) return []
    const names = parts.flatMap(({ segment }) => namesIn(segment.words, text))
    return [...new Set(names)].map((name) => ({ name, share: weight }))
  })
}

/** Looks only at names that begin with the first two letters of the text. */
function namesIn(words: StringList, text: string): readonly string[] {
  const letters = text.slice(0, 2)
  const names: string[] = []
  const last = words.firstNotBelow(`${letters}\uffff`)
  for (let index = words.firstNotBelow(letters); index < last; index += 1)
    if (matchesWithoutSeparators(words, index, text)) names.push(words.at(index))
  return names
}

/** Whether a name is this text apart from its hyphens and leading zeros of numbers, which names do not have. */
function matchesWithoutSeparators({ bytes, starts }: StringList, index: number, text: string): boolean {
  const to = starts[index + 1] ?? 0
  let next = 0
  let isNewPart = false
  for (let offset = starts[index] ?? 0; offset < to; offset += 1) {
    const byte = bytes[offset] ?? 0
    if (byte === DASH) {
      isNewPart = true
      continue
    }
    if (isNewPart) next = skipZeros(text, next, byte)
    isNewPart = false
    if (text.charCodeAt(next) !== byte) return false
    next += 1
  }
  return next === text.length
}

/** Skips leading zeros of a part of a name; a part of only zeros is one zero. */
function skipZeros(text: string, from: number, byte: number): number {
  let next = from
  while (text.charCodeAt(next) === ZERO) next += 1
  return byte === ZERO && next > from ? next - 1 : next
}
