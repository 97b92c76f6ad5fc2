import { z } from 'zod'
import { siteAdmin } from '../access.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { clampedInteger } from '../input.ts'
import type { Parts } from '../parts.ts'
import { auditSchema, findAudits } from './reader.ts'

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
        auditable_type: z.string().max(100).optional(),
        auditable_id: clampedInteger({ min: 0, max: 2_147_483_647, absent: 0, odd: 0 }),
        page: clampedInteger({ min: 1, max: 10_000_000, absent: 1, odd: 1 }),
        per_page: clampedInteger({ min: 1, max: 100, absent: 25, odd: 25 }),
      }),
    }),
    answer: z.object({
      rows: z.array(auditSchema),
      pagination: z.object({ page: z.int(), per_page: z.int(), total: z.int() }),
    }),
    handle: async ({ input: { query } }) => {
      const { page, per_page, auditable_type: type, auditable_id } = query
      const id = auditable_id === 0 ? undefined : auditable_id
      const { rows, total } = await findAudits(database.read, { type, id, page, perPage: per_page })
      return { rows: [...rows], pagination: { page, per_page, total } }
    },
  })
}
