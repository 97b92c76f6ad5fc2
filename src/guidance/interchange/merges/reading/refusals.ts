import { Refusal } from '../../../../platform/errors.ts'

/** The refusal of a readable file that belongs to another component. */
export function notMergeable(detail: string): Refusal {
  return new Refusal('merge_unusable', detail)
}
