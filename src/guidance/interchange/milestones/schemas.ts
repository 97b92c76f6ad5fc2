import { z } from 'zod'
import { id, requiredText } from '../../../http/input.ts'
import { changeCounts, comparedRule } from '../../catalogue/benchmark-diff/rule-name.ts'

export const MAX_MILESTONES = 40
export const MAX_MILESTONE_NAME = 100
/** The size of a frozen archive, in bytes. */
export const MAX_FROZEN_BYTES = 10_000_000
/**
 * The size of all frozen archives of a component, in bytes. With the largest attachments, an archive of the component
 * stays below the limit of imports.
 */
export const MAX_ALL_FROZEN_BYTES = 30_000_000

export const PARTS = ['public', 'restricted'] as const

export type PackPart = (typeof PARTS)[number]

/** The work that was not done when a milestone was reached, with the names of rules. */
export const frozenReadiness = z.object({
  ready: z.boolean().meta({ description: 'Whether no item prevents a release' }),
  counts: z.record(z.string().max(255), z.int()).meta({ description: 'Number of items by code' }),
  items: z
    .array(
      z.object({
        code: z.string().max(255),
        blocks: z.boolean().meta({ description: 'Whether this item prevents a release' }),
        message: z.string().max(1000),
        rule: z.string().max(255).nullable().meta({ description: 'The displayed name' }),
      }),
    )
    .max(200_000),
})

export type FrozenReadiness = z.infer<typeof frozenReadiness>

const text = z.string().nullable()

export const milestoneSchema = z.object({
  id: z.int(),
  name: z.string(),
  due_on: z.string().meta({ description: 'YYYY-MM-DD' }),
  state: z.enum(['due', 'late', 'reached']).meta({ description: 'Late: its day is over in UTC' }),
  reached_at: text,
  reached_by: text,
  snapshot: text.meta({ description: 'The digest of the rules, as exports carry it' }),
})

const ruleName = z.object({ rule_id: z.string(), version: text, title: z.string(), severity: z.string() }).nullable()

export const detailsSchema = milestoneSchema.extend({
  since: z
    .object({ id: z.int(), name: z.string(), reached_at: z.string() })
    .nullable()
    .meta({ description: 'The milestone reached before; null: none, and all rules count as added' }),
  counts: changeCounts,
  rules: z
    .array(
      comparedRule.extend({
        status: z.enum(['added', 'removed', 'changed']),
        matched_by: z.enum(['rule_id', 'srg_id']).nullable(),
        before: ruleName,
        after: ruleName,
      }),
    )
    .meta({ description: 'The rules that differ' }),
  readiness: frozenReadiness,
  attachments: z
    .array(
      z.object({
        rule: z.string(),
        name: z.string(),
        bytes: z.int().nullable(),
        sha256: z.string(),
        kept: z.boolean().meta({ description: 'Whether the rule still has the file, so that the pack has it' }),
      }),
    )
    .meta({ description: 'The files that the rules had' }),
})

/** A year outside of this range is a typing error. */
export const day = z.iso
  .date('Date must be of the form YYYY-MM-DD')
  .refine((value) => value >= '1990-01-01' && value < '2200-01-01', 'Date must be between 1990 and 2199')

const name = requiredText('Name', { max: MAX_MILESTONE_NAME })

export const newMilestone = z.object({ milestone: z.object({ name, due_on: day }) })
export const milestoneChanges = z.object({ milestone: z.object({ name: name.optional(), due_on: day.optional() }) })
export const planBody = z.object({
  start_on: day.meta({ description: 'The day on which the intent form is sent' }),
})
export const componentParams = z.object({ id })
export const milestoneParams = z.object({ id, milestone: id })
