import type { components } from '#api-types'

export type Merge = components['schemas']['GetMergeAnswer']
export type MergedField = Merge['fields'][number]
export type MergeDecision = components['schemas']['DecideMergeRequest']['decisions'][number]

/** The outcomes of a field, in the order of the page. */
export const OUTCOMES = ['conflict', 'theirs', 'merged', 'ours', 'same'] as const
export type Outcome = (typeof OUTCOMES)[number]

export const OUTCOME_NAMES: Readonly<Record<Outcome, string>> = {
  conflict: 'Conflicts',
  theirs: 'Changed in the file',
  merged: 'Both combined',
  ours: 'Changed here',
  same: 'Changed alike',
}

export function isOutcome(value: unknown): value is Outcome {
  return OUTCOMES.some((outcome) => outcome === value)
}

/** A value as text. */
export function textOf(value: string | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value ?? ''
}

/** The side that is taken without a decision; null if a decision is required. */
export function takeOf({ take, outcome }: MergedField): MergedField['take'] {
  if (take !== null) return take
  if (outcome === 'conflict') return null
  return outcome === 'theirs' || outcome === 'merged' ? outcome : 'ours'
}
