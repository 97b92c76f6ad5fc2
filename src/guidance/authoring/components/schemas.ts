import { z } from 'zod'
import { auditSchema } from '../../activity/audits/reader.ts'
import { severityCounts } from '../../catalogue/benchmarks/schemas.ts'
import { ROLES } from '../../parts/project-access.ts'
import { reviewSchema } from '../reviews/records/schemas.ts'
import { ruleEditor, ruleView, srgStatuses, stigStatuses } from '../rules/schemas.ts'

export const QUESTION_TYPES = ['dropdown', 'freeform', 'url'] as const
export const PHASES = ['open', 'closed'] as const
export const CLOSED_REASONS = ['adjudicating', 'finalized'] as const
export const DOCUMENT_TYPES = ['stig', 'srg'] as const

const text = z.string().nullable()
const number = z.int().nullable()

/** A component in a list. */
export const componentCard = z.object({
  id: z.int(),
  name: z.string(),
  prefix: z.string(),
  title: z.string(),
  description: text,
  version: number,
  release: number,
  document_type: z.enum(DOCUMENT_TYPES),
  project_id: z.int(),
  component_id: number.meta({
    description: 'The number of the released component that it overlays',
  }),
  security_requirements_guide_id: z.int(),
  based_on_title: z.string(),
  based_on_version: z.string(),
  admin_name: text,
  admin_email: text,
  released: z.boolean(),
  releasable: z.boolean().meta({ description: 'Whether it is not released and all its rules are locked' }),
  rules_count: z.int(),
  severity_counts: severityCounts,
  pending_comment_count: z.int(),
  updated_at: z.string(),
})

export type ComponentCard = z.infer<typeof componentCard>

const commentPeriod = {
  comment_phase: z.enum(PHASES),
  closed_reason: z.enum(CLOSED_REASONS).nullable(),
  comment_period_starts_at: text,
  comment_period_ends_at: text,
}

/** The public part of a released component. */
export const componentOpen = componentCard.extend(commentPeriod)

/** The read-only view of a component. */
export const componentReadOnly = componentOpen.extend({
  effective_permissions: z.null().meta({ description: 'Null, because the caller is not a member' }),
  rules: z.array(ruleView),
  reviews: z.array(reviewSchema).meta({ description: 'The newest 20' }),
})

const question = z.object({
  id: z.int(),
  component_id: z.int(),
  name: z.string(),
  question_type: z.enum(QUESTION_TYPES),
  options: z.array(z.string()),
})

export type Question = z.infer<typeof question>

export const membership = z.object({
  id: z.int(),
  user_id: z.int(),
  role: z.enum(ROLES),
  membership_type: z.enum(['Project', 'Component']),
  membership_id: z.int(),
  name: z.string(),
  email: z.string(),
})

/** The published STIG from which a component was made, as the catalogue names it. */
export const publishedSource = z.object({ stig_id: z.string(), version: z.string() })

export const PUBLISHED_SOURCE = {
  description: 'The published STIG that it was begun from; null if it was begun otherwise',
}

export type PublishedSource = z.infer<typeof publishedSource>

/** The fields of a component that members see. Other schemas add its parts. */
export const componentRecord = componentOpen.extend({
  advanced_fields: z.boolean(),
  created_at: z.string(),
  lock_version: z.int().meta({
    description: 'Send it back with an edit to detect edits by others in between',
  }),
  memberships_count: z.int().meta({ description: 'Direct members only' }),
  metadata: z.record(z.string(), z.string()),
  source_srgs: z
    .array(z.object({ id: z.int(), srg_id: z.string(), title: z.string(), version: z.string() }))
    .meta({ description: 'The SRGs that it was made from, the primary one first' }),
  published_source: publishedSource.nullable().meta(PUBLISHED_SOURCE),
  additional_questions: z.array(question),
})

export type ComponentRecord = z.infer<typeof componentRecord>

/** The editor view of a component. */
export const componentEditor = componentRecord.extend({
  effective_permissions: z.enum(ROLES),
  status_counts: z.union([stigStatuses, srgStatuses]),
  moved_out_count: z.int().meta({ description: 'Number of requirements that moved to other SRGs' }),
  srg_is_latest: z.boolean(),
  srg_latest_version: z.string(),
  srg_latest_id: z.int(),
  rules: z.array(ruleEditor),
  reviews: z.array(reviewSchema).meta({ description: 'The newest 20' }),
  histories: z.array(auditSchema).meta({ description: 'The newest 20, oldest first' }),
  memberships: z.array(membership),
  inherited_memberships: z
    .array(membership)
    .meta({ description: 'Memberships of the project, which apply here as well' }),
})
