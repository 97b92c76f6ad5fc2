import { z } from 'zod'
import { day, frozenReadiness, MAX_MILESTONE_NAME, MAX_MILESTONES } from '../../milestones/schemas.ts'
import { momentOrNull, required, short } from './values.ts'

/** A reached milestone has the archive that was frozen on that day. */
export const milestonesSchema = z
  .array(
    z
      .object({
        name: required(MAX_MILESTONE_NAME),
        due_on: day,
        reached_at: momentOrNull,
        reached_by: short,
        snapshot: short,
        readiness: frozenReadiness.nullable().default(null),
        file: z
          .string()
          .regex(/^milestones\/\d{1,9}\.zip$/, 'is not of the form milestones/1.zip')
          .nullable()
          .default(null),
      })
      .refine(({ reached_at, file }) => (reached_at === null) === (file === null), {
        path: ['file'],
        error: 'does not fit reached_at',
      }),
  )
  .max(MAX_MILESTONES)

export type MilestoneRecord = z.output<typeof milestonesSchema>[number]
