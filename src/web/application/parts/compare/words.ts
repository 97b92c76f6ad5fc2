import { diffWordsWithSpace } from 'diff'
import { withoutUnbroken } from '../prose/unbroken.ts'

export interface Part {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Texts that have next to nothing in common take long, and their differences say nothing. */
const LONGEST_MS = 60

/** What two texts have in common, word by word, and what only one of them has. */
export function differencesOf(before: string, after: string): readonly Part[] {
  const found = diffWordsWithSpace(before, after, { timeout: LONGEST_MS })
  if (found === undefined) return present(before, after)
  return joined(
    found.map(({ value, added, removed }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    })),
  )
}

/** What has nothing but blanks between it is one difference: what was there, and then what is there now. */
function joined(parts: readonly Part[]): readonly Part[] {
  const found: Part[] = []
  let gone = ''
  let come = ''
  parts.forEach(({ kind, text }, at) => {
    const isBetween = gone + come !== '' && parts[at + 1] !== undefined && text.trim() === ''
    if (kind === 'same' && !isBetween) {
      found.push(...present(gone, come), { kind, text })
      gone = ''
      come = ''
      return
    }
    if (kind !== 'added') gone += text
    if (kind !== 'removed') come += text
  })
  return [...found, ...present(gone, come)]
}

function present(before: string, after: string): readonly Part[] {
  const parts: readonly Part[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return parts.filter(({ text }) => text !== '')
}

/** So much of what both have is left around each difference. */
const CONTEXT = 160

/** The same without the middle of what is long and in both, or without a space; `cut` says whether anything is left out. */
export function shortened(parts: readonly Part[]): {
  readonly parts: readonly Part[]
  readonly isCut: boolean
} {
  const last = parts.length - 1
  const short = parts.map((part, at) => {
    if (part.kind !== 'same') return cut(part)
    const head = at === 0 ? 0 : CONTEXT
    const tail = at === last ? 0 : CONTEXT
    if (part.text.length <= head + tail + CONTEXT) return part
    const begin = part.text.slice(0, head).replace(/\S*$/, '')
    const end = tail === 0 ? '' : part.text.slice(-tail).replace(/^\S*/, '')
    return { ...part, text: `${begin}…${end}` }
  })
  return { parts: short, isCut: short.some((part, at) => part !== parts[at]) }
}

/** Of a difference, all can be read that anybody would read. */
function cut(part: Part): Part {
  const text = withoutUnbroken(part.text)
  return text === part.text ? part : { ...part, text }
}
