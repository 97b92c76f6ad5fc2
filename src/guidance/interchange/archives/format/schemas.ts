import { z } from 'zod'
import { inOrder, pick } from '../../../../platform/records.ts'
import { CHECK_FIELDS } from '../../../../tables/check-fields.ts'
import { DESCRIPTION_FIELDS, namesOf, RULE_FIELDS, SUGGESTED_FIELDS } from '../../../../tables/field-lists.ts'
import { SECTIONS } from '../../../../tables/sections.ts'
import { SEVERITIES } from '../../../../tables/severities.ts'
import { RULE_STATUSES } from '../../../../tables/statuses.ts'
import { adviceOff } from '../../../authoring/advice/disabled-advice.ts'
import { MAX_NAME, MAX_PER_COMPONENT } from '../../../authoring/attachments/types.ts'
import { REVIEW_ACTIONS, TRIAGE_STATUSES } from '../../../authoring/reviews/records/schemas.ts'
import { shapeOf } from '../../../parts/shape-of.ts'
import { MAX_COMPONENTS, MAX_REVIEWS, MAX_RULES } from './limits.ts'
import {
  flag,
  flagOrNull,
  MAX_TEXT_LENGTH,
  metadata,
  moment,
  momentOrNull,
  required,
  short,
  storable,
  text,
  wholeNumber,
} from './values.ts'

/** Versions that can be read. Exports have the last one. */
export const FORMAT_VERSIONS = ['1.0', '1.1'] as const

/** Shortens the value for a message, because the file may hold anything. */
function versionIn(input: unknown): string {
  return typeof input === 'string' && input.length <= 20 ? input : 'no version'
}

const srg = z.object({ srg_id: required(255), title: text(), version: required(255) })

export type SrgName = z.output<typeof srg>

export const manifestSchema = z.object({
  backup_format_version: z.enum(FORMAT_VERSIONS, {
    error: ({ input }) => `is ${versionIn(input)}: this version of Parapet reads ${FORMAT_VERSIONS.join(' and ')}`,
  }),
  components: z
    .array(z.object({ name: required(255) }))
    .min(1, 'has no components')
    .max(MAX_COMPONENTS),
  srgs: z
    .array(srg)
    .max(MAX_COMPONENTS)
    .nullish()
    .transform((value) => value ?? []),
})

export const projectSchema = z.object({
  name: text(255),
  description: text(5000),
  visibility: z.enum(['discoverable', 'hidden']).nullish(),
  metadata,
  memberships: z
    .array(
      z.object({
        email: short,
        name: short,
        role: z.enum(['viewer', 'author', 'reviewer', 'admin']),
      }),
    )
    .max(10_000)
    .nullish()
    .transform((value) => value ?? []),
})

export type ProjectRecord = z.output<typeof projectSchema>

/** Former names of phases (docs/contract.md, Comment phases). */
const PHASES = {
  open: { comment_phase: 'open', closed_reason: null },
  draft: { comment_phase: 'open', closed_reason: null },
  closed: { comment_phase: 'closed', closed_reason: null },
  adjudication: { comment_phase: 'closed', closed_reason: 'adjudicating' },
  final: { comment_phase: 'closed', closed_reason: 'finalized' },
} as const

export const componentSchema = z
  .object({
    name: required(255),
    prefix: z.string().regex(/^\w{4}-\w{2}$/, 'is not of the form AAAA-00'),
    version: wholeNumber,
    release: wholeNumber,
    title: text(500),
    description: text(5000),
    released: flag,
    released_at: momentOrNull,
    admin_name: short,
    admin_email: short,
    advanced_fields: flag,
    document_type: z.enum(['stig', 'srg']).default('stig'),
    comment_phase: z.enum(['open', 'closed', 'draft', 'adjudication', 'final']).default('open'),
    closed_reason: z.enum(['adjudicating', 'finalized']).nullish(),
    comment_period_starts_at: momentOrNull,
    comment_period_ends_at: momentOrNull,
    based_on: srg,
    source_srgs: z.array(srg).max(50).default([]),
    overlay_parent: z
      .object({ name: required(255), prefix: required(10) })
      .nullable()
      .default(null),
    published_source: z
      .object({ stig_id: required(255), version: required(255) })
      .nullable()
      .default(null),
    metadata,
    additional_questions: z
      .array(
        z.object({
          name: required(255),
          question_type: z.enum(['dropdown', 'freeform', 'url']),
          options: z
            .array(required(255))
            .max(100)
            .nullish()
            .transform((value) => value ?? []),
        }),
      )
      .max(100)
      .default([]),
    last_rule_number: wholeNumber,
    created_at: momentOrNull,
    updated_at: momentOrNull,
    /** The digest of the rules, by which a merge finds the exported state. */
    snapshot: short,
  })
  .transform(({ closed_reason, comment_phase, ...component }) => {
    const phase = PHASES[comment_phase]
    const reason = comment_phase === 'closed' ? (closed_reason ?? null) : phase.closed_reason
    return { ...component, comment_phase: phase.comment_phase, closed_reason: reason }
  })

export type ComponentRecord = z.output<typeof componentSchema>

const sections = new Set<string>(namesOf(SECTIONS))

