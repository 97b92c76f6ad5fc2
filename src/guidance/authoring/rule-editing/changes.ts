import { z } from 'zod'
import { idValue, optionalText, requiredText } from '../../../http/input.ts'
import { CHECK_FIELDS } from '../../../tables/check-fields.ts'
import { DESCRIPTION_FIELDS, RULE_FIELDS } from '../../../tables/field-lists.ts'
import { SEVERITIES } from '../../../tables/severities.ts'
import { RULE_STATUSES } from '../../../tables/statuses.ts'
import { shapeOf } from '../../parts/shape-of.ts'
import { limitOf } from '../rules/text-limits.ts'

/** The number of nested records of one kind in a request. */
const MAX_PARTS = 100

/**
 * Texts copied from the catalogue may be longer than those that people write (contract, input length limits). An editor
 * sends the whole rule, so only changed texts are checked against the shorter limits (`content.ts`).
 */
const STORED_LIMIT = { max: 1_000_000 }

interface LabelledField {
  readonly name: string
  readonly label: string
}

function text({ name, label }: LabelledField): z.ZodOptional<z.ZodType<string | null, string | null>> {
  return optionalText(label, STORED_LIMIT).meta(documentedField(name)).optional()
}

function documentedField(name: string): { readonly maxLength: number; readonly description: string } {
  return {
    maxLength: limitOf(name),
    description: 'A longer text that was stored before may be sent back unchanged',
  }
}

/** The message for a status that no kind of rule has. */
export const NO_STATUS = `Status must be one of: ${RULE_STATUSES.join(', ')}`

const KINDS = {
  text,
  required: ({ name, label }: LabelledField) =>
    requiredText(label, STORED_LIMIT).meta(documentedField(name)).optional(),
  flag: ({ label }: LabelledField) => z.boolean(`${label} must be true, false or null`).nullable().optional(),
  status: () => z.enum(RULE_STATUSES, NO_STATUS).optional(),
  severity: () => z.enum(SEVERITIES, 'Severity must be high, medium or low').optional(),
}

const ruleTexts = shapeOf(RULE_FIELDS, KINDS)
const descriptionTexts = shapeOf(DESCRIPTION_FIELDS, KINDS)

/** The editable columns of a rule, as stored. Absent ones keep their values. */
export const contentChanges = z.object({ ...ruleTexts, ...descriptionTexts })

export type ContentChanges = z.output<typeof contentChanges>

const part = {
  id: idValue.nullish(),
  _destroy: z.boolean().optional(),
}

const checkChanges = z.object({ ...part, ...shapeOf(CHECK_FIELDS, { text }) })

export type CheckChanges = z.output<typeof checkChanges>

const descriptionChanges = z.object({
  ...part,
  description: text({ name: 'description', label: 'Description' }),
})

export type DescriptionChanges = z.output<typeof descriptionChanges>

const answerChanges = z.object({
  id: idValue.nullish(),
  additional_question_id: idValue.nullish(),
  answer: text({ name: 'answer', label: 'Answer' }),
  _destroy: z.boolean().optional(),
})

export type AnswerChanges = z.output<typeof answerChanges>

const TOO_MANY = `There are more than ${MAX_PARTS}`

/** The changes of a rule in a request. Absent members keep their values. */
export const ruleChanges = z.object({
  ...ruleTexts,
  disa_rule_descriptions_attributes: z
    .array(z.object({ ...part, ...descriptionTexts }))
    .max(1, 'A rule has one description')
    .optional(),
  checks_attributes: z.array(checkChanges).max(MAX_PARTS, TOO_MANY).optional(),
  rule_descriptions_attributes: z.array(descriptionChanges).max(MAX_PARTS, TOO_MANY).optional(),
  additional_answers_attributes: z.array(answerChanges).max(MAX_PARTS, TOO_MANY).optional(),
})

export type RuleChanges = z.output<typeof ruleChanges>

const auditComment = optionalText('Audit comment', { max: 4096 }).optional()

/** A change of a rule, with the version that the editor has seen. */
export const ruleEdit = ruleChanges.extend({
  audit_comment: auditComment,
  lock_version: z.int('Lock version must be a whole number').optional(),
})

/** A new rule: blank, or a copy of another. */
export const newRule = ruleChanges.extend({
  duplicate: z.boolean('Duplicate must be true or false').nullish(),
  id: idValue.nullish(),
  audit_comment: auditComment,
})

export type NewRule = z.output<typeof newRule>
