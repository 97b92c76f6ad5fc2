import type { SearchResult } from '../../contracts/search.ts'
import type { RecordText } from '../../contracts/sources.ts'
import { compoundsOf, wordsOf } from '../../platform/words.ts'
import type { Term } from '../question/terms.ts'

type Snippet = SearchResult['matched']['snippet']

const WIDTH = 200
const BEFORE = 40
/** Characters of a text in which a snippet is looked for. */
const LONGEST = 20_000
const MOST_PLACES = 40

/** The part of these texts that has the most terms; the first such text among equals. */
export function snippetOf(
  texts: readonly RecordText[],
  terms: readonly Term[],
): { readonly field: string; readonly snippet: Snippet } | null {
  let best: { readonly text: RecordText; readonly window: TextWindow } | null = null
  for (const text of texts) {
    const window = bestWindow(text.text, terms)
    if (best === null || window.terms > best.window.terms) best = { text, window }
  }
  if (best === null) return null
  const { text, window } = best
  return { field: text.field, snippet: cut(text.text, window.start, terms) }
}

interface TextWindow {
  readonly start: number
  readonly terms: number
}

/** Compares beginnings of words only: stemming long texts would take longer than the search. */
function bestWindow(text: string, terms: readonly Term[]): TextWindow {
  const lower = text.slice(0, LONGEST).toLowerCase()
  const places = terms
    .flatMap((term, number) => placesOf(lower, term).map((at) => ({ at, number })))
    .sort((a, b) => a.at - b.at)
  let best: TextWindow = { start: 0, terms: 0 }
  for (const [first, { at }] of places.entries()) {
    const inside = new Set<number>()
    for (let next = first; next < places.length; next += 1) {
      const place = places[next]
      if (place === undefined || place.at - at > WIDTH - BEFORE) break
      inside.add(place.number)
    }
    if (inside.size > best.terms) best = { start: at, terms: inside.size }
  }
  return best
}

function placesOf(lower: string, { text, ways }: Term): readonly number[] {
  const places: number[] = []
  const firsts = ways.map(({ words }) => stub(words[0] ?? ''))
  for (const needle of new Set([text.toLowerCase(), ...firsts])) {
    if (needle === '') continue
    let at = lower.indexOf(needle)
    while (at !== -1 && places.length < MOST_PLACES) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1] ?? '')) places.push(at)
      at = lower.indexOf(needle, at + needle.length)
    }
  }
  return places
}

/** The beginning that all forms of a word share: `polici` of `policy` and `policies` → `polic`. */
function stub(stem: string): string {
  return stem.length > 4 ? stem.slice(0, -1) : stem
}

function cut(text: string, at: number, terms: readonly Term[]): Snippet {
  const from = at <= BEFORE ? 0 : wordBefore(text, at - BEFORE)
  const to = from + WIDTH >= text.length ? text.length : wordBefore(text, from + WIDTH)
  const inner = text.slice(from, to).trimEnd()
  const shown = `${from > 0 ? '… ' : ''}${inner}${to < text.length ? ' …' : ''}`.replace(/\s/g, ' ')
  return { text: shown, highlights: highlightsOf(shown, terms) }
}

function wordBefore(text: string, at: number): number {
  const [blank] = /\s\S*$/.exec(text.slice(Math.max(0, at - BEFORE), at)) ?? ['']
  return blank === '' ? at : at - blank.length + 1
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Where the text has any of the terms; places that touch are joined. */
function highlightsOf(text: string, terms: readonly Term[]): readonly Span[] {
  const stems: { readonly stem: string; readonly part: Span }[] = []
  const found: Span[] = []
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const part = { start: index, end: index + word.length }
    for (const stem of wordsOf(word)) stems.push({ stem, part })
    if (compoundsOf(word).some((whole) => isWord(whole, terms))) found.push(part)
  }
  for (const { words, prefix } of terms.flatMap(({ ways }) => ways)) {
    for (let place = 0; place + words.length <= stems.length; place += 1) {
      const parts = stems.slice(place, place + words.length)
      const fits = parts.every(({ stem }, index) => {
        const word = words[index] ?? ''
        return prefix && index === words.length - 1 ? stem.startsWith(word) : stem === word
      })
      const [first, last] = [parts[0], parts.at(-1)]
      if (fits && first !== undefined && last !== undefined)
        found.push({ start: first.part.start, end: last.part.end })
    }
  }
  return merged(found)
}

function isWord(whole: string, terms: readonly Term[]): boolean {
  return terms.some(({ ways }) =>
    ways.some(({ words }) => words.length === 1 && words[0] === whole),
  )
}

function merged(parts: readonly Span[]): readonly Span[] {
  const result: Span[] = []
  for (const part of parts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (last === undefined || part.start > last.end) result.push(part)
    else if (part.end > last.end) result.splice(-1, 1, { start: last.start, end: part.end })
  }
  return result
}
