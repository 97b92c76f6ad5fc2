import type { MergeOutcome } from '../../../database/schema/imports.ts'
import { mergeTexts } from '../../../parts/three-way.ts'
import type { FieldValue } from './fields.ts'

/** The values of a field: as it was exported, as the component has it now, and as the file has it. */
export interface Sides {
  readonly base: FieldValue
  readonly ours: FieldValue
  readonly theirs: FieldValue
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
