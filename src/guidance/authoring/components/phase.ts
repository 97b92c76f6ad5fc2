import type { CommentPhase, ClosedReason } from '../../database/schema/components.ts'

const DAY_MS = 86_400_000

export interface PhaseFlags {
  readonly accepting_new_comments: boolean
  readonly triaging_active: boolean
  readonly frozen_for_writes: boolean
}

interface CommentPeriod {
  readonly comment_phase: CommentPhase
  readonly closed_reason: ClosedReason | null
}

/** The flags tell what the comment phase of a component allows (docs/contract.md, Comment phases). */
export function phaseOf({ comment_phase, closed_reason }: CommentPeriod): PhaseFlags {
  const open = comment_phase === 'open'
  return {
    accepting_new_comments: open,
    triaging_active: open || closed_reason === 'adjudicating',
    frozen_for_writes: !open && closed_reason === 'finalized',
  }
}

/** The days left in an open comment period, including today; null without a period. */
export function daysRemaining(
  component: CommentPeriod & { readonly comment_period_ends_at: string | null },
  now: number,
): number | null {
  const { comment_phase, comment_period_ends_at: end } = component
  if (comment_phase !== 'open' || end === null) return null
  const remainingMs = Date.parse(end) - now
  return remainingMs > 0 ? Math.ceil(remainingMs / DAY_MS) : null
}
