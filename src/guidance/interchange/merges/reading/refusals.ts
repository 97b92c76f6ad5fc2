import { Refusal } from '../../../../platform/errors.ts'

/** The refusal of a file that is readable, but not about this component. */
export function notMergeable(detail: string): Refusal {
  return new Refusal('merge_unusable', detail)
}
