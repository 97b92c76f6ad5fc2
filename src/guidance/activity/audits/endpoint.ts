import { z } from 'zod'
import { siteAdmin } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { clampedInteger, id, isStorable } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { findAudits, trailSchema } from './reader.ts'

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
        page: clampedInteger({ min: 1, max: 10_000_000, absent: 1, odd: 1 }),
        per_page: clampedInteger({ min: 1, max: 100, absent: 25, odd: 25 }),
      }),
    }),
    answer: z.object({
      rows: z.array(trailSchema),
      pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
    }),
    handle: async ({ input: { query } }) => {
      const { page, per_page, auditable_type, auditable_id } = query
      const filter = { type: auditable_type, id: auditable_id, page, perPage: per_page }
      const { rows, total } = await findAudits(database.read, filter)
      return { rows: [...rows], pagination: { page, per_page, total } }
    },
  })
}
