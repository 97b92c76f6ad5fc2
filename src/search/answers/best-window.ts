import { append } from '../../platform/append.ts'

/** The part of a text that has the most terms. */
export interface TextWindow {
  readonly start: number
  readonly terms: number
}

interface Needle {
  readonly text: string
  /** Number of the term that it belongs to. */
  readonly term: number
}

/** The beginnings of words to look for. */
export class Needles {
  readonly terms: number
  /** Width of a window, in characters. */
  readonly width: number
  readonly #byFirstCode = new Map<number, Needle[]>()

  /** `terms` lists the beginnings that stand for each term. */
  constructor(terms: readonly (readonly string[])[], width: number) {
    for (const [term, texts] of terms.entries())
      for (const text of texts) append(this.#byFirstCode, text.charCodeAt(0), { text, term })
    this.terms = terms.length
    this.width = width
  }

  beginningWith(code: number): readonly Needle[] {
    return this.#byFirstCode.get(code) ?? []
  }
}

/** A snippet is taken from this many characters at the beginning of a text. */
const MAX_LENGTH = 20_000

/** Compares only beginnings of words, because stemming long texts would take longer than the search. */
export function bestWindow(text: string, needles: Needles): TextWindow {
  const places = placesOf(text.slice(0, MAX_LENGTH).toLowerCase(), needles)
  const counts = new Uint16Array(needles.terms)
  let best: TextWindow = { start: 0, terms: 0 }
  let [distinct, next] = [0, 0]
  for (const { start, term } of places) {
    for (let other = places[next]; other !== undefined && other.start - start <= needles.width; other = places[next]) {
      distinct += count(counts, other.term, 1)
      next += 1
    }
    if (distinct > best.terms) best = { start, terms: distinct }
    distinct -= count(counts, term, -1)
  }
  return best
}

/** Returns 1 if this was the first occurrence added or the last one removed. */
function count(counts: Uint16Array, term: number, step: 1 | -1): 0 | 1 {
  const before = counts[term] ?? 0
  counts[term] = before + step
  return before === 0 || before + step === 0 ? 1 : 0
}

/** Finds the words that begin with a needle, with the number of its term. */
function placesOf(lower: string, needles: Needles): readonly { readonly start: number; readonly term: number }[] {
  const places: { start: number; term: number }[] = []
  let isInWord = false
  for (let start = 0; start < lower.length; start += 1) {
    const code = lower.charCodeAt(start)
    const possible = isInWord ? [] : needles.beginningWith(code)
    for (const { text, term } of possible) if (lower.startsWith(text, start)) places.push({ start, term })
    isInWord = code < ASCII ? WORD_CODES[code] === 1 : WORD.test(lower.charAt(start))
  }
  return places
}

const ASCII = 128
const WORD = /[\p{L}\p{N}]/u
const WORD_CODES = Uint8Array.from({ length: ASCII }, (_, code) => (WORD.test(String.fromCharCode(code)) ? 1 : 0))
