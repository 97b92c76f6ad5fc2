import { Refusal } from '../../../platform/errors.ts'
import { firstLines } from '../../parts/name-some.ts'

/** A reason against a change of several rules. */
interface Obstacle {
  /** The id of a rule, or an SRG id. */
  readonly id: number | string
  readonly message: string
}

/** Refuses (422) a change of several rules, of which none has been changed. */
export function refuseObstacles(title: string, obstacles: readonly Obstacle[]): Refusal {
  const message = firstLines(obstacles.map((obstacle) => obstacle.message)).join('\n')
  return new Refusal('validation_failed', `${title} Nothing has been changed.`, {
    toast: { title, message, variant: 'danger' },
    errors: obstacles.map((obstacle) => ({
      field: typeof obstacle.id === 'number' ? 'rule_ids' : 'srg_ids',
      message: obstacle.message,
    })),
    obstacles,
  })
}
