import { diffWordsWithSpace } from 'diff'

/** A part of a text that both releases have, or only one. */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Texts that have little in common take long, and their differences say nothing. */
const LONGEST_MS = 100

/** So many characters of what both have are left around a difference. */
const CONTEXT = 60

/** Compares two texts word by word; texts with too many differences are one removed and one added part. */
export function compareWords(before: string, after: string): readonly TextPart[] {
  const found = diffWordsWithSpace(before, after, { timeout: LONGEST_MS }) ?? [
    { value: before, added: false, removed: true },
    { value: after, added: true, removed: false },
  ]
  const parts = found.map(({ value, added, removed }): TextPart => {
    return { kind: added ? 'added' : removed ? 'removed' : 'same', text: value }
  })
  return joined(parts.flatMap((part, at) => withoutBlanks(part, parts[at + 1])))
}

/** Other blanks are no difference between releases: those of the newer text are shown as if both had them. */
function withoutBlanks(part: TextPart, next: TextPart | undefined): readonly TextPart[] {
  if (part.kind === 'same' || part.text.trim() !== '') return [part]
  const isReplaced = part.kind === 'removed' && next?.kind === 'added'
  return isReplaced ? [] : [{ ...part, kind: 'same' }]
}

/** Joins neighbours of one kind, and leaves out empty ones. */
function joined(parts: readonly TextPart[]): readonly TextPart[] {
  const found: TextPart[] = []
  for (const part of parts) {
    const last = found.at(-1)
    if (last?.kind === part.kind) found.splice(-1, 1, { ...part, text: last.text + part.text })
    else if (part.text !== '') found.push(part)
  }
  return found
}

/** Leaves out the middle of long parts that both texts have. */
export function withoutLongMiddle(parts: readonly TextPart[]): readonly TextPart[] {
  const last = parts.length - 1
  return parts.map((part, at) => {
    if (part.kind !== 'same') return part
    const head = at === 0 ? 0 : CONTEXT
    const tail = at === last ? 0 : CONTEXT
    if (part.text.length <= head + tail + CONTEXT) return part
    const begin = part.text.slice(0, head).replace(/\S*$/, '')
    const end = tail === 0 ? '' : part.text.slice(-tail).replace(/^\S*/, '')
    return { ...part, text: `${begin}…${end}` }
  })
}
