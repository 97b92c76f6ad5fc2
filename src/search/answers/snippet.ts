import type { SearchResult } from '../../contracts/search.ts'
import type { RecordText } from '../../contracts/sources.ts'
import { append } from '../../platform/append.ts'
import { readText } from '../../platform/words.ts'
import type { Term, TermWay } from '../question/terms.ts'

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
  const sought = soughtOf(terms)
  let best: { readonly text: RecordText; readonly window: TextWindow } | null = null
  for (const text of texts) {
    const window = bestWindow(text.text, sought)
    if (best === null || window.terms > best.window.terms) best = { text, window }
  }
  if (best === null) return null
  const { text, window } = best
  return { field: text.field, snippet: cut(text.text, window.start, sought) }
}

interface TextWindow {
  readonly start: number
  readonly terms: number
}

/** Compares beginnings of words only: stemming long texts would take longer than the search. */
function bestWindow(text: string, { needles }: Sought): TextWindow {
  const lower = text.slice(0, LONGEST).toLowerCase()
  const places = needles
    .flatMap((own, number) => placesOf(lower, own).map((at) => ({ at, number })))
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

function placesOf(lower: string, needles: readonly string[]): readonly number[] {
  const places: number[] = []
  for (const needle of needles) {
    let at = lower.indexOf(needle)
    while (at !== -1 && places.length < MOST_PLACES) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1] ?? '')) places.push(at)
      at = lower.indexOf(needle, at + needle.length)
    }
  }
  return places
}

/** What is looked for in texts, made once for all results. */
interface Sought {
  /** Of each term the beginnings of its ways. */
  readonly needles: readonly (readonly string[])[]
  /** By their first word. */
  readonly ways: ReadonlyMap<string, readonly TermWay[]>
  /** Beginnings of single words. */
  readonly beginnings: readonly string[]
}

const known = new WeakMap<readonly Term[], Sought>()

function soughtOf(terms: readonly Term[]): Sought {
  const there = known.get(terms)
  if (there !== undefined) return there
  const ways = new Map<string, TermWay[]>()
  const beginnings: string[] = []
  for (const way of terms.flatMap((term) => term.ways)) {
    const [first = '', ...others] = way.words
    if (way.prefix && others.length === 0) beginnings.push(first)
    else append(ways, first, way)
  }
  const needles = terms.map(({ text, ways: own }) => {
    const firsts = own.map(({ words }) => stub(words[0] ?? ''))
    return [...new Set([text.toLowerCase(), ...firsts])].filter((needle) => needle !== '')
  })
  const sought = { needles, ways, beginnings }
  known.set(terms, sought)
  return sought
}

/** The beginning that all forms of a word share: `polici` of `policy` and `policies` → `polic`. */
function stub(stem: string): string {
  return stem.length > 4 ? stem.slice(0, -1) : stem
}

function cut(text: string, at: number, sought: Sought): Snippet {
  const from = at <= BEFORE ? 0 : wordBefore(text, at - BEFORE)
  const to = from + WIDTH >= text.length ? text.length : wordBefore(text, from + WIDTH)
  const inner = text.slice(from, to).trimEnd()
  const shown = `${from > 0 ? '… ' : ''}${inner}${to < text.length ? ' …' : ''}`.replace(/\s/g, ' ')
  return { text: shown, highlights: highlightsOf(shown, sought) }
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
function highlightsOf(text: string, { ways, beginnings }: Sought): readonly Span[] {
  const stems: { readonly stem: string; readonly part: Span }[] = []
  const found: Span[] = []
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const part = { start: index, end: index + word.length }
    const { words, compounds } = readText(word)
    for (const stem of words) stems.push({ stem, part })
    if (compounds.some((whole) => ways.get(whole)?.some(isSingle) === true)) found.push(part)
  }
  for (const [place, { stem, part }] of stems.entries()) {
    if (beginnings.some((beginning) => stem.startsWith(beginning))) found.push(part)
    for (const way of ways.get(stem) ?? []) {
      const last = stems[place + way.words.length - 1]
      if (last !== undefined && saysAt(stems, place, way))
        found.push({ start: part.start, end: last.part.end })
    }
  }
  return merged(found)
}

function saysAt(
  stems: readonly { readonly stem: string }[],
  place: number,
  { words, prefix }: TermWay,
): boolean {
  return words.every((word, index) => {
    const own = stems[place + index]?.stem ?? ''
    return prefix && index === words.length - 1 ? own.startsWith(word) : own === word
  })
}

function isSingle({ words }: TermWay): boolean {
  return words.length === 1
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
