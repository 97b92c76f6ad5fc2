import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, idParams } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole } from '../access/component-access.ts'
import { compareWithPublished, publishedComparison } from './published.ts'

/** Compares a component with the published STIG from which it was made. */
export function publishedDiffEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/published_diff',
    operation: 'diffComponentWithPublished',
    tag: 'Components',
    summary: 'Compare a component with the published STIG that it was begun from, or with another release of that',
    access: componentRole(database, 'read'),
    input: z.object({
      params: idParams,
      query: z.object({
        from: id.optional().meta({ description: 'The number of a release; default: the one it was begun from' }),
      }),
    }),
    answer: publishedComparison,
    handle: ({ grant: { componentId }, input: { query } }) =>
      compareWithPublished(database.read, { componentId, from: query.from }),
  })
}
