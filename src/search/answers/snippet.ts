import type { RecordText } from '../../contracts/guidance-records.ts'
import type { SearchResult } from '../../contracts/search-answer.ts'
import { append } from '../../platform/append.ts'
import { readWord } from '../../platform/words.ts'
import type { TermVariant } from '../query/term-variants.ts'
import type { Term } from '../query/terms.ts'
import { bestWindow, Needles, type TextWindow } from './best-window.ts'

type Snippet = SearchResult['matched']['snippet']

const WIDTH = 200
const BEFORE = 40
const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** The part of these texts that has the most terms; the first such text among equals. */
export function snippetOf(
  texts: readonly RecordText[],
  terms: readonly Term[],
): { readonly field: string; readonly snippet: Snippet } | null {
  const sought = highlightTargets(terms)
  let best: { readonly text: RecordText; readonly window: TextWindow } | null = null
  for (const text of texts) {
    const window = bestWindow(text.text, sought.needles)
    if (best === null || window.terms > best.window.terms) best = { text, window }
    if (best.window.terms === terms.length) break
  }
  if (best === null) return null
  const { text, window } = best
  return { field: text.field, snippet: cutSnippet(text.text, window.start, sought) }
}

/** Terms in the forms in which snippets look for them. Computed once for all results. */
interface HighlightTargets {
  /** Beginnings of the variants of each term. */
  readonly needles: Needles
  /** By their first word. */
  readonly variants: ReadonlyMap<string, readonly TermVariant[]>
  /** Beginnings of single words. */
  readonly beginnings: readonly string[]
}

const targetsByTerms = new WeakMap<readonly Term[], HighlightTargets>()

function highlightTargets(terms: readonly Term[]): HighlightTargets {
  const cached = targetsByTerms.get(terms)
  if (cached !== undefined) return cached
  const variants = new Map<string, TermVariant[]>()
  const beginnings: string[] = []
  for (const variant of terms.flatMap((term) => term.variants)) {
    const [first = '', ...others] = variant.words
    if (variant.prefix && others.length === 0) beginnings.push(first)
    else append(variants, first, variant)
  }
  const needles = terms.map(({ text, variants: termVariants }) => {
    const firsts = termVariants.map(({ words }) => commonStem(words[0] ?? ''))
    return [...new Set([text.toLowerCase(), ...firsts])].filter((needle) => needle !== '')
  })
  const sought = { needles: new Needles(needles, WIDTH - BEFORE), variants, beginnings }
  targetsByTerms.set(terms, sought)
  return sought
}

/** The beginning that all forms of a word share: `polici` of `policy` and `policies` → `polic`. */
function commonStem(stem: string): string {
  return stem.length > 4 ? stem.slice(0, -1) : stem
}

function cutSnippet(text: string, position: number, sought: HighlightTargets): Snippet {
  const from = position <= BEFORE ? 0 : wordBefore(text, position - BEFORE)
  const to = from + WIDTH >= text.length ? text.length : wordBefore(text, from + WIDTH)
  const inner = text.slice(from, to).trimEnd()
  const cut = `${from > 0 ? '… ' : ''}${inner}${to < text.length ? ' …' : ''}`.replace(/\s/g, ' ')
  return { text: cut, highlights: highlightsOf(cut, sought) }
}

function wordBefore(text: string, position: number): number {
  const [blank] = /\s\S*$/.exec(text.slice(Math.max(0, position - BEFORE), position)) ?? ['']
  return blank === '' ? position : position - blank.length + 1
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Spans of the text that match a term; adjoining spans are joined. */
function highlightsOf(text: string, { variants, beginnings }: HighlightTargets): readonly Span[] {
  const stems: { readonly stem: string; readonly part: Span }[] = []
  const spans: Span[] = []
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    const part = { start: index, end: index + word.length }
    const { stems: wordStems, joined } = readWord(word)
    for (const stem of wordStems) stems.push({ stem, part })
    if (joined.some((whole) => variants.get(whole)?.some(({ words }) => words.length === 1) === true)) spans.push(part)
  }
  for (const [index, { stem, part }] of stems.entries()) {
    if (beginnings.some((beginning) => stem.startsWith(beginning))) spans.push(part)
    for (const variant of variants.get(stem) ?? []) {
      const last = stems[index + variant.words.length - 1]
      if (last !== undefined && phraseBeginsAt(stems, index, variant))
        spans.push({ start: part.start, end: last.part.end })
    }
  }
  return mergeSpans(spans)
}

function phraseBeginsAt(
  stems: readonly { readonly stem: string }[],
  start: number,
  { words, prefix }: TermVariant,
): boolean {
  return words.every((word, index) => {
    const stem = stems[start + index]?.stem ?? ''
    return prefix && index === words.length - 1 ? stem.startsWith(word) : stem === word
  })
}

function mergeSpans(parts: readonly Span[]): readonly Span[] {
  const result: Span[] = []
  for (const part of parts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (last === undefined || part.start > last.end) result.push(part)
    else if (part.end > last.end) result.splice(-1, 1, { start: last.start, end: part.end })
  }
  return result
}
