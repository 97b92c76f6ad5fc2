import { Refusal } from '../../platform/errors.ts'
import type { ComponentsTable } from '../database/schema/components.ts'

type Phase = Pick<ComponentsTable, 'comment_phase' | 'closed_reason'>

/** What may be done in the phase of comments that a component is in (contract §10). */
export function acceptsComments({ comment_phase }: Phase): boolean {
  return comment_phase === 'open'
}

export function isTriaging({ comment_phase, closed_reason }: Phase): boolean {
  return comment_phase === 'open' || closed_reason === 'adjudicating'
}

export function isFrozen({ comment_phase, closed_reason }: Phase): boolean {
  return comment_phase === 'closed' && closed_reason === 'finalized'
}

export const CLOSED = 'Comments are closed for this component.'

/** The state of things does not allow it: 422 with a warning (contract §6). */
export function refuseState(title: string, message: string): Refusal {
  return new Refusal('validation_failed', `${title} ${message}`, {
    toast: { title, message, variant: 'warning' },
    errors: [{ field: null, message }],
  })
}

/** Refuses to change comments once they are final. */
export function requireUnfrozen(phase: Phase): void {
  if (isFrozen(phase))
    throw refuseState('Cannot modify review.', 'The comments of this component are final.')
}
