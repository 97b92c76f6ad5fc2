import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, idParams } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole } from '../access/component-access.ts'
import { previewRebase, rebasePreview } from './preview.ts'

/** Previews a copy on another SRG. The copy is then created like any other. */
export function rebaseEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/components/{id}/rebase',
    operation: 'previewRebase',
    tag: 'Components',
    summary: 'Preview a copy of a component on another SRG, rule by rule, with the possible decisions',
    access: componentRole(database, 'read'),
    input: z.object({
      params: idParams,
      query: z.object({ srg: id.meta({ description: 'The number of the other SRG' }) }),
    }),
    answer: rebasePreview,
    handle: ({ grant: { componentId }, input: { query } }) =>
      previewRebase(database.read, { componentId, srgId: query.srg }),
  })
}
