import { diffWordsWithSpace } from 'diff'
import { withoutUnbroken } from '../prose/unbroken.ts'

export interface Part {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Limit of the differences: very different texts take long, and their differences are not useful. */
const LONGEST_MS = 60

/** Compares two texts word by word. */
export function differencesOf(before: string, after: string): readonly Part[] {
  const changes = diffWordsWithSpace(before, after, { timeout: LONGEST_MS })
  if (changes === undefined) return presentDifference(before, after)
  return joinParts(
    changes.map(({ value, added, removed }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    })),
  )
}

/** Joins differences that only blanks separate: first the removed words, then the added ones. */
function joinParts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = []
  let removed = ''
  let added = ''
  parts.forEach(({ kind, text }, index) => {
    const isBetween = removed + added !== '' && parts[index + 1] !== undefined && text.trim() === ''
    if (kind === 'same' && !isBetween) {
      joined.push(...presentDifference(removed, added), { kind, text })
      removed = ''
      added = ''
      return
    }
    if (kind !== 'added') removed += text
    if (kind !== 'removed') added += text
  })
  return [...joined, ...presentDifference(removed, added)]
}

function presentDifference(before: string, after: string): readonly Part[] {
  const parts: readonly Part[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return parts.filter(({ text }) => text !== '')
}

/** Length of the common text that is kept around each difference. */
const CONTEXT = 160

/** Shortens long common parts and unbroken text; `isCut` says whether anything is left out. */
export function shortenParts(parts: readonly Part[]): {
  readonly parts: readonly Part[]
  readonly isCut: boolean
} {
  const last = parts.length - 1
  const short = parts.map((part, index) => {
    if (part.kind !== 'same') return withoutUnbrokenText(part)
    const head = index === 0 ? 0 : CONTEXT
    const tail = index === last ? 0 : CONTEXT
    if (part.text.length <= head + tail + CONTEXT) return part
    const begin = part.text.slice(0, head).replace(/\S*$/, '')
    const end = tail === 0 ? '' : part.text.slice(-tail).replace(/^\S*/, '')
    return { ...part, text: `${begin}…${end}` }
  })
  return { parts: short, isCut: short.some((part, index) => part !== parts[index]) }
}

/** Differences are shown whole, except for long unbroken text. */
function withoutUnbrokenText(part: Part): Part {
  const text = withoutUnbroken(part.text)
  return text === part.text ? part : { ...part, text }
}
