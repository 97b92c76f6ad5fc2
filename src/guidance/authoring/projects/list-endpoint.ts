import { z } from 'zod'
import { signedIn } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { clampedInteger, describeForgiving, searchText } from '../../../http/input.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Parts } from '../../parts/parts.ts'
import { findProjectPage } from './reader.ts'
import { projectPage } from './schemas.ts'

const DEFAULT_PER_PAGE = 25
const MAX_PER_PAGE = 100
/** Higher pages are always out of range; the limit keeps numbers exact. */
const MAX_PAGE = 1_000_000_000

const SORTS = ['name', 'created_at', 'updated_at'] as const

const perPage = z
  .string()
  .optional()
  .transform((text) => {
    const number = Number(/^\s*\+?\d+/.exec(text ?? '')?.[0] ?? 0)
    return number === 0 ? DEFAULT_PER_PAGE : Math.min(number, MAX_PER_PAGE)
  })
  .meta({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PER_PAGE,
    'x-default': DEFAULT_PER_PAGE,
    ...describeForgiving('Larger values count as 100, invalid ones as 25'),
  })

/** `GET /api/projects` (docs/contract.md, Project list). */
export function listProjects({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/projects',
    operation: 'listProjects',
    tag: 'Projects',
    summary: 'A page of the projects that the caller may see',
    access: signedIn,
    input: z.object({
      query: z.object({
        q: searchText.optional(),
        sort: z
          .string()
          .optional()
          .meta({ enum: SORTS, ...describeForgiving('Others are ignored') }),
        order: z
          .string()
          .optional()
          .meta({ enum: ['asc', 'desc'], ...describeForgiving('Ignored without sort') }),
        page: clampedInteger({ min: 1, max: MAX_PAGE, default: 1, invalid: 1 }),
        per_page: perPage,
      }),
    }),
    answer: projectPage,
    handle: async ({ grant: { caller }, input: { query } }) => {
      const { q = '', page, per_page } = query
      const sort = SORTS.find((name) => name === query.sort)
      const order = sort !== undefined && query.order === 'desc' ? 'desc' : 'asc'
      const listing = { q, sort: sort ?? 'name', order, page, perPage: per_page } as const
      const { rows, total } = await findProjectPage(database.read, caller, listing)
      const last = Math.max(1, Math.ceil(total / per_page))
      if (page > last) throw new Refusal('page_out_of_range', `Page ${page} is out of range (1..${last})`)
      return { rows, pagination: { page, per_page, total } }
    },
  })
}
