import type { Values } from '../saving/draft.ts'
import type { AdviceItem } from './advice-items.ts'
import { textOf } from './advised-rule.ts'

interface TextRange {
  readonly start: number
  readonly end: number
}

/** A text with marked ranges. */
export interface MarkedText {
  readonly text: string
  readonly ranges: readonly TextRange[]
}

export const UNMARKED: MarkedText = { text: '', ranges: [] }

/** Finds the marked ranges of each field in the text that was checked. */
export function markedTexts(items: readonly AdviceItem[], values: Values): ReadonlyMap<string, MarkedText> {
  const fields = new Map<string, TextRange[]>()
  for (const { field, start, end } of items) {
    if (end === start) continue
    const ranges = fields.get(field)
    if (ranges === undefined) fields.set(field, [{ start, end }])
    else ranges.push({ start, end })
  }
  return new Map(
    [...fields].map(([field, ranges]) => [field, { text: textOf(values[field]), ranges: mergeRanges(ranges) }]),
  )
}

/** Sorts ranges, and joins those that touch or overlap. */
function mergeRanges(ranges: readonly TextRange[]): readonly TextRange[] {
  const merged: TextRange[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || range.start > last.end) merged.push(range)
    else merged.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) })
  }
  return merged
}

/** Moves marked ranges along while the text changes; ranges in the changed part are dropped. */
export function shiftRanges({ text, ranges }: MarkedText, newText: string): readonly TextRange[] {
  if (text === newText || ranges.length === 0) return ranges
  const shorter = Math.min(text.length, newText.length)
  let head = 0
  while (head < shorter && text.charCodeAt(head) === newText.charCodeAt(head)) head++
  const grown = newText.length - text.length
  let tail = text.length
  while (tail > head && tail + grown > head && text[tail - 1] === newText[tail + grown - 1]) tail--
  return ranges.flatMap(({ start, end }) => {
    if (end <= head) return [{ start, end }]
    return start >= tail ? [{ start: start + grown, end: end + grown }] : []
  })
}

interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/** Splits a text at its marked ranges; every other piece is marked. */
export function splitText({ text, ranges }: MarkedText): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { start, end } of ranges) {
    pieces.push({ text: text.slice(from, start), isMarked: false })
    pieces.push({ text: text.slice(start, end), isMarked: true })
    from = end
  }
  return [...pieces, { text: text.slice(from), isMarked: false }]
}
