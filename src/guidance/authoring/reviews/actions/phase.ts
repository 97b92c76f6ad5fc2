import { Refusal } from '../../../../platform/errors.ts'
import { phaseOf } from '../../components/phase.ts'

export const CLOSED_MESSAGE = 'Comments are closed for this component.'

/**
 * The refusal (422, as a warning) of something that the current state does not allow (docs/contract.md, Confirmations).
 */
export function refuseState(title: string, message: string): Refusal {
  return new Refusal('validation_failed', `${title} ${message}`, {
    toast: { title, message, variant: 'warning' },
    errors: [{ field: null, message }],
  })
}

/** Refuses if comments are final. */
export function requireUnfrozen(phase: Parameters<typeof phaseOf>[0]): void {
  if (phaseOf(phase).frozen_for_writes)
    throw refuseState('Cannot modify review.', 'The comments of this component are final.')
}
