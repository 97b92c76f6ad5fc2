import { z } from 'zod'
import { clampedInteger, idParams, id, idValue, isStorable, unstorable } from '../../../http/input.ts'
import { toastSchema } from '../../../http/toast.ts'
import { readEncodingSchema, sheetEncoding } from '../spreadsheets/reading/encoding.ts'
import { MERGED_FIELDS } from './planning/fields.ts'
import { MISMATCH_REASONS } from './planning/match-rules.ts'
import { FILE_FORMATS } from './reading/merge-file.ts'

const text = z.string().nullable()
const value = z.union([z.string(), z.boolean()]).nullable()

export const OUTCOMES = ['theirs', 'ours', 'same', 'merged', 'conflict'] as const

const ruleName = { rule_id: z.int(), displayed_name: z.string() }

/** The notes of a plan, in their stored form. */
export const notesSchema = z.object({
  rules: z.int(),
  unmatched: z.array(
    z.object({
      place: z.string(),
      reason: z.enum(MISMATCH_REASONS),
      stig_id: z.string(),
      srg_id: z.string(),
      title: text,
    }),
  ),
  missing: z.array(z.object({ ...ruleName, srg_id: text })),
  renumbered: z.array(z.object({ ...ruleName, srg_id: text, stig_id: z.string() })),
  warnings: z.array(z.string()),
  // Plans of earlier versions have none.
  encoding: readEncodingSchema.default(null),
})

export type MergeNotes = z.output<typeof notesSchema>

/** The reason why a field cannot change, whatever the decision. */
const BLOCK_REASONS = ['locked', 'section locked', 'inherited'] as const

const fieldSchema = z.object({
  ...ruleName,
  field: z.enum(MERGED_FIELDS),
  base: value.meta({ description: 'As it was exported' }),
  ours: value.meta({ description: 'As the component has it' }),
  theirs: value.meta({ description: 'As the file has it' }),
  merged: text.meta({ description: 'Both edits together, for the outcome `merged`' }),
  outcome: z.enum(OUTCOMES),
  take: z.enum(['ours', 'theirs', 'merged', 'text']).nullable().meta({ description: 'The decision; null: none' }),
  text: text.meta({ description: 'The text of the decision `text`' }),
  blocked: z.enum(BLOCK_REASONS).nullable().meta({ description: 'Why it stays as it is, whatever is decided' }),
})

export type MergeField = z.output<typeof fieldSchema>

export const mergeSchema = z.object({
  id: z.int(),
  component_id: z.int(),
  file: z.string(),
  format: z.enum(FILE_FORMATS),
  state: z.enum(['open', 'applied', 'undone']),
  base: z.object({
    source: z.enum(['file', 'chosen', 'history']).meta({
      description:
        'How it was found: by the digest in the file, by `base`, or as the most similar state of the history',
    }),
    until: text.meta({ description: 'The moment of the first change after it; null: nothing has changed since' }),
  }),
  counts: z.object({
    unchanged: z.int(),
    theirs: z.int(),
    ours: z.int(),
    same: z.int(),
    merged: z.int(),
    conflict: z.int(),
    added: z.int().meta({ description: 'Rules of the file that the component lacks' }),
    missing: z.int().meta({ description: 'Rules of the component that the file lacks' }),
  }),
  open_conflicts: z.int().meta({ description: 'Conflicts without a decision, which prevent applying' }),
  fields: z.array(fieldSchema),
  pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
  unmatched: notesSchema.shape.unmatched,
  missing: notesSchema.shape.missing,
  renumbered: notesSchema.shape.renumbered,
  warnings: notesSchema.shape.warnings,
  encoding: readEncodingSchema,
})

export type MergeAnswer = z.output<typeof mergeSchema>

export const mergeParams = idParams.extend({ merge: id })

const MAX_PER_PAGE = 500
/** The number of fields on a page. An answer with many long texts blocks others for some milliseconds. */
const PER_PAGE = 200

export const mergeQuery = z.object({
  outcome: z.enum(OUTCOMES, `Outcome must be one of: ${OUTCOMES.join(', ')}`).optional(),
  open: z.enum(['true', 'false']).optional().meta({ description: 'With `true`: only conflicts without a decision' }),
  page: clampedInteger({ min: 1, max: 1_000_000, default: 1, invalid: 1 }),
  per_page: clampedInteger({ min: 1, max: MAX_PER_PAGE, default: PER_PAGE, invalid: PER_PAGE }),
})

/** The length limit for the text of a field. */
const MAX_TEXT = 1_000_000
const MAX_QUESTION = 4000

const take = z.union(
  [
    z.enum(['ours', 'theirs', 'merged']),
    z.strictObject({ text: z.string().max(MAX_TEXT).refine(isStorable, unstorable('Text')).nullable() }),
    z.strictObject({
      ask: z.string().trim().min(1).max(MAX_QUESTION).refine(isStorable, unstorable('Ask')),
    }),
    z.null(),
  ],
  'Take must be ours, theirs, merged, {text}, {ask} or null',
)

const decision = z
  .object({
    rule_id: idValue.optional(),
    field: z.enum(MERGED_FIELDS, `Field must be one of: ${MERGED_FIELDS.join(', ')}`).optional(),
    outcome: z.enum(OUTCOMES, `Outcome must be one of: ${OUTCOMES.join(', ')}`).optional(),
    take,
  })
  .refine(({ rule_id, field, outcome }) => rule_id !== undefined || field !== undefined || outcome !== undefined, {
    error: 'A decision names a rule, a field or an outcome',
  })
  .refine(
    ({ rule_id, field, ...decision }) =>
      decision.take === null || typeof decision.take === 'string' || (rule_id !== undefined && field !== undefined),
    { error: 'A text and a question are for one field of one rule' },
  )

export type Decision = z.output<typeof decision>

export const decisionsBody = z.object({
  decisions: z.array(decision).min(1, "Decisions can't be blank").max(1000, 'There are more than 1000 decisions'),
})

export const mergeForm = z.object({
  encoding: sheetEncoding.optional(),
  base: z
    .string()
    .regex(/^(?:[0-9a-f]{64}|\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?)$/, 'Base must be a digest or a moment')
    .optional()
    .meta({
      description:
        'The state that the file was made from, if the file does not say it: a moment such as ' +
        '2026-11-03T15:00:00Z, or the digest of an export',
    }),
})

export const appliedSchema = z.object({
  toast: toastSchema,
  id: z.int(),
  state: mergeSchema.shape.state,
  rules: z.array(z.object({ ...ruleName, fields: z.array(z.enum(MERGED_FIELDS)) })),
  skipped: z.array(z.object({ ...ruleName, field: z.enum(MERGED_FIELDS), reason: z.enum(BLOCK_REASONS) })),
})
