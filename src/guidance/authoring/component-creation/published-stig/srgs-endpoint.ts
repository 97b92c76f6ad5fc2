import { z } from 'zod'
import { signedIn } from '../../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { idParams } from '../../../../http/input.ts'
import type { Parts } from '../../../parts/parts.ts'
import { findNamedSrgs, namedSrgs } from './srgs.ts'

/** Lists the SRGs that a component made from a published STIG can be based on. */
export function namedSrgsEndpoint({ database }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/stigs/{id}/srgs',
    operation: 'listNamedSrgs',
    tag: 'Components',
    summary: 'The SRGs with requirements that the rules of a STIG name; the first has most of them',
    access: signedIn,
    input: z.object({ params: idParams }),
    answer: namedSrgs,
    handle: ({ input: { params } }) => findNamedSrgs(database.read, params.id),
  })
}
