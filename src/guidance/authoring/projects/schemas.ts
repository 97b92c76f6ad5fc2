import { z } from 'zod'
import { isStorable, optionalText, requiredText } from '../../../http/input.ts'
import { auditSchema } from '../../activity/audits/reader.ts'
import { userRef } from '../../identity/users/schemas.ts'
import { ROLES } from '../../parts/project-access.ts'
import { componentCard, membership } from '../components/schemas.ts'

export const VISIBILITIES = ['discoverable', 'hidden'] as const

const MAX_METADATA = 100

const role = z.enum(ROLES)

export const membershipSchema = membership.extend({ membership_type: z.literal('Project') })

export const projectSummary = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  visibility: z.enum(VISIBILITIES),
  memberships_count: z.int(),
  admin_name: z.string().nullable(),
  admin_email: z.string().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export type ProjectSummary = z.infer<typeof projectSummary>

export const projectPage = z.object({
  rows: z.array(projectSummary),
  pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
})

/** A row of the project page, with the caller's relation to the project. */
export const projectCard = z.object({
  ...projectSummary.shape,
  memberships: z.array(membershipSchema),
  admin: z.boolean().meta({ description: 'Whether the caller is an admin member' }),
  is_member: z.boolean(),
  access_request_id: z.int().nullable(),
  pending_comment_count: z.int().meta({
    description: 'Untriaged top-level comments that the caller may read',
  }),
  total_comment_count: z.int().meta({ description: 'Top-level comments that the caller may read' }),
  pending_comment_link: z.string().nullable().meta({
    description:
      'The page of their triage: that of the component if only one has pending comments, else that of the project; null without comments',
  }),
})

export type ProjectCard = z.infer<typeof projectCard>

const metadata = z.record(z.string(), z.string())

const count = z.int()

export const accessRequestSchema = z.object({
  id: z.int(),
  user: userRef,
  project: z.object({ id: z.int(), name: z.string() }),
})

export const projectDetail = z.object({
  ...projectSummary.shape,
  created_at: z.string().meta({ description: 'YYYY-MM-DD HH:MM:SS UTC' }),
  updated_at: z.string().meta({ description: 'YYYY-MM-DD HH:MM:SS UTC' }),
  lock_version: z.int().meta({
    description: 'Send it back with an edit to detect edits by others in between',
  }),
  effective_permissions: role,
  metadata,
  memberships: z.array(membershipSchema),
  access_requests: z.array(accessRequestSchema),
  users: z.array(userRef).meta({
    description:
      'For an administrator: people who could be added, the first 200 by name; else empty. With SERVICE_USER_SEARCH=known only people that the administrator knows',
  }),
  histories: z.array(auditSchema),
  components: z.array(componentCard),
  available_components: z.array(componentCard).meta({
    description: 'Released components that the project neither has nor overlays',
  }),
  pending_comment_count: z.int(),
  details: z
    .object({
      stig: z.object({
        ac: count,
        aim: count,
        adnm: count,
        na: count,
        nyd: count,
        total: count,
      }),
      srg: z.object({ applicable: count, na: count, nyd: count, total: count }),
      nur: count.meta({ description: 'Neither under review nor locked' }),
      ur: count.meta({ description: 'Under review' }),
      lck: count.meta({ description: 'Locked' }),
      total: count,
    })
    .meta({ description: 'Requirements of all components, by status' }),
})

export type ProjectDetail = z.infer<typeof projectDetail>

const visibility = z.enum(VISIBILITIES, 'Visibility must be discoverable or hidden')

const metadataText = z.string('Metadata must be texts').max(5000, 'Metadata is too long')

export const metadataAttributes = z.object({
  data: z
    .record(z.string().min(1).max(255), metadataText.refine(isStorable, 'Metadata cannot be stored'), {
      error: 'Metadata must be an object of texts',
    })
    .refine((data) => Object.keys(data).length <= MAX_METADATA, 'Metadata has too many entries')
    .refine((data) => Object.keys(data).every(isStorable), 'Metadata cannot be stored'),
})

const name = requiredText('Name', { max: 255 })
const description = optionalText('Description', { max: 5000 })

export const newProject = z.object({
  name,
  description: description.optional(),
  visibility: visibility.nullish(),
  project_metadata_attributes: metadataAttributes.optional(),
  slack_channel_id: optionalText('Slack channel', { max: 255 }).optional(),
})

export type NewProject = z.infer<typeof newProject>

export const projectChanges = z.object({
  name: name.optional(),
  description: description.optional(),
  visibility: visibility.optional(),
  project_metadata_attributes: metadataAttributes.optional(),
  slack_channel_id: optionalText('Slack channel', { max: 255 }).optional(),
  lock_version: z.int('Lock version must be a whole number').optional(),
})

export type ProjectChanges = z.infer<typeof projectChanges>
