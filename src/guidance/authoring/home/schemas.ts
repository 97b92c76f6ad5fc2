import { z } from 'zod'
import { auditSchema } from '../../activity/audits/reader.ts'
import { ROLES } from '../../parts/project-access.ts'
import { accessRequestSchema } from '../projects/schemas.ts'

const count = z.int()
const project = z.object({ id: z.int(), name: z.string() })

const waitingComponent = z.object({
  id: z.int(),
  name: z.string(),
  prefix: z.string(),
  version: z.int().nullable(),
  release: z.int().nullable(),
  project,
  role: z
    .enum(ROLES)
    .meta({ description: 'Role of the caller: the higher of those in the project and in the component' }),
  based_on_title: z.string().meta({ description: 'Title of the SRG that it is based on' }),
  based_on_version: z.string(),
  comment_period_ends_at: z.string().nullable(),
  reviews: count.meta({ description: 'Rules that the caller may decide on, requested by others' }),
  changes_requested: count.meta({
    description: 'Rules for which the caller requested a review and a reviewer asked for changes',
  }),
  pending_comments: count.meta({ description: 'Comments that the caller may triage' }),
  awaiting_adjudication: count.meta({ description: 'Decided comments that the caller may close' }),
  clarifications: count.meta({
    description: 'Comments of the caller that need clarification and that they have not answered',
  }),
  relocations: count.meta({
    description: 'Requirements of other SRGs that are proposed for this one, for the caller to decide on',
  }),
})

export type PendingComponent = z.infer<typeof waitingComponent>

const ownComponent = waitingComponent.pick({
  id: true,
  name: true,
  prefix: true,
  version: true,
  release: true,
  project: true,
  role: true,
  based_on_title: true,
  based_on_version: true,
  comment_period_ends_at: true,
})

export const home = z.object({
  project_count: count.meta({ description: 'Projects that the caller is a member of' }),
  comment_count: count.meta({ description: 'Comments of the caller, of every status' }),
  may_create_projects: z.boolean(),
  components: z.array(waitingComponent).meta({ description: 'Components of the caller with tasks for them' }),
  own_components: z
    .array(
      ownComponent.extend({
        rules: count,
        decided: count.meta({ description: 'Rules whose status is determined' }),
        updated_at: z.string(),
      }),
    )
    .meta({ description: 'Unreleased components of the caller, the 20 that were changed last' }),
  requested_changes: z
    .array(
      z.object({
        component_id: z.int(),
        rule: z.string().meta({ description: 'Such as PNGN-01-000003' }),
        by: z.string(),
        comment: z.string(),
        created_at: z.string(),
      }),
    )
    .meta({ description: 'The words of reviewers on rules that the caller had requested a review for' }),
  recent: z
    .array(auditSchema.extend({ component_id: z.int() }))
    .meta({ description: 'The newest changes in the three components that were changed last, newest first' }),
  access_requests: z
    .array(accessRequestSchema)
    .meta({ description: 'Access requests to projects that the caller administers' }),
  own_access_requests: z.array(z.object({ id: z.int(), project })),
  recent_memberships: z
    .array(z.object({ project, role: z.enum(ROLES), created_at: z.iso.datetime() }))
    .meta({ description: 'Projects that the caller was added to in the last 14 days' }),
  new_guidance: z
    .array(z.object({ benchmark_id: z.string(), version: z.string(), title: z.string(), date: z.iso.date() }))
    .meta({ description: 'The five STIGs and SRGs with the newest dates' }),
})

export type Home = z.infer<typeof home>