const lockedFields = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((value) =>
    Object.fromEntries(
      Object.entries(value ?? {}).flatMap(([name, locked]) =>
        sections.has(name) && locked === true ? [[name, true] as const] : [],
      ),
    ),
  )

const disa = z.object(shapeOf(DESCRIPTION_FIELDS, { text: () => text(), flag: () => flagOrNull }))

const check = z.object(shapeOf(CHECK_FIELDS, { text: () => text() }))

/** The number of a rule within its component: `000012`. */
const ruleNumber = z
  .string()
  .regex(/^\d{1,9}$/, 'is not a number such as 000012')
  .refine((value) => Number(value) > 0, 'is not a number such as 000012')
const ruleNumberOrNull = ruleNumber.nullable().default(null)

const parts = <T extends z.ZodType>(part: T, max: number): z.ZodDefault<z.ZodArray<T>> =>
  z.array(part).max(max).default([])

/** Columns of a rule that have the same names in an archive, in the order that archives have always had. */
export const COLUMNS = inOrder(
  [
    'version',
    'minted_id',
    'title',
    'status',
    'rule_severity',
    'rule_weight',
    'vuln_id',
    'legacy_ids',
    'source_rule_id',
  ],
  namesOf(RULE_FIELDS),
)

const columns = {
  ...shapeOf(RULE_FIELDS, {
    text: () => text(),
    required: () => text(),
    status: () => z.enum(RULE_STATUSES).default('Not Yet Determined'),
    severity: () => z.enum(SEVERITIES),
  }),
  rule_weight: z.string().max(255).default('10.0'),
  minted_id: text(),
  vuln_id: text(),
  legacy_ids: text(),
  source_rule_id: text(),
}

export const ruleSchema = z.object({
  rule_id: ruleNumber,
  ...pick(columns, COLUMNS),
  locked: flag,
  locked_fields: lockedFields,
  /** Archives from other programs lack it. */
  advice_off: adviceOff.nullish().transform((value) => value ?? {}),
  changes_requested: flag,
  deleted_at: momentOrNull,
  created_at: moment.optional(),
  updated_at: moment.optional(),
  srg_rule_version: text(),
  srg_rule_srg_id: text(),
  derived_from_srg_rule_version: text(),
  derived_from_srg_rule_srg_id: text(),
  srg_rule_rule_id: text(),
  derived_from_srg_rule_rule_id: text(),
  disa_rule_descriptions: z.array(disa).max(1).default([]),
  checks: parts(check, 1000),
  rule_descriptions: parts(z.object({ description: text() }), 1000),
  additional_answers: parts(z.object({ question_name: short, answer: text(10_000) }), 100),
})

export type RuleRecord = z.output<typeof ruleSchema>

export const rulesSchema = z.array(ruleSchema).max(MAX_RULES)

export const satisfactionsSchema = z
  .array(
    z.object({
      rule_id: ruleNumber,
      satisfied_by_rule_id: ruleNumber,
      previous_status: z.enum(RULE_STATUSES).nullable().default(null),
    }),
  )
  .max(MAX_RULES)

export type SatisfactionRecord = z.output<typeof satisfactionsSchema>[number]

/** Archives from other programs lack it. */
export const attachmentsSchema = z
  .array(
    z.object({
      rule_id: ruleNumber,
      file: z.string().regex(/^attachments\/\d{1,9}$/, 'is not of the form attachments/1'),
      name: required(MAX_NAME),
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256'),
      bytes: wholeNumber,
      author_name: short,
      created_at: momentOrNull,
    }),
  )
  .max(MAX_PER_COMPONENT)

export type AttachmentRecord = z.output<typeof attachmentsSchema>[number]

const externalId = z.int().min(0)
const externalIdOrNull = externalId.nullable().default(null)

/** A review. Requests and approvals may be without text. */
export const reviewSchema = z
  .object({
    external_id: externalId,
    rule_id: ruleNumberOrNull,
    action: z.enum(REVIEW_ACTIONS),
    comment: storable.max(10_000),
    user_email: short,
    user_name: short,
    section: short,
    triage_status: z.enum(TRIAGE_STATUSES).nullable().default(null),
    triage_set_by_email: short,
    triage_set_by_name: short,
    triage_set_at: momentOrNull,
    adjudicated_by_email: short,
    adjudicated_by_name: short,
    adjudicated_at: momentOrNull,
    responding_to_external_id: externalIdOrNull,
    duplicate_of_external_id: externalIdOrNull,
    original_rule_id: ruleNumberOrNull,
    addressed_by_rule_id: ruleNumberOrNull,
    suggestion: z
      .object({
        field: z.enum(namesOf(SUGGESTED_FIELDS)),
        text: storable.max(MAX_TEXT_LENGTH),
        base: storable.max(MAX_TEXT_LENGTH),
        accepted_text: text(),
      })
      .nullable()
      .default(null),
    created_at: moment,
    updated_at: momentOrNull,
    reactions: z
      .array(z.object({ user_email: short, kind: z.enum(['up', 'down']), created_at: momentOrNull }))
      .max(10_000)
      .default([]),
  })
  .refine(({ action, comment }) => action !== 'comment' || comment.trim() !== '', {
    path: ['comment'],
    error: 'is blank',
  })

export type ReviewRecord = z.output<typeof reviewSchema>

export const reviewsSchema = z.array(reviewSchema).max(MAX_REVIEWS)
