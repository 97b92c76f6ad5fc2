import { z } from 'zod'
import { idValue, isStorable, optionalText, requiredText, unstorable } from '../../../../http/input.ts'
import { CHECK_CONTENT } from '../../../../tables/check-fields.ts'
import { namesOf, SUGGESTED_FIELDS } from '../../../../tables/field-lists.ts'
import { ruleIds } from '../../rule-bulk/inputs.ts'
import { COMMENT_SECTIONS, REVIEW_ACTIONS, TRIAGE_STATUSES } from '../records/schemas.ts'

/** Limits in characters: for a comment, and for the comment of other actions (docs/contract.md, Review and locks). */
const MAX_COMMENT = 10_000
/** The longest text of a field. */
const MAX_SUGGESTED = Math.max(...SUGGESTED_FIELDS.map(({ limit }) => limit))
export const MAX_ACTION_COMMENT = 4000

/** The number of comments that can be decided together: all on the longest page. */
export const MAX_TOGETHER = 100

const comment = requiredText('Comment', { max: MAX_COMMENT })

const section = z.enum(COMMENT_SECTIONS, 'Section is not a section of comments').nullable()

const lockVersion = z.int('Lock version must be a whole number').optional()

const reference = (label: string): z.ZodType<number | null | undefined, number | null | undefined> =>
  idValue.or(z.null()).optional().meta({ description: label })

/** An optional text; blank counts as absent. */
const reply = z
  .string('Response must be a text')
  .max(MAX_COMMENT, `Response is too long (maximum is ${MAX_COMMENT} characters)`)
  .refine(isStorable, unstorable('Response'))
  .transform((text) => (text.trim() === '' ? null : text.trim()))
  .nullish()

/** The longest text that a rule may have taken from its SRG. */
const MAX_BASE = 1_000_000

const wholeText = (label: string, max: number): z.ZodType<string, string> =>
  z
    .string(`${label} must be a text`)
    .refine(isStorable, unstorable(label))
    .max(max, `${label} is too long (maximum is ${max} characters)`)

/** Lists of comments and comparisons name the text of the check after its section. */
const CHECK_SECTION = 'check_content'

const suggestion = z
  .object({
    field: z
      .enum([...namesOf(SUGGESTED_FIELDS), CHECK_SECTION], 'Field is not a text of a rule')
      .transform((name) => (name === CHECK_SECTION ? CHECK_CONTENT.name : name))
      .meta({ description: 'A text of the rule, by its name in the form' }),
    text: wholeText('Text', MAX_SUGGESTED),
    base: wholeText('Base', MAX_BASE)
      .optional()
      .meta({ description: 'The text that it changes; by default, the present one' }),
  })
  .nullish()

export type NewSuggestion = z.output<typeof suggestion>

/** The text of a comment, without blanks around it; may be absent. */
const commentText = z
  .string('Comment must be a text')
  .refine(isStorable, unstorable('Comment'))
  .trim()
  .max(MAX_COMMENT, `Comment is too long (maximum is ${MAX_COMMENT} characters)`)
  .nullish()
  .transform((text) => text ?? '')

export const newReview = z.object({
  action: z.enum(REVIEW_ACTIONS, 'Action is not a review action'),
  comment: commentText.meta({
    description: 'Required for a comment without a suggestion, for a request for changes and for locks',
  }),
  suggestion: suggestion.meta({ description: 'Only for a new comment: another text for a field of the rule' }),
  section: section.optional(),
  responding_to_review_id: reference('The comment that it answers'),
})

/** Actions of the review of many rules. */
export const bulkReview = z.object({
  rule_ids: ruleIds,
  action: z.enum(
    ['request_review', 'revoke_review_request', 'approve', 'request_changes'],
    'Action is not an action of a review',
  ),
  comment: optionalText('Comment', { max: MAX_ACTION_COMMENT })
    .optional()
    .transform((text) => text ?? '')
    .meta({ description: 'One for all of them; required for a request for changes' }),
})

export type NewReview = z.infer<typeof newReview>

export const newComponentComment = z.object({
  comment,
  responding_to_review_id: reference('The comment that it answers'),
})

export const editedComment = z.object({
  comment,
  suggested_text: wholeText('Text', MAX_SUGGESTED)
    .optional()
    .meta({ description: 'Another text in place of the one that the comment suggests' }),
  lock_version: lockVersion,
})

const DECISIONS = TRIAGE_STATUSES.filter((status) => status !== 'pending')

/** A decision on a comment; it cannot return the comment to `pending` (docs/contract.md, Triage). */
export const decision = z.object({
  triage_status: z.enum(DECISIONS, 'Triage status is not a decision'),
  response_comment: reply,
  duplicate_of_review_id: reference('For a duplicate: the comment that it repeats'),
  addressed_by_rule_id: reference('With the status addressed_by: the rule that addresses the comment'),
})

export type Decision = z.infer<typeof decision>

export const triageBody = decision.extend({ lock_version: lockVersion })

/** The text to write, and a reply. Without a text, the suggested text is accepted. */
export const acceptance = z
  .object({
    text: wholeText('Text', MAX_SUGGESTED)
      .optional()
      .meta({ description: 'The text to write instead of the suggested one' }),
    rule_lock_version: z
      .int('Rule lock version must be a whole number')
      .optional()
      .meta({ description: 'The version of the rule that the caller saw' }),
    response_comment: reply,
    lock_version: lockVersion,
  })
  .prefault({})

/** The body may be absent, because all its members are optional. */
export const adjudication = z.object({ resolution_comment: reply, lock_version: lockVersion }).prefault({})

const together = z
  .array(idValue, 'Comments must be a list of numbers')
  .min(1, 'No comments are chosen')
  .max(MAX_TOGETHER, `Too many comments (maximum is ${MAX_TOGETHER})`)

export const bulkDecision = decision.extend({ review_ids: together })

/** The number of similar comments that can be decided together. */
const MAX_CLUSTER = 500

export const clusterDecision = decision.extend({
  review_ids: z
    .array(idValue, 'Comments must be a list of numbers')
    .min(1, 'No comments are chosen')
    .max(MAX_CLUSTER, `Too many comments (maximum is ${MAX_CLUSTER})`),
  kept_review_id: reference('The comment that gets the decision and the reply; by default, the oldest one'),
})

export const merging = z.object({ review_ids: together, survivor_id: idValue })

const reason = requiredText('Audit comment', { max: 4096 })

export const sectioning = z.object({ section, audit_comment: reason })
export const reasoned = z.object({ audit_comment: reason })
export const moving = z.object({ rule_id: idValue, audit_comment: reason })

export const reactionBody = z.object({
  kind: z.enum(['up', 'down'], 'Kind must be up or down'),
})
