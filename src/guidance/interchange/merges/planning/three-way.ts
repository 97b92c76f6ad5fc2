import { diffArrays } from 'diff'
import type { MergeOutcome } from '../../../database/schema/imports.ts'
import type { FieldValue } from './fields.ts'

/** The values of a field: as it was exported, as the component has it now, and as the file has it. */
export interface Sides<T = FieldValue> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}

interface FieldMerge {
  readonly outcome: MergeOutcome | 'unchanged'
  /** Both edits together; null unless the outcome is `merged`. */
  readonly merged: string | null
}

/** Decides about a field. Both edits of a text are combined if they are in different lines that do not touch. */
export function mergeField(sides: Sides, isProse: boolean): FieldMerge {
  const { base, ours, theirs } = sides
  if (ours === theirs) return { outcome: ours === base ? 'unchanged' : 'same', merged: null }
  if (ours === base) return { outcome: 'theirs', merged: null }
  if (theirs === base) return { outcome: 'ours', merged: null }
  return isProse ? combineEdits(sides) : { outcome: 'conflict', merged: null }
}

function combineEdits({ base, ours, theirs }: Sides): FieldMerge {
  const areTexts = typeof base === 'string' && typeof ours === 'string' && typeof theirs === 'string'
  const merged = areTexts ? mergeTexts({ base, ours, theirs }) : null
  if (merged === null) return { outcome: 'conflict', merged }
  // One side has the edits of the other already.
  if (merged === ours) return { outcome: 'same', merged: null }
  return merged === theirs ? { outcome: 'theirs', merged: null } : { outcome: 'merged', merged }
}

/** Lines that differ; with more, finding them would take long, and people have to look anyway. */
const MAX_EDITS = 1000

/** Both edits of a text together; null if they touch the same or neighbouring lines. */
export function mergeTexts({ base, ours, theirs }: Sides<string>): string | null {
  const lines = base.split('\n')
  const own = hunksOf(lines, ours.split('\n'))
  const other = hunksOf(lines, theirs.split('\n'))
  if (own === null || other === null) return null
  const hunks = combine(own, other)
  return hunks === null ? null : apply(lines, hunks).join('\n')
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
  let [at, from] = [0, 0]
  let lines: string[] = []
  const close = (): void => {
    if (at > from || lines.length > 0) hunks.push({ from, to: at, lines })
  }
  for (const { added, removed, value } of changes) {
    if (added) lines.push(...value)
    else if (removed) at += value.length
    else {
      close()
      at += value.length
      from = at
      lines = []
    }
  }
  close()
  return hunks
}

/** All hunks of both in their order; equal ones once. Null if two others overlap or touch. */
function combine(own: readonly Hunk[], other: readonly Hunk[]): readonly Hunk[] | null {
  const isEqual = (one: Hunk, two: Hunk): boolean => JSON.stringify(one) === JSON.stringify(two)
  const others = other.filter((hunk) => !own.some((one) => isEqual(one, hunk)))
  const all = [...own, ...others].toSorted((a, b) => a.from - b.from || a.to - b.to)
  const isTouched = all.some((hunk, index) => {
    const next = all[index + 1]
    return next !== undefined && next.from <= hunk.to
  })
  return isTouched ? null : all
}

function apply(base: readonly string[], hunks: readonly Hunk[]): readonly string[] {
  const lines: string[] = []
  let at = 0
  for (const hunk of hunks) {
    lines.push(...base.slice(at, hunk.from), ...hunk.lines)
    at = hunk.to
  }
  return [...lines, ...base.slice(at)]
}
