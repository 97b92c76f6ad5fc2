import { diffWords } from 'diff'

/** A part of a text that is in both releases or in one. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Texts with little in common take long, and their differences are not informative. */
const LONGEST_MS = 100

/** Characters of unchanged text around a difference. */
const CONTEXT = 60

/**
 * Compares two texts word by word, ignoring blanks; texts with too many differences are one removed and one added part.
 */
export function compareWords(before: string, after: string): readonly TextPart[] {
  const changes = diffWords(before, after, { timeout: LONGEST_MS }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ]
  return changes.flatMap(({ value, added, removed }): readonly TextPart[] =>
    value === '' ? [] : [{ kind: added ? 'added' : removed ? 'removed' : 'same', text: value }],
  )
}

/** Leaves out the middle of long unchanged parts. */
export function withoutLongMiddle(parts: readonly TextPart[]): readonly TextPart[] {
  const last = parts.length - 1
  return parts.map((part, index) => {
    if (part.kind !== 'same') return part
    const head = index === 0 ? 0 : CONTEXT
    const tail = index === last ? 0 : CONTEXT
    if (part.text.length <= head + tail + CONTEXT) return part
    const begin = part.text.slice(0, head).replace(/\S*$/, '')
    const end = tail === 0 ? '' : part.text.slice(-tail).replace(/^\S*/, '')
    return { ...part, text: `${begin}…${end}` }
  })
}
