import { z } from 'zod'
import { inOrder, pick } from '../../../platform/records.ts'
import { CHECK_FIELDS } from '../../../tables/check-fields.ts'
import { DESCRIPTION_FIELDS, namesOf, RULE_FIELDS } from '../../../tables/field-lists.ts'
import { SEVERITIES } from '../../../tables/severities.ts'
import { RULE_STATUSES, STATUSES } from '../../../tables/statuses.ts'
import { foldedSchema } from '../../activity/audits/combined-audits.ts'
import { shapeOf } from '../../parts/shape-of.ts'
import { reviewSchema } from '../reviews/records/schemas.ts'

/** The number of rules with each status, by kind of component. */
export const stigStatuses = z.object(countsOf(Object.keys(STATUSES.stig)))
export const srgStatuses = z.object(countsOf(Object.keys(STATUSES.srg)))

function countsOf(keys: readonly string[]): Record<string, z.ZodInt> {
  return Object.fromEntries(keys.map((key) => [key, z.int()]))
}

const text = z.string().nullable()

export const linked = z.object({ id: z.int(), rule_id: z.string(), srg_id: text })

const description = z.object({
  id: z.int(),
  ...shapeOf(DESCRIPTION_FIELDS, { text: () => text, flag: () => z.boolean().nullable() }),
  _destroy: z.literal(false),
})

const check = z.object({
  id: z.int(),
  ...shapeOf(CHECK_FIELDS, { text: () => text }),
  _destroy: z.literal(false),
})

/** The part of rules that lists show. */
export const ruleBase = z.object({
  id: z.int(),
  rule_id: z.string().meta({ description: 'Number within the component: 000012' }),
  title: z.string(),
  version: text,
  status: z.enum(RULE_STATUSES),
  rule_severity: z.enum(SEVERITIES),
  locked: z.boolean(),
  review_requestor_id: z.int().nullable(),
  changes_requested: z.boolean(),
  comment_summary: z.object({ open: z.int(), total: z.int() }),
  displayed_name: z.string().meta({ description: 'CNTR-00-000012' }),
  lock_version: z.int().meta({
    description: 'Send it back with an edit to detect edits by others in between',
  }),
})

const VIEWER_FIELDS = RULE_FIELDS.filter((field) => field.shown === 'to viewers')

/** Columns that viewers see unchanged, in the order that answers have always had. */
export const VIEWER_COLUMNS = inOrder(
  [
    'rule_weight',
    'fixtext',
    'fixtext_fixref',
    'ident',
    'ident_system',
    'vendor_comments',
    'vuln_id',
    'legacy_ids',
    'component_id',
  ],
  namesOf(VIEWER_FIELDS),
)

const viewed = {
  ...shapeOf(VIEWER_FIELDS, { text: () => text, required: () => z.string() }),
  vuln_id: text,
  legacy_ids: text,
  component_id: z.int(),
}

/** Only rules of a STIG have the members marked `(stig)`, and only requirements those marked `(srg)`. */
export const ruleView = ruleBase.extend({
  ...pick(viewed, VIEWER_COLUMNS),
  locked_fields: z.record(z.string(), z.literal(true)),
  nist_control_family: text,
  srg_id: text.meta({ description: 'Id of the SRG requirement' }),
  updated_at: z.string(),
  disa_rule_descriptions_attributes: z.array(description),
  checks_attributes: z.array(check),
  satisfies: z.array(linked).optional().meta({ description: '(stig)' }),
  satisfied_by: z
    .array(linked.extend({ fixtext: text, component_prefix: z.string() }))
    .optional()
    .meta({ description: '(stig)' }),
  derived_from_version: text.optional().meta({ description: '(srg)' }),
  rule_descriptions_attributes: z
    .array(z.object({ id: z.int(), description: text, _destroy: z.literal(false) }))
    .optional()
    .meta({ description: '(srg)' }),
})

export type RuleView = z.infer<typeof ruleView>

/** The catalogue requirement from which a rule was made. */
const sourceRequirement = z.object({
  id: z.int(),
  srg_id: text,
  title: z.string(),
  rule_severity: z.string(),
  vuln_discussion: text,
  check_content: text,
  fixtext: text,
  ident: text,
})

export type SourceRequirement = z.infer<typeof sourceRequirement>

const EDITOR_FIELDS = RULE_FIELDS.filter((field) => field.shown === 'to editors')

/** Further columns for editors, in the order that answers have always had. */
export const EDITED = inOrder(
  ['inspec_control_body', 'inspec_control_body_lang', 'inspec_control_file', 'inspec_control_file_lang'],
  namesOf(EDITOR_FIELDS),
)

export const ruleEditor = ruleView.extend({
  ...pick(shapeOf(EDITOR_FIELDS, { text: () => text }), EDITED),
  inspec_control_file: text.meta({ description: 'Generated, unless somebody wrote one' }),
  rule_descriptions_attributes: z.array(z.object({ id: z.int(), description: text, _destroy: z.literal(false) })),
  reviews: z.array(reviewSchema),
  additional_answers_attributes: z.array(z.object({ id: z.int(), additional_question_id: z.int(), answer: text })),
  srg_rule_attributes: sourceRequirement.nullable(),
  srg_info: z.object({ version: text }).meta({ description: 'Release of the SRG: V3R3' }),
  source_rule_id: text.meta({ description: 'The rule of the published STIG that it was begun from' }),
})

export type RuleEditor = z.infer<typeof ruleEditor>

export const ruleWithHistory = ruleEditor.extend({ histories: z.array(foldedSchema) })
