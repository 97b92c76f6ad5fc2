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

const ASCII = 128

/** The beginnings of words to look for. */
export class Needles {
  readonly terms: number
  /** Width of a window, in characters. */
  readonly width: number
  /** 0 for each character of ASCII that none begins with. */
  readonly firsts: Uint8Array
  /** By their first character. */
  readonly #plain: (readonly Needle[] | undefined)[]
  readonly #others: ReadonlyMap<number, readonly Needle[]>

  /** `terms` lists the beginnings that stand for each term. */
  constructor(terms: readonly (readonly string[])[], width: number) {
    const needles = new Map<number, Needle[]>()
    for (const [term, texts] of terms.entries())
      for (const text of texts) append(needles, text.charCodeAt(0), { text, term })
    this.#others = needles
    this.#plain = Array.from({ length: ASCII }, (_, code) => needles.get(code))
    this.firsts = Uint8Array.from(this.#plain, (needlesAt) => (needlesAt === undefined ? 0 : 1))
    this.terms = terms.length
    this.width = width
  }

  beginningWith(code: number): readonly Needle[] | undefined {
    return code < ASCII ? this.#plain[code] : this.#others.get(code)
  }
}

/** A snippet is taken from this many characters at the beginning of a text. */
const MAX_LENGTH = 20_000

/** Compares only beginnings of words, because stemming long texts would take longer than the search. */
export function bestWindow(text: string, needles: Needles): TextWindow {
  const { at, terms } = placesOf(text.slice(0, MAX_LENGTH).toLowerCase(), needles)
  const counts = new Uint16Array(needles.terms)
  let best: TextWindow = { start: 0, terms: 0 }
  let [distinct, next] = [0, 0]
  for (const [first, start] of at.entries()) {
    for (; next < at.length && (at[next] ?? 0) - start <= needles.width; next += 1)
      distinct += count(counts, terms[next] ?? 0, 1)
    if (distinct > best.terms) best = { start, terms: distinct }
    distinct -= count(counts, terms[first] ?? 0, -1)
  }
  return best
}

/** Returns 1 if this was the first occurrence added or the last one removed. */
function count(counts: Uint16Array, term: number, step: 1 | -1): 0 | 1 {
  const before = counts[term] ?? 0
  counts[term] = before + step
  return before === 0 || before + step === 0 ? 1 : 0
}

/** Finds the words that begin with a needle, and the term of each, in one pass. */
function placesOf(
  lower: string,
  needles: Needles,
): { readonly at: readonly number[]; readonly terms: readonly number[] } {
  const at: number[] = []
  const terms: number[] = []
  const addMatches = (needlesHere: readonly Needle[], place: number): void => {
    for (const { text, term } of needlesHere)
      if (lower.startsWith(text, place)) {
        at.push(place)
        terms.push(term)
      }
  }
  const { firsts } = needles
  let isInWord = false
  for (let place = 0; place < lower.length; place += 1) {
    const code = lower.charCodeAt(place)
    if (!isInWord && firsts[code] !== 0) addMatches(needles.beginningWith(code) ?? [], place)
    isInWord = code < ASCII ? WORD_CODES[code] === 1 : WORD.test(lower.charAt(place))
  }
  return { at, terms }
}

const WORD = /[\p{L}\p{N}]/u
const WORD_CODES = Uint8Array.from({ length: ASCII }, (_, code) => (WORD.test(String.fromCharCode(code)) ? 1 : 0))
