import { diffArrays } from 'diff'

/** Limit of lines that differ. A larger difference takes long to find, and needs a decision of a person anyway. */
const MAX_EDITS = 1000

/** A text, and two edited versions of it. */
interface EditedText {
  readonly base: string
  readonly ours: string
  readonly theirs: string
}

/**
 * Merges both edits of a text; null if they change the same or neighbouring lines, or if too many lines differ. All lines of
 * the result end in a line feed.
 */
export function mergeTexts({ base, ours, theirs }: EditedText): string | null {
  const lines = linesOf(base)
  const ownHunks = hunksOf(lines, linesOf(ours))
  const otherHunks = hunksOf(lines, linesOf(theirs))
  if (ownHunks === null || otherHunks === null) return null
  const hunks = combine(ownHunks, otherHunks)
  return hunks === null ? null : apply(lines, hunks).join('\n')
}

function linesOf(text: string): readonly string[] {
  return text.replaceAll('\r\n', '\n').split('\n')
}

/** Lines of the base that are replaced: `from` is included, `to` is not. */
interface Hunk {
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

function hunksOf(base: readonly string[], text: readonly string[]): readonly Hunk[] | null {
  const changes = diffArrays([...base], [...text], { maxEditLength: MAX_EDITS })
  if (changes === undefined) return null
  const hunks: Hunk[] = []
  let [position, from] = [0, 0]
  let lines: string[] = []
  const close = (): void => {
    if (position > from || lines.length > 0) hunks.push({ from, to: position, lines })
  }
  for (const { added, removed, value } of changes) {
    if (added) lines.push(...value)
    else if (removed) position += value.length
    else {
      close()
      position += value.length
      from = position
      lines = []
    }
  }
  close()
  return hunks
}

/** All hunks of both in their order; equal ones once. Null if two others overlap or touch. */
function combine(ownHunks: readonly Hunk[], otherHunks: readonly Hunk[]): readonly Hunk[] | null {
  const isEqual = (a: Hunk, b: Hunk): boolean => JSON.stringify(a) === JSON.stringify(b)
  const newHunks = otherHunks.filter((hunk) => !ownHunks.some((own) => isEqual(own, hunk)))
  const combined = [...ownHunks, ...newHunks].toSorted((a, b) => a.from - b.from || a.to - b.to)
  const isTouched = combined.some((hunk, index) => {
    const next = combined[index + 1]
    return next !== undefined && next.from <= hunk.to
  })
  return isTouched ? null : combined
}

function apply(base: readonly string[], hunks: readonly Hunk[]): readonly string[] {
  const lines: string[] = []
  let position = 0
  for (const hunk of hunks) {
    lines.push(...base.slice(position, hunk.from), ...hunk.lines)
    position = hunk.to
  }
  return [...lines, ...base.slice(position)]
}
