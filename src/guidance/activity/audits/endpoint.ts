import { z } from 'zod'
import { siteAdmin } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { clampedInteger, id, isStorable } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { auditSchema, findAudits, trailSchema } from './reader.ts'

/** A time in the form of the entries, in which times sort as texts. */
const moment = z.iso
  .datetime({ error: 'must be a time such as 2026-01-31T00:00:00Z', offset: true })
  .transform((text) => new Date(text).toISOString())

/** `GET /api/audits`: the whole trail, for site administrators. */
export function auditEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/audits',
    operation: 'listAudits',
    tag: 'Audit trail',
    summary: 'Who changed what, when, and from which session or token; the newest first',
    access: siteAdmin,
    input: z.object({
      query: z.object({
        auditable_type: z.string().max(100).refine(isStorable, 'cannot be a type').optional(),
        auditable_id: id.optional(),
        action: auditSchema.shape.action.optional(),
        actor_id: id.optional().meta({ description: 'Who did it' }),
        project_id: id.optional(),
        component_id: id.optional(),
        since: moment.optional().meta({ description: 'From this time on' }),
        until: moment.optional().meta({ description: 'Before this time' }),
        page: clampedInteger({ min: 1, max: 10_000_000, default: 1, invalid: 1 }),
        per_page: clampedInteger({ min: 1, max: 100, default: 25, invalid: 25 }),
      }),
    }),
    answer: z.object({
      rows: z.array(trailSchema),
      pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
    }),
    handle: async ({ input: { query } }) => {
      const { page, per_page, ...filter } = query
      const { rows, total } = await findAudits(database.read, { filter, page, perPage: per_page })
      return { rows: [...rows], pagination: { page, per_page, total } }
    },
  })
}
