import { z } from 'zod'
import { idValue, isStorable, optionalText, requiredText, unstorable } from '../../../http/input.ts'
import { CLOSED_REASONS, DOCUMENT_TYPES, PHASES, QUESTION_TYPES } from '../components/schemas.ts'
import { metadataAttributes } from '../projects/schemas.ts'
import { rebaseDecisions } from './decisions.ts'

const MAX_QUESTIONS = 100
const MAX_OPTIONS = 100
const MAX_SRGS = 50
const MAX_SELECTED = 10_000

const name = requiredText('Name', { max: 255 })
const title = requiredText('Title', { max: 500 })
const description = optionalText('Description', { max: 5000 })

/** Four word characters, a dash, two: `CNTR-00`. */
const PREFIX = /^\w{4}-\w{2}$/
const prefix = requiredText('Prefix', { max: 10 })
  .refine((text) => PREFIX.test(text), 'Prefix must be of the form AAAA-00')
  .transform((text) => text.toUpperCase())

const wholeNumber = (label: string) =>
  z
    .int(`${label} must be a whole number`)
    .min(0, `${label} must not be negative`)
    .max(2_147_483_647, `${label} is too large`)

const adminName = optionalText('Admin name', { max: 255 })
const adminEmail = optionalText('Admin email', { max: 255 })
const flag = (label: string) => z.boolean(`${label} must be true or false`)

const TIME_MESSAGE = 'must be a date or a time: 2026-01-31, 2026-01-31T12:00:00Z'

/** ISO 8601, within the years that both databases can store. */
const moment = (label: string) =>
  z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], `${label} ${TIME_MESSAGE}`)
    .refine((text) => /^(19[7-9]|[2-9]\d)\d/.test(text), `${label} ${TIME_MESSAGE}`)
    .transform((text) => new Date(text).toISOString())
    .nullable()

const question = z.object({
  id: idValue.optional(),
  name: requiredText('Question', { max: 255 }).optional(),
  question_type: z.enum(QUESTION_TYPES, `Question type must be one of ${QUESTION_TYPES.join(', ')}`).optional(),
  options: z
    .array(requiredText('Option', { max: 255 }), 'Options must be a list')
    .max(MAX_OPTIONS, 'Too many options')
    .optional(),
  _destroy: flag('_destroy').optional(),
})

export type QuestionChange = z.infer<typeof question>

const questions = z
  .array(question, 'Additional questions must be a list')
  .max(MAX_QUESTIONS, 'Too many additional questions')

const slack = optionalText('Slack channel', { max: 255 })
const documentType = z.enum(DOCUMENT_TYPES, 'Document type must be stig or srg')

/** The `component` member of an update. */
export const componentChanges = z.object({
  name: name.optional(),
  prefix: prefix.optional(),
  title: title.optional(),
  description: description.optional(),
  version: wholeNumber('Version').nullish(),
  release: wholeNumber('Release').nullish(),
  released: flag('Released').optional(),
  admin_name: adminName.optional(),
  admin_email: adminEmail.optional(),
  advanced_fields: flag('Advanced fields').optional(),
  document_type: documentType.optional().meta({ description: 'Cannot be changed' }),
  comment_phase: z.enum(PHASES, 'Comment phase must be open or closed').optional(),
  closed_reason: z.enum(CLOSED_REASONS, 'Closed reason must be adjudicating or finalized').nullish(),
  comment_period_starts_at: moment('Start of the comment period').optional(),
  comment_period_ends_at: moment('End of the comment period').optional(),
  additional_questions_attributes: questions.optional(),
  component_metadata_attributes: metadataAttributes.optional(),
  slack_channel_id: slack.optional(),
  lock_version: z.int('Lock version must be a whole number').optional(),
})

export type ComponentChanges = z.infer<typeof componentChanges>

const requirementId = z
  .string('A requirement is selected by its id')
  .max(255)
  .refine(isStorable, unstorable('A requirement'))

/** The `component` member of a creation, in any mode. Each mode checks for the values that it needs. */
export const newComponent = z.object({
  duplicate: flag('Duplicate').optional(),
  copy_component: flag('Copy').optional(),
  id: idValue.nullish().meta({ description: 'The number of the component to duplicate' }),
  component_id: idValue.nullish().meta({ description: 'The number of the released component to overlay' }),
  source_stig_id: idValue.nullish().meta({
    description:
      'The number of the published STIG to begin from; without an SRG, the one with most of its requirements',
  }),
  project_id: idValue.nullish().meta({ description: 'The project for the duplicate; by default the same one' }),
  name: name.optional(),
  prefix: prefix.optional(),
  title: title.optional(),
  description: description.optional(),
  version: wholeNumber('Version').nullish(),
  release: wholeNumber('Release').nullish(),
  document_type: documentType.optional(),
  security_requirements_guide_id: idValue.nullish(),
  declared_source_srg_ids: z
    .array(idValue, 'Source SRGs must be a list')
    .max(MAX_SRGS, 'Too many source SRGs')
    .optional(),
  requirement_selections: z
    .record(
      z.string().regex(/^[1-9]\d{0,9}$/),
      z.array(requirementId).max(MAX_SELECTED, 'Too many requirements'),
      'Requirement selections must be an object of lists',
    )
    .optional()
    .meta({ description: 'Requirements to take from each SRG, by the number of the SRG' }),
  rebase: rebaseDecisions.optional().meta({
    description:
      'For a duplicate on another SRG: decisions on single rules; without them, all is done as in the preview',
  }),
  admin_name: adminName.optional(),
  admin_email: adminEmail.optional(),
  advanced_fields: flag('Advanced fields').optional(),
  additional_questions_attributes: questions.optional(),
  component_metadata_attributes: metadataAttributes.optional(),
  slack_channel_id: slack.optional(),
})

export type NewComponent = z.infer<typeof newComponent>

/** A published rule whose requirement was not found. It still became a rule. */
export const unlinkedRule = z.object({
  rule_id: z.string().meta({ description: 'The id of the published rule' }),
  version: z.string().nullable().meta({ description: 'The STIG id' }),
  srg_ids: z.array(z.string()).meta({ description: 'The SRG requirements that it names' }),
  reason: z.string(),
})

export type UnlinkedRule = z.infer<typeof unlinkedRule>

export interface CreatedComponent {
  readonly id: number
  /** A further sentence for the toast; may be blank. */
  readonly message: string
  /** Rules of the published STIG whose requirement was not found. */
  readonly unlinked?: readonly UnlinkedRule[]
}
