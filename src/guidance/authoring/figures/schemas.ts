import { z } from 'zod'
import { ROLES } from '../../parts/project-access.ts'
import { PUBLISHED_SOURCE, publishedSource } from '../components/schemas.ts'
import { statusCounts } from '../reviews/records/rows.ts'
import { srgStatuses, stigStatuses } from '../rules/schemas.ts'

const timestamp = z.iso.datetime().nullable()
const percentage = z.number().meta({ description: '0 to 100, one decimal; 0 if there are none' })

const severities = z.object({ high: z.int(), medium: z.int(), low: z.int() })

const documentType = z.enum(['stig', 'srg'])

export const componentLatest = z.object({
  id: z.int(),
  prefix: z.string(),
  name: z.string(),
  version: z.int().nullable(),
  release: z.int().nullable(),
  title: z.string(),
})

/** ComponentSummary (docs/contract.md, Component summary). */
export const componentSummary = z.object({
  id: z.int(),
  name: z.string(),
  prefix: z.string(),
  document_type: documentType,
  title: z.string(),
  version: z.int().nullable(),
  release: z.int().nullable(),
  released: z.boolean(),
  project_id: z.int(),
  component_id: z.int().nullable().meta({ description: 'The number of the released component that it overlays' }),
  security_requirements_guide_id: z.int(),
  based_on_title: z.string(),
  based_on_version: z.string(),
  published_source: publishedSource.nullable().meta(PUBLISHED_SOURCE),
  rules_count: z.int(),
  memberships_count: z.int(),
  severity_counts: severities,
  pending_comment_count: z.int(),
  effective_permissions: z.enum(ROLES).nullable(),
  updated_at: z.iso.datetime(),
  comment_phase: z.enum(['open', 'closed']),
  closed_reason: z.enum(['adjudicating', 'finalized']).nullable(),
  comment_period_starts_at: timestamp,
  comment_period_ends_at: timestamp,
  accepting_new_comments: z.boolean(),
  triaging_active: z.boolean(),
  frozen_for_writes: z.boolean(),
  comment_period_days_remaining: z.int().nullable(),
})

/** ComponentStats (docs/contract.md, Statistics). */
export const componentStats = z.object({
  document_type: documentType,
  rules_by_status: z.union([stigStatuses, srgStatuses]),
  rules_by_severity: severities,
  rule_count: z.int(),
  completion_pct: percentage,
  lock_pct: percentage,
})

/** ComponentWorkflowState (docs/contract.md, Workflow state). */
export const workflowState = z.object({
  document_type: documentType,
  authoring: z.object({ rules_total: z.int(), rules_determined: z.int() }),
  locks: z.object({ locked: z.int(), total: z.int(), all_locked: z.boolean() }),
  reviews: z.object({ under_review: z.int() }),
  comment: z.object({
    phase: z.enum(['open', 'closed']),
    accepting_new_comments: z.boolean(),
    triaging_active: z.boolean(),
    frozen_for_writes: z.boolean(),
    pending_comments: z.int(),
  }),
  triage: z.object({ pending: z.int(), awaiting_adjudication: z.int() }),
  export: z.object({ released: z.boolean(), releasable: z.boolean() }),
})

/** TriageSummary (docs/contract.md, Triage summary). */
export const triageSummary = z.object({
  by_triage_status: statusCounts,
  total: z.int(),
  adjudicated: z.int(),
  adjudication_pct: percentage,
})

/** ProjectStats (docs/contract.md, Statistics). */
export const projectStats = z.object({
  aggregate: z.object({
    rules_by_status_by_type: z.object({ stig: stigStatuses, srg: srgStatuses }),
    rules_by_severity: severities,
    rule_count: z.int(),
    completion_pct: percentage,
    lock_pct: percentage,
  }),
  components: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      prefix: z.string(),
      document_type: documentType,
      rule_count: z.int(),
      completion_pct: percentage,
      lock_pct: percentage,
    }),
  ),
})
