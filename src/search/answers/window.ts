import { append } from '../../platform/append.ts'

/** The part of a text that has the most of what is looked for. */
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

/** Beginnings of words that are looked for. */
export class Needles {
  readonly terms: number
  /** Characters between the first and the last of those that are counted together. */
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
    this.firsts = Uint8Array.from(this.#plain, (there) => (there === undefined ? 0 : 1))
    this.terms = terms.length
    this.width = width
  }

  beginningWith(code: number): readonly Needle[] | undefined {
    return code < ASCII ? this.#plain[code] : this.#others.get(code)
  }
}

/** Characters of a text in which a snippet is looked for. */
const LONGEST = 20_000

/** Compares beginnings of words only: stemming long texts would take longer than the search. */
export function bestWindow(text: string, needles: Needles): TextWindow {
  const { at, terms } = placesOf(text.slice(0, LONGEST).toLowerCase(), needles)
  const met = new Uint16Array(needles.terms)
  let best: TextWindow = { start: 0, terms: 0 }
  let [distinct, next] = [0, 0]
  for (const [first, start] of at.entries()) {
    for (; next < at.length && (at[next] ?? 0) - start <= needles.width; next += 1)
      distinct += count(met, terms[next] ?? 0, 1)
    if (distinct > best.terms) best = { start, terms: distinct }
    distinct -= count(met, terms[first] ?? 0, -1)
  }
  return best
}

/** Returns 1 where the first of them came, or the last one went. */
function count(met: Uint16Array, term: number, step: 1 | -1): 0 | 1 {
  const before = met[term] ?? 0
  met[term] = before + step
  return before === 0 || before + step === 0 ? 1 : 0
}

/** Finds the words that begin with a needle, and the term of each, in one pass. */
function placesOf(
  lower: string,
  needles: Needles,
): { readonly at: readonly number[]; readonly terms: readonly number[] } {
  const at: number[] = []
  const terms: number[] = []
  const note = (here: readonly Needle[], place: number): void => {
    for (const { text, term } of here)
      if (lower.startsWith(text, place)) {
        at.push(place)
        terms.push(term)
      }
  }
  const { firsts } = needles
  let isInWord = false
  for (let place = 0; place < lower.length; place += 1) {
    const code = lower.charCodeAt(place)
    if (!isInWord && firsts[code] !== 0) note(needles.beginningWith(code) ?? [], place)
    isInWord = code < ASCII ? WORD_CODES[code] === 1 : WORD.test(lower.charAt(place))
  }
  return { at, terms }
}

const WORD = /[\p{L}\p{N}]/u
const WORD_CODES = Uint8Array.from({ length: ASCII }, (_, code) => (WORD.test(String.fromCharCode(code)) ? 1 : 0))
