/** Replaces the part of a text from one index up to another. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly after: string
}

/** Finds the edits that a replacement makes. A match that already equals its replacement needs no edit. */
export function editsOf(text: string, pattern: RegExp, replace: string): readonly Edit[] {
  return Array.from(text.matchAll(pattern)).flatMap(({ 0: match, index: from }) =>
    match === replace ? [] : [{ from, to: from + match.length, after: replace }],
  )
}

/** Applies edits, which must be in order and must not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let position = 0
  for (const { from, to, after } of edits) {
    result += text.slice(position, from) + after
    position = to
  }
  return result + text.slice(position)
}

/** The single edit between two texts, without their common beginning and end. */
export function wholeEdit(text: string, after: string): Edit {
  const maxShared = Math.min(text.length, after.length)
  let from = 0
  while (from < maxShared && text[from] === after[from]) from += 1
  let shared = 0
  while (shared < maxShared - from && text.at(-1 - shared) === after.at(-1 - shared)) shared += 1
  return { from, to: text.length - shared, after: after.slice(from, after.length - shared) }
}

/** The number of characters to show on each side of an edit. */
const CONTEXT_LENGTH = 60
const LEFT_OUT = ' … '

/**
 * The surroundings of all edits, before and after. Both are cut at the same places of the common text, so that they
 * differ only by the edits.
 */
export function excerptOf(text: string, edits: readonly Edit[]): { readonly before: string; readonly after: string } {
  const pieces = windowsOf(text, edits).map(({ from, to, edits: windowEdits }) => {
    const part = text.slice(from, to)
    const moved = windowEdits.map((edit) => ({ ...edit, from: edit.from - from, to: edit.to - from }))
    return { before: part, after: applyEdits(part, moved) }
  })
  return {
    before: pieces.map(({ before }) => before).join(LEFT_OUT),
    after: pieces.map(({ after }) => after).join(LEFT_OUT),
  }
}

/** An edit for display: the old text, the new text, and the text around them. */
interface ShownEdit {
  /** The index in the text. */
  readonly at: number
  readonly lead: string
  readonly before: string
  readonly after: string
  readonly trail: string
}

/** Each edit with its surroundings, in order. */
export function shownEdits(text: string, edits: readonly Edit[]): readonly ShownEdit[] {
  return edits.map(({ from, to, after }) => ({
    at: from,
    lead: text.slice(characterStart(text, Math.max(0, from - CONTEXT_LENGTH)), from),
    before: text.slice(from, to),
    after,
    trail: text.slice(to, characterStart(text, Math.min(text.length, to + CONTEXT_LENGTH))),
  }))
}

interface ExcerptWindow {
  readonly from: number
  readonly to: number
  readonly edits: readonly Edit[]
}

/** Each edit is shown in a window of text; edits that are near each other share one. */
function windowsOf(text: string, edits: readonly Edit[]): readonly ExcerptWindow[] {
  const windows: ExcerptWindow[] = []
  for (const edit of edits) {
    const from = characterStart(text, Math.max(0, edit.from - CONTEXT_LENGTH))
    const to = characterStart(text, Math.min(text.length, edit.to + CONTEXT_LENGTH))
    const last = windows.at(-1)
    if (last === undefined || from > last.to) windows.push({ from, to, edits: [edit] })
    else windows[windows.length - 1] = { from: last.from, to, edits: [...last.edits, edit] }
  }
  return windows
}

/** The index, or the one before where it lies within a character. */
function characterStart(text: string, position: number): number {
  return /^[\udc00-\udfff]/.test(text.slice(position, position + 1)) ? position - 1 : position
}
