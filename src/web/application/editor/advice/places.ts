import type { Values } from '../saving/draft.ts'
import type { AdviceItem } from './told.ts'
import { textOf } from './written.ts'

interface TextRange {
  readonly start: number
  readonly end: number
}

/** A text in which something is said of places. */
export interface MarkedText {
  readonly text: string
  readonly places: readonly TextRange[]
}

export const UNMARKED: MarkedText = { text: '', places: [] }

/** Finds the marked ranges of each field in the text that was checked. */
export function markedIn(told: readonly AdviceItem[], values: Values): ReadonlyMap<string, MarkedText> {
  const fields = new Map<string, TextRange[]>()
  for (const { field, start, end } of told) {
    if (end === start) continue
    const places = fields.get(field)
    if (places === undefined) fields.set(field, [{ start, end }])
    else places.push({ start, end })
  }
  return new Map([...fields].map(([field, places]) => [field, { text: textOf(values[field]), places: joined(places) }]))
}

/** In order, and those that touch or overlap as one. */
function joined(places: readonly TextRange[]): readonly TextRange[] {
  const found: TextRange[] = []
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    const last = found.at(-1)
    if (last === undefined || place.start > last.end) found.push(place)
    else found.splice(-1, 1, { start: last.start, end: Math.max(last.end, place.end) })
  }
  return found
}

/** Moves marked ranges along while the text changes; ranges in the changed part are dropped. */
export function moved({ text, places }: MarkedText, now: string): readonly TextRange[] {
  if (text === now || places.length === 0) return places
  const most = Math.min(text.length, now.length)
  let head = 0
  while (head < most && text.charCodeAt(head) === now.charCodeAt(head)) head++
  const grown = now.length - text.length
  let tail = text.length
  while (tail > head && tail + grown > head && text[tail - 1] === now[tail + grown - 1]) tail--
  return places.flatMap(({ start, end }) => {
    if (end <= head) return [{ start, end }]
    return start >= tail ? [{ start: start + grown, end: end + grown }] : []
  })
}

interface Piece {
  readonly text: string
  readonly isMarked: boolean
}

/** A text in pieces, of which every other one is marked. */
export function piecesOf({ text, places }: MarkedText): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { start, end } of places) {
    pieces.push({ text: text.slice(from, start), isMarked: false })
    pieces.push({ text: text.slice(start, end), isMarked: true })
    from = end
  }
  return [...pieces, { text: text.slice(from), isMarked: false }]
}
