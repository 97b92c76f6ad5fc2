import { z } from 'zod'
import { SECTIONS } from '../../../../tables/sections.ts'

export const REVIEW_ACTIONS = [
  'comment',
  'request_review',
  'revoke_review_request',
  'request_changes',
  'approve',
  'lock_control',
  'unlock_control',
] as const

export const TRIAGE_STATUSES = [
  'pending',
  'concur',
  'concur_with_comment',
  'non_concur',
  'duplicate',
  'informational',
  'needs_clarification',
  'withdrawn',
  'addressed_by',
] as const

/** The sections that a comment can be about. Null stands for the whole rule or component. */
export const COMMENT_SECTIONS = SECTIONS.map(({ key }) => key)

const text = z.string().nullable()
const number = z.int().nullable()

export const reactionCounts = z.object({
  up: z.int(),
  down: z.int(),
  mine: z.enum(['up', 'down']).nullable().meta({ description: 'The reaction of the caller' }),
})

const suggestion = z
  .object({
    field: z.string().meta({ description: 'A text of the rule, by its name in the form' }),
    text: z.string(),
    base: z.string().meta({ description: 'The text of the field that it changes' }),
    accepted_text: text.meta({ description: 'What was written into the rule; null until it is accepted' }),
  })
  .meta({ description: 'A proposed text for a field of the rule' })

export type Suggestion = z.infer<typeof suggestion>

/** A review action or comment. */
export const reviewSchema = z.object({
  id: z.int(),
  action: z.enum(REVIEW_ACTIONS),
  comment: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  triage_status: z.enum(TRIAGE_STATUSES).nullable(),
  triage_set_at: text,
  adjudicated_at: text,
  rule_id: number,
  section: text,
  responding_to_review_id: number,
  duplicate_of_review_id: number,
  addressed_by_rule_id: number,
  triage_set_by_id: number,
  suggestion: suggestion.nullable(),
  commentable_type: z.enum(['BaseRule', 'Component']),
  responses_count: z.int(),
  rule_displayed_name: z.string().meta({ description: '"(component)" for a comment on the component itself' }),
  name: z.string(),
  author_name: z.string(),
  triager_display_name: text,
  triager_imported: z.boolean(),
  adjudicator_display_name: text,
  adjudicator_imported: z.boolean(),
  commenter_display_name: z.string(),
  commenter_id: number.meta({ description: 'Null if the comment is from an archive or the account was removed' }),
  commenter_imported: z.boolean(),
  own: z.boolean().meta({ description: 'Whether the caller wrote it' }),
  reactions: reactionCounts,
  lock_version: z.int().meta({
    description: 'Send it back with a change to detect changes by others in between',
  }),
})

export type Review = z.infer<typeof reviewSchema>
