import type { MergeOutcome } from '../../../database/schema/imports.ts'
import { mergeTexts } from '../../../parts/three-way.ts'
import type { FieldValue } from './fields.ts'

/** The values of a field: when exported, in the component now, and in the file. */
export interface Sides {
  readonly base: FieldValue
  readonly ours: FieldValue
  readonly theirs: FieldValue
}

interface FieldMerge {
  readonly outcome: MergeOutcome | 'unchanged'
  /** The text with both edits; null unless the outcome is `merged`. */
  readonly merged: string | null
}

/** Decides the outcome of a field. Combines both edits of a text if their lines neither overlap nor touch. */
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
  // One side already contains the edits of the other.
  if (merged === ours) return { outcome: 'same', merged: null }
  return merged === theirs ? { outcome: 'theirs', merged: null } : { outcome: 'merged', merged }
}
